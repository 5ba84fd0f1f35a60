/* A seeded neighbour: neighbour both|one SEED CPU [CPU]. Bursts of work alternate with idle stretches, both of random
 * length (exponential, means 15 ms and 25 ms), at real-time priority where that is allowed, else at normal priority.
 * `both` bursts on both CPUs at the same moments, `one` on the first only. Runs until it is killed or its standard
 * input ends. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t seed;
static int64_t origin;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *burst(void *argument) {
    const int cpu = *(int *)argument;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    struct sched_param parameter = {.sched_priority = 1};
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter) != 0)
        fprintf(stderr, "neighbour: no real-time priority on CPU %d, going on at normal priority\n", cpu);
    /* Every thread draws the same schedule, so that bursts on two CPUs fall together. */
    uint64_t x = seed * 0x9E3779B97F4A7C15ULL + 1;
    int64_t at = origin;
    for (int working = 0;; working = !working) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        const double uniform = ((x >> 11) + 1) * 0x1.0p-53;
        at += (int64_t)(-log(uniform) * (working ? 15e6 : 25e6));
        if (working) {
            while (now() < at) {}
        } else {
            struct timespec until = {at / 1000000000LL, at % 1000000000LL};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: neighbour both|one SEED CPU [CPU]\n");
        return 2;
    }
    seed = strtoull(argv[2], NULL, 10);
    origin = now() + 10000000;
    static int cpus[2];
    const int threads = strcmp(argv[1], "both") == 0 && argc > 4 ? 2 : 1;
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        cpus[i] = atoi(argv[3 + i]);
        if (pthread_create(&thread, NULL, burst, &cpus[i]) != 0) return 1;
    }
    char byte;
    while (read(0, &byte, 1) > 0) {}
    return 0;
}
