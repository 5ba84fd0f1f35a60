/* load CPU integer|memory PRIORITY: does the artificial workload of that name on one CPU, in phases read from standard input, a line each:
 * "START END", ns of CLOCK_MONOTONIC. PRIORITY: normal or realtime, which needs the right to it. Says "ready" when it
 * is, on standard output. Ends with its standard input. */
#define _GNU_SOURCE
#include "workloads.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 65536, slice = 10 };

static char lines[LINES];
static size_t held;
static volatile uint32_t result;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Waits up to `ns` (-1: for ever) for more lines and reads them; the end of the input is the end of the program. */
static void listen_for(int64_t ns) {
    struct pollfd input = {0, POLLIN, 0};
    const struct timespec most = {ns / 1000000000, ns % 1000000000};
    if (held == LINES - 1) {
        if (ns > 0) nanosleep(&most, NULL);
        return;
    }
    if (ppoll(&input, 1, ns < 0 ? NULL : &most, NULL) <= 0) return;
    const ssize_t got = read(0, lines + held, LINES - 1 - held);
    if (got > 0) held += (size_t)got;
    else if (got == 0 || (errno != EAGAIN && errno != EINTR)) exit(0);
}

/* Takes the first whole line out of what was read; 0 = there is none. */
static int next_phase(int64_t *start, int64_t *end) {
    char *line_end = (char *)memchr(lines, '\n', held);
    if (line_end == NULL) return 0;
    *line_end = '\0';
    long long from, to;
    const int read_both = sscanf(lines, "%lld %lld", &from, &to) == 2;
    const size_t length = (size_t)(line_end - lines) + 1;
    memmove(lines, lines + length, held - length);
    held -= length;
    if (!read_both) exit(2);
    *start = from;
    *end = to;
    return 1;
}

static int pin(int cpu) {
    const size_t size = CPU_ALLOC_SIZE(cpu + 1);
    cpu_set_t *set = CPU_ALLOC(cpu + 1);
    if (set == NULL) return -1;
    CPU_ZERO_S(size, set);
    CPU_SET_S(cpu, size, set);
    return sched_setaffinity(0, size, set);
}

int main(int argc, char **argv) {
    const int memory = argc == 4 && strcmp(argv[2], "memory") == 0;
    if (!memory && (argc != 4 || strcmp(argv[2], "integer") != 0)) {
        fprintf(stderr, "usage: load CPU integer|memory normal|realtime\n");
        return 2;
    }
    if (pin(atoi(argv[1])) != 0) {
        fprintf(stderr, "load: cannot run on CPU %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    const struct sched_param one = {.sched_priority = 1};
    if (strcmp(argv[3], "realtime") == 0 && sched_setscheduler(0, SCHED_FIFO, &one) != 0)
        fprintf(stderr, "load: no real-time priority on CPU %s, going on at normal priority\n", argv[1]);
    const uint32_t *data = memory ? memory_data(MEMORY_SLOTS) : no_data(0);
    if (data == NULL) {
        fprintf(stderr, "load: out of memory\n");
        return 1;
    }
    prctl(PR_SET_TIMERSLACK, 1);
    puts("ready");
    fflush(stdout);
    for (;;) {
        int64_t start, end, at;
        while (!next_phase(&start, &end)) listen_for(-1);
        while ((at = now()) < start) listen_for(start - at);
        /* Looks for the end of the input about every 10 ms. */
        for (int64_t looked = at; (at = now()) < end;) {
            result = memory ? memory_walk(slice, data, result) : (uint32_t)integer_work(slice, data, 0);
            if (at - looked > 10000000) {
                listen_for(0);
                looked = at;
            }
        }
    }
}
