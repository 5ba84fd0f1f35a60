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
 * A function that fails returns DH_ERROR and leaves a sentence in `error`. Times are ns of CLOCK_MONOTONIC.
 * In strict -std=c11 define _GNU_SOURCE before the first include.
 */
#ifndef DEADHEAT_H
#define DEADHEAT_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
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
    char error[640];
} dh;

/* One line of the record. */
typedef struct dh_iteration {
    int64_t i, s, e; /* index in its benchmark from 0; start and end */
    int64_t n;       /* invocations */
    int warmup;
    int64_t c, v; /* CPU time in ns, involuntary context switches; -1 = not measured */
} dh_iteration;

/* One benchmark for dh_run. */
typedef struct dh_work {
    const char *benchmark;
    const char *params; /* JSON object, NULL = {} */
    void (*fn)(void *arg);
    void *arg;
    int64_t iterations;  /* at most; 0 = until the runner says stop (in a duet only) */
    int64_t invocations; /* calls of fn an iteration; 0 = 1 */
} dh_work;

/* Offsets of words on the page: docs/formats/protocol.md, divided by 4. */
static inline int32_t *dh_side_word(const dh *d, int side, int word) { return d->page + 16 * (1 + side) + word; }
static inline int32_t dh_load(const int32_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static inline void dh_store(int32_t *p, int32_t value) { __atomic_store_n(p, value, __ATOMIC_RELEASE); }
enum { DH_CURSOR = 0, DH_STATE = 1, DH_WORK_DONE = 2, DH_PID = 3, DH_DECISION = 4, DH_STARTED = 6 };
enum { DH_RUNNER_DECISION = 49, DH_POISON = 50 };
enum { DH_RUNNING = 1, DH_FINISHED = 2, DH_FAILED = 3 };

static inline int64_t dh_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
static inline int64_t dh_now(void) { return dh_clock(CLOCK_MONOTONIC); }

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), unused))
#endif
static int dh_fail(dh *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(d->error, sizeof d->error, format, args);
    va_end(args);
    return DH_ERROR;
}

static inline int dh_map(dh *d, const char *path, int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0) return dh_fail(d, "deadheat: cannot read %s: %s", path, strerror(errno));
    if (status.st_size < DH_PAGE_BYTES)
        return dh_fail(d, "deadheat: %s is not a shared page: %lld bytes instead of %d", path,
                       (long long)status.st_size, DH_PAGE_BYTES);
    void *page = mmap(NULL, DH_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) return dh_fail(d, "deadheat: cannot map %s: %s", path, strerror(errno));
    const int32_t *words = (const int32_t *)page;
    const int32_t magic = dh_load(words), version = dh_load(words + 1);
    if (magic == DH_MAGIC && version == DH_VERSION) {
        d->page = (int32_t *)page;
        return 0;
    }
    munmap(page, DH_PAGE_BYTES);
    if (magic != DH_MAGIC)
        return dh_fail(d, "deadheat: %s is not a shared page: magic 0x%08x, not 0x%08x", path, (unsigned)magic,
                       (unsigned)DH_MAGIC);
    return dh_fail(d,
                   "deadheat: %s is a page of version %d; this client knows version %d. "
                   "Use the same release of deadheat and of its client.",
                   path, version, DH_VERSION);
}

/* Reads the environment, maps the page if there is one and opens the record if one is asked for. */
static inline int dh_open(dh *d) {
    memset(d, 0, sizeof *d);
    d->record = -1;
    d->deadline_ns = 30 * (int64_t)1000000000;
    const char *path = getenv("DEADHEAT_PAGE"), *side = getenv("DEADHEAT_SIDE"), *record = getenv("DEADHEAT_RECORD");
    if (path != NULL && *path != '\0') {
        if (side == NULL || (strcmp(side, "A") != 0 && strcmp(side, "B") != 0))
            return dh_fail(d, "deadheat: DEADHEAT_SIDE is '%s'; A or B expected", side == NULL ? "" : side);
        d->side = side[0] - 'A';
        int fd = open(path, O_RDWR | O_CLOEXEC);
        if (fd < 0) return dh_fail(d, "deadheat: cannot open the shared page %s: %s", path, strerror(errno));
        int mapped = dh_map(d, path, fd);
        close(fd);
        if (mapped < 0) return mapped;
        dh_store(dh_side_word(d, d->side, DH_PID), (int32_t)getpid());
        dh_store(dh_side_word(d, d->side, DH_STATE), DH_RUNNING);
    }
    if (record != NULL && *record != '\0') {
        d->record = open(record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
        if (d->record < 0) return dh_fail(d, "deadheat: cannot open the record %s: %s", record, strerror(errno));
    }
    return 0;
}

/* Arrives and waits for the other side: the decision for what follows, or DH_ERROR. Alone: DH_MEASURE, at once. */
static inline int dh_barrier(dh *d) {
    if (d->page == NULL) return DH_MEASURE;
    int32_t *own = dh_side_word(d, d->side, DH_CURSOR), *peer = dh_side_word(d, 1 - d->side, DH_CURSOR);
    const int32_t barrier = (int32_t)((uint32_t)dh_load(own) + 1);
    int32_t *slot = dh_side_word(d, 0, DH_DECISION + (barrier & 1));
    const int64_t end = dh_now() + d->deadline_ns;
    if (d->side == 0) dh_store(slot, dh_load(d->page + DH_RUNNER_DECISION));
    dh_store(own, barrier);
    for (unsigned loads = 1; (int32_t)((uint32_t)dh_load(peer) - (uint32_t)barrier) < 0; loads++) {
        const int32_t poison = dh_load(d->page + DH_POISON);
        if (poison != 0)
            return dh_fail(d, "deadheat: %s", poison == 1 ? "the other side is lost: it ended before the barrier"
                                                          : "the run was called off");
        if (loads % 256 == 0 && dh_now() > end)
            return dh_fail(d, "deadheat: the other side did not reach barrier %d within %lld ms", barrier,
                           (long long)(d->deadline_ns / 1000000));
    }
    return dh_load(slot);
}

static inline int dh_write(dh *d, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(d->record, text, length);
        if (written < 0 && errno != EINTR) return dh_fail(d, "deadheat: cannot write the record: %s", strerror(errno));
        if (written > 0) text += written, length -= (size_t)written;
    }
    return 0;
}

