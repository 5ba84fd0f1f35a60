/*
 * deadheat.h - takes part in a duet of deadheat (workload protocol, version 1). C11 or C++, Linux, gcc or clang.
 * SPDX-License-Identifier: Apache-2.0
 *
 *     dh duet;
 *     dh_work work = {0};
 *     work.benchmark = "sort"; work.fn = sort; work.arg = &data; work.iterations = 100;
 *     int failed = dh_open(&duet) < 0 || dh_run(&duet, &work) < 0;
 *     if (failed) fprintf(stderr, "%s\n", duet.error);
 *     dh_close(&duet, failed);
 *     return failed;
 *
 * A function that fails returns DH_ERROR and leaves a sentence in `error`. Times are ns of CLOCK_MONOTONIC. One thread.
 * In strict -std=c11 define _GNU_SOURCE before the first include.
 */
#ifndef DEADHEAT_H
#define DEADHEAT_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DH_ERROR = -1, DH_MEASURE = 0, DH_WARMUP = 1, DH_STOP = 2 };
enum { DH_MAGIC = 0x47504844, DH_VERSION = 1, DH_PAGE_BYTES = 4096 };

typedef struct dh {
    int32_t *page;       /* NULL when the program runs alone */
    int side;            /* 0 = A, 1 = B */
    int record;          /* file descriptor, -1 = nothing is recorded */
    int64_t deadline_ns; /* how long to wait for the other side at most; 30 s */
    int64_t iterations, warmup, fill, samples; /* DEADHEAT_ITERATIONS, _WARMUP, _FILL, _SAMPLES; 0 = not given */
    int yields; /* DEADHEAT_WAIT: 1 = the other side may need the core on which this one waits */
    int schedstat; /* what the kernel says of the thread in dh_run, -1 = nothing */
    int64_t delay_ns; /* how long the thread was ready to run and waited for a CPU in the iteration; -1 = not measured */
    char error[640];
} dh;

typedef struct dh_iteration { /* one line of the record */
    int64_t i, s, e, n; /* index in its benchmark from 0; start and end; invocations */
    int warmup;
    int64_t c, t, v; /* CPU ns of process (without children) and thread, involuntary switches; -1 = not measured */
} dh_iteration;

typedef struct dh_work { /* one benchmark for dh_run */
    const char *benchmark;
    const char *params; /* JSON object, NULL = {} */
    void (*fn)(void *arg);
    void *arg;
    int64_t iterations;  /* at most, unless DEADHEAT_ITERATIONS says; 0 = until the runner says stop (in a duet only) */
    int64_t invocations; /* calls of fn an iteration; 0 = 1 */
} dh_work;