/* Starts a benchmark in the record; `params` is a JSON object or NULL. */
static inline int dh_benchmark(dh *d, const char *name, const char *params) {
    if (d->record < 0) return 0;
    if (params == NULL) params = "{}";
    const size_t size = 64 + 6 * strlen(name) + strlen(params);
    char *line = (char *)malloc(size);
    if (line == NULL) return dh_fail(d, "deadheat: out of memory");
    size_t at = (size_t)snprintf(line, size, "{\"deadheat\":%d,\"benchmark\":\"", DH_VERSION);
    for (const char *c = name; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20) {
            at += (size_t)snprintf(line + at, size - at, "\\u%04x", (unsigned)*c);
        } else {
            if (*c == '"' || *c == '\\') line[at++] = '\\';
            line[at++] = *c;
        }
    }
    at += (size_t)snprintf(line + at, size - at, "\",\"params\":%s}\n", params);
    const int result = dh_write(d, line, at);
    free(line);
    return result;
}

/* Records a finished iteration and counts it on the page. Call it before the next barrier. */
static inline int dh_record(dh *d, const dh_iteration *it) {
    if (d->page != NULL) {
        int32_t *done = dh_side_word(d, d->side, DH_WORK_DONE);
        dh_store(done, (int32_t)((uint32_t)dh_load(done) + 1));
    }
    if (d->record < 0) return 0;
    char line[256];
    int at = snprintf(line, sizeof line, "{\"i\":%lld,\"s\":%lld,\"e\":%lld,\"n\":%lld", (long long)it->i,
                      (long long)it->s, (long long)it->e, (long long)it->n);
    if (it->warmup) at += snprintf(line + at, sizeof line - (size_t)at, ",\"p\":\"warmup\"");
    if (it->c >= 0) at += snprintf(line + at, sizeof line - (size_t)at, ",\"c\":%lld", (long long)it->c);
    if (it->v >= 0) at += snprintf(line + at, sizeof line - (size_t)at, ",\"v\":%lld", (long long)it->v);
    at += snprintf(line + at, sizeof line - (size_t)at, "}\n");
    return dh_write(d, line, (size_t)at);
}

static inline int64_t dh_switches(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

/* Barrier, iteration, record, until the runner says stop or `iterations` are done: their number, or DH_ERROR. */
static inline int64_t dh_run(dh *d, const dh_work *work) {
    const int64_t calls = work->invocations > 0 ? work->invocations : 1;
    if (d->page == NULL && work->iterations <= 0)
        return dh_fail(d, "deadheat: without a runner the number of iterations must be given");
    if (dh_benchmark(d, work->benchmark, work->params) < 0) return DH_ERROR;
    dh_iteration it = {0, 0, 0, calls, 0, 0, 0};
    for (; work->iterations <= 0 || it.i < work->iterations; it.i++) {
        const int decision = dh_barrier(d);
        if (decision < 0) return DH_ERROR;
        if (decision == DH_STOP) break;
        if (d->page != NULL)
            dh_store(dh_side_word(d, d->side, DH_STARTED), (int32_t)((dh_now() / 1000000) & 0x7fffffff));
        const int64_t switches = dh_switches(), cpu = dh_clock(CLOCK_PROCESS_CPUTIME_ID);
        it.s = dh_now();
        for (int64_t call = 0; call < calls; call++) work->fn(work->arg);
        it.e = dh_now();
        it.c = dh_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        it.v = dh_switches() - switches;
        it.warmup = decision == DH_WARMUP;
        if (dh_record(d, &it) < 0) return DH_ERROR;
    }
    return it.i;
}

/* Tells the runner how the side ended; call it also after an error. */
static inline void dh_close(dh *d, int failed) {
    if (d->page != NULL) {
        dh_store(dh_side_word(d, d->side, DH_STATE), failed ? DH_FAILED : DH_FINISHED);
        dh_store(dh_side_word(d, d->side, DH_PID), 0);
        munmap(d->page, DH_PAGE_BYTES);
        d->page = NULL;
    }
    if (d->record >= 0) close(d->record);
    d->record = -1;
}

#endif