/* Words of the page: byte offsets of docs/formats/protocol.md, divided by 4. */
static inline int32_t *dh_side_word(const dh *d, int side, int word) { return d->page + 16 * (1 + side) + word; }
static inline int32_t dh_load(const int32_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static inline void dh_store(int32_t *p, int32_t value) { __atomic_store_n(p, value, __ATOMIC_RELEASE); }
static inline void dh_count(int32_t *p) { dh_store(p, (int32_t)((uint32_t)dh_load(p) + 1)); }
static inline int32_t dh_ahead(const int32_t *p, int32_t of) { return (int32_t)((uint32_t)dh_load(p) - (uint32_t)of); }
enum { DH_CURSOR = 0, DH_STATE = 1, DH_WORK_DONE = 2, DH_PID = 3, DH_DECISION = 4, DH_STARTED = 6, DH_BENCHMARK = 7 };
enum { DH_RUNNER_DECISION = 49, DH_POISON = 50, DH_INITIAL = 51, DH_RUNNING = 1, DH_FINISHED = 2, DH_FAILED = 3 };

static inline int64_t dh_clock(clockid_t id) {
    struct timespec t;
    return clock_gettime(id, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : 0;
}
static inline int64_t dh_now(void) { return dh_clock(CLOCK_MONOTONIC); }
static inline int64_t dh_switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* ns that the thread of dh_run has been ready to run and has waited for a CPU; -1 where the kernel does not say. */
static inline int64_t dh_delay(const dh *d) {
    char text[64];
    const ssize_t length = d->schedstat < 0 ? 0 : pread(d->schedstat, text, sizeof text - 1, 0);
    if (length <= 0) return -1;
    text[length] = '\0';
    const char *second = strchr(text, ' ');
    return second == NULL ? -1 : strtoll(second, NULL, 10);
}

/* Leaves a sentence in `error`; gives DH_ERROR. */
#define dh_fail(d, ...) (snprintf((d)->error, sizeof((d)->error), __VA_ARGS__), DH_ERROR)

static inline int dh_map(dh *d, const char *path, int fd) {
    struct stat status;
    const int size = fstat(fd, &status) == 0 ? (int)status.st_size : 0;
    if (size < DH_PAGE_BYTES)
        return dh_fail(d, "deadheat: %s is not a shared page: %d bytes instead of %d", path, size, DH_PAGE_BYTES);
    int32_t *page = (int32_t *)mmap(NULL, DH_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) return dh_fail(d, "deadheat: cannot map %s: %s", path, strerror(errno));
    const int32_t magic = dh_load(page), version = dh_load(page + 1);
    if (magic != DH_MAGIC)
        return dh_fail(d, "deadheat: %s is not a shared page: magic 0x%08x, not 0x%08x", path, magic, DH_MAGIC);
    if (version != DH_VERSION)
        return dh_fail(d, "deadheat: %s is a page of version %d; this client knows version %d. Use the same release of "
                       "deadheat and of its client.", path, version, DH_VERSION);
    d->page = page;
    return 0;
}

static inline int dh_number(dh *d, const char *name, int64_t *value) {
    const char *text = getenv(name);
    if (text == NULL || *text == '\0') return 0;
    const size_t digits = strspn(text, "0123456789");
    *value = strtoll(text, NULL, 10);
    if (text[digits] == '\0' && digits < 19) return 0;
    return dh_fail(d, "deadheat: %s is '%s'; a whole number expected", name, text);
}

/* Reads the environment, maps the page if there is one and opens the record if one is asked for. */
static inline int dh_open(dh *d) {
    memset(d, 0, sizeof *d);
    d->record = d->schedstat = -1;
    d->delay_ns = -1;
    d->deadline_ns = 30 * (int64_t)1000000000;
    if (dh_number(d, "DEADHEAT_ITERATIONS", &d->iterations) < 0) return DH_ERROR;
    if (dh_number(d, "DEADHEAT_WARMUP", &d->warmup) < 0 || dh_number(d, "DEADHEAT_FILL", &d->fill) < 0) return DH_ERROR;
    if (dh_number(d, "DEADHEAT_SAMPLES", &d->samples) < 0) return DH_ERROR;
    if (d->samples == 1) return dh_fail(d, "deadheat: DEADHEAT_SAMPLES is '1'; a whole number from 2 expected");
    const char *wait = getenv("DEADHEAT_WAIT");
    d->yields = wait != NULL && strcmp(wait, "yield") == 0;
    if (wait != NULL && *wait != '\0' && !d->yields && strcmp(wait, "spin") != 0)
        return dh_fail(d, "deadheat: DEADHEAT_WAIT is '%s'; spin or yield expected", wait);
    const char *path = getenv("DEADHEAT_PAGE"), *side = getenv("DEADHEAT_SIDE"), *record = getenv("DEADHEAT_RECORD");
    if (path != NULL && *path != '\0') {
        if (side == NULL || (strcmp(side, "A") != 0 && strcmp(side, "B") != 0))
            return dh_fail(d, "deadheat: DEADHEAT_SIDE is '%s'; A or B expected", side == NULL ? "" : side);
        d->side = side[0] - 'A';
        int fd = open(path, O_RDWR | O_CLOEXEC);
        if (fd < 0) return dh_fail(d, "deadheat: cannot open the shared page %s: %s", path, strerror(errno));
        const int mapped = dh_map(d, path, fd);
        close(fd);
        if (mapped < 0) return mapped;
        dh_store(dh_side_word(d, d->side, DH_PID), (int32_t)getpid());
        dh_store(dh_side_word(d, d->side, DH_STATE), DH_RUNNING);
    }
    if (record == NULL || *record == '\0') return 0;
    d->record = open(record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    return d->record >= 0 ? 0 : dh_fail(d, "deadheat: cannot open the record %s: %s", record, strerror(errno));
}

/*
 * One step of waiting with DEADHEAT_WAIT=yield: yields as long as somebody takes the core, and sleeps between yields when
 * nobody does, for a quarter of the time waited since `began`, 50 us to 10 ms. `idle`, which it gives anew, is the number of
 * yields in a row after which nobody took it.
 */
static inline int dh_pause(int idle, int64_t began) {
    int64_t before = dh_now();
    if (idle >= 64) {
        const int64_t quarter = (before - began) / 4;
        const struct timespec step = {0, quarter < 50000 ? 50000 : quarter > 10000000 ? 10000000 : quarter};
        nanosleep(&step, NULL);
        before = dh_now();
    }
    sched_yield();
    return dh_now() - before < 50000 ? idle + 1 : 0;
}

/* Arrives and waits for the other side: the decision for what follows, or DH_ERROR. Alone: DH_MEASURE, at once. */
static inline int dh_barrier(dh *d) {
    if (d->page == NULL) return DH_MEASURE;
    int32_t *own = dh_side_word(d, d->side, DH_CURSOR), *peer = dh_side_word(d, 1 - d->side, DH_CURSOR);
    const int32_t barrier = (int32_t)((uint32_t)dh_load(own) + 1);
    int32_t *slot = dh_side_word(d, 0, DH_DECISION + (barrier & 1));
    const int64_t began = dh_now(), end = began + d->deadline_ns;
    if (d->side == 0) { /* the runner's word may be about one benchmark alone */
        const int32_t said = dh_load(d->page + DH_RUNNER_DECISION), about = said >> 2;
        const int other = about != 0 && about != dh_load(dh_side_word(d, 0, DH_BENCHMARK));
        dh_store(slot, other ? dh_load(d->page + DH_INITIAL) : said & 3);
    }
    dh_store(own, barrier);
    int idle = 0;
    for (unsigned loads = 1;; loads++) {
        const int32_t poison = dh_load(d->page + DH_POISON); /* before the cursor: a peer that ended may have come */
        if (dh_ahead(peer, barrier) >= 0) break;
        if (poison != 0)
            return dh_fail(d, "deadheat: %s", poison == 1 ? "the other side is lost: it ended before the barrier"
                                                          : "the run was called off");
        if (d->yields) idle = dh_pause(idle, began);
        if ((d->yields || loads % 256 == 0) && dh_now() > end)
            return dh_fail(d, "deadheat: the other side did not reach barrier %d within %lld ms", barrier,
                           (long long)(d->deadline_ns / 1000000));
    }
    return dh_load(slot);
}

static inline int dh_write(dh *d, const char *text, size_t length) {
    while (length > 0) {
        const ssize_t written = write(d->record, text, length);
        if (written < 0 && errno != EINTR) return dh_fail(d, "deadheat: cannot write the record: %s", strerror(errno));
        if (written > 0) text += written, length -= (size_t)written;
    }
    return 0;
}

/* Begins a benchmark on the page and in the record; `params` is a JSON object or NULL. */
static inline int dh_benchmark(dh *d, const char *name, const char *params) {
    if (d->page != NULL) dh_count(dh_side_word(d, d->side, DH_BENCHMARK));
    if (d->record < 0) return 0;
    if (params == NULL) params = "{}";
    const size_t size = 64 + 6 * strlen(name) + strlen(params);
    char *line = (char *)malloc(size);
    if (line == NULL) return dh_fail(d, "deadheat: out of memory");
    size_t at = (size_t)snprintf(line, size, "{\"deadheat\":%d,\"benchmark\":\"", DH_VERSION);
    for (const char *c = name; *c != '\0'; c++) {
        const int plain = (unsigned char)*c >= 0x20 && *c != '"' && *c != '\\';
        at += (size_t)snprintf(line + at, size - at, plain ? "%c" : "\\u%04x", *c);
    }
    at += (size_t)snprintf(line + at, size - at, "\",\"params\":%s}\n", params);
    const int result = dh_write(d, line, at);
    free(line);
    return result;
}

/* As dh_record, with `count` times of single invocations, or means of batches of them, ns: `d` of the record. */
static inline int dh_record_times(dh *d, const dh_iteration *it, const double *times, int64_t count) {
    if (d->page != NULL) dh_count(dh_side_word(d, d->side, DH_WORK_DONE));
    if (d->record < 0) return 0;
    const size_t size = 320 + 32 * (size_t)count;
    char *line = (char *)malloc(size);
    if (line == NULL) return dh_fail(d, "deadheat: out of memory");
    size_t at = (size_t)snprintf(line, size, "{\"i\":%lld,\"s\":%lld,\"e\":%lld,\"n\":%lld%s", (long long)it->i,
                      (long long)it->s, (long long)it->e, (long long)it->n, it->warmup ? ",\"p\":\"warmup\"" : "");
    const int64_t metrics[] = {it->c, it->t, it->v, d->delay_ns};
    for (int k = 0; k < 4; k++) {
        const long long value = (long long)metrics[k];
        if (value >= 0) at += (size_t)snprintf(line + at, size - at, ",\"%c\":%lld", "ctvq"[k], value);
    }
    for (int64_t k = 0; k < count; k++)
        at += (size_t)snprintf(line + at, size - at, "%s%.6g", k == 0 ? ",\"d\":[" : ",", times[k]);
    at += (size_t)snprintf(line + at, size - at, count > 0 ? "]}\n" : "}\n");
    const int result = dh_write(d, line, at);
    free(line);
    return result;
}

/* Records a finished iteration and counts it on the page. Call it before the next barrier. */
static inline int dh_record(dh *d, const dh_iteration *it) { return dh_record_times(d, it, NULL, 0); }

/*
 * With DEADHEAT_SAMPLES: as many invocations again as the iteration had, in at most so many batches, each timed as a
 * whole, so that no clock stands in the iteration itself. Gives the number of times, at least 2, of which the iteration's
 * own is one where it had a single invocation.
 */
static inline int64_t dh_sample(const dh *d, const dh_work *work, const dh_iteration *it, double *times) {
    const int64_t batch = (it->n - 1) / d->samples + 1;
    int64_t count = 0;
    if (it->n == 1) times[count++] = (double)(it->e - it->s);
    for (int64_t left = it->n; left >= batch; left -= batch) {
        const int64_t start = dh_now();
        for (int64_t call = 0; call < batch; call++) work->fn(work->arg);
        times[count++] = (double)(dh_now() - start) / (double)batch;
    }
    return count;
}

/* With DEADHEAT_FILL: goes on working, unmeasured, until the other side has done as many iterations. */
static inline void dh_fill(dh *d, void (*fn)(void *), void *arg) {
    if (d->page == NULL || d->fill == 0) return;
    const int32_t done = dh_load(dh_side_word(d, d->side, DH_WORK_DONE)), *poison = d->page + DH_POISON;
    const int64_t end = dh_now() + d->deadline_ns;
    while (dh_ahead(dh_side_word(d, 1 - d->side, DH_WORK_DONE), done) < 0 && dh_load(poison) == 0 && dh_now() < end)
        fn(arg);
}

/* Barrier, iteration, record, until the runner says stop or all iterations are done: their number, or DH_ERROR. */
static inline int64_t dh_run(dh *d, const dh_work *work) {
    const int64_t most = d->iterations > 0 ? d->iterations : work->iterations;
    if (d->page == NULL && most <= 0) return dh_fail(d, "deadheat: without a runner say how many iterations to do");
    if (dh_benchmark(d, work->benchmark, work->params) < 0) return DH_ERROR;
    dh_iteration it = {0, 0, 0, work->invocations > 0 ? work->invocations : 1, 0, 0, 0, 0};
    const int64_t room = it.n < d->samples ? it.n + 1 : d->samples;
    double *times = d->samples > 0 ? (double *)malloc((size_t)room * sizeof *times) : NULL;
    if (d->samples > 0 && times == NULL) return dh_fail(d, "deadheat: out of memory");
    d->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    int ended = 0;
    for (; most <= 0 || it.i < most; it.i++) {
        const int decision = dh_barrier(d);
        ended = decision == DH_ERROR ? DH_ERROR : 0;
        if (ended < 0 || decision == DH_STOP) break;
        it.warmup = decision == DH_WARMUP || it.i < d->warmup;
        const int32_t started = (int32_t)(dh_now() / 1000000 & 0x7fffffff);
        if (d->page != NULL) dh_store(dh_side_word(d, d->side, DH_STARTED), started);
        const int64_t q = dh_delay(d), v = dh_switches(), c = dh_clock(CLOCK_PROCESS_CPUTIME_ID), t = dh_clock(CLOCK_THREAD_CPUTIME_ID);
        it.s = dh_now();
        for (int64_t call = 0; call < it.n; call++) work->fn(work->arg);
        it.e = dh_now();
        it.t = dh_clock(CLOCK_THREAD_CPUTIME_ID) - t;
        it.c = dh_clock(CLOCK_PROCESS_CPUTIME_ID) - c;
        it.v = dh_switches() - v;
        d->delay_ns = q < 0 ? -1 : dh_delay(d) - q;
        ended = dh_record_times(d, &it, times, times == NULL ? 0 : dh_sample(d, work, &it, times));
        d->delay_ns = -1;
        if (ended < 0) break;
        dh_fill(d, work->fn, work->arg);
    }
    free(times);
    if (d->schedstat >= 0) close(d->schedstat);
    d->schedstat = -1;
    return ended < 0 ? ended : it.i;
}

/* Tells the runner how the side ended; call it also after an error. */
static inline void dh_close(dh *d, int failed) {
    if (d->record >= 0) close(d->record);
    d->record = -1;
    if (d->page == NULL) return;
    dh_store(dh_side_word(d, d->side, DH_STATE), failed ? DH_FAILED : DH_FINISHED);
    dh_store(dh_side_word(d, d->side, DH_PID), 0);
    munmap(d->page, DH_PAGE_BYTES);
    d->page = NULL;
}

#endif
