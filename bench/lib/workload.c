/* The four artificial workloads of ICPE'20 section 4.4: workload KIND COUNT.
 *   integer  integer loop in registers
 *   float    floating-point loop in registers
 *   cache    linear walk over 4 MiB
 *   memory   random walk over 64 MiB
 * COUNT is in units of roughly 100 000 loop turns or 10 000 loads. Prints a checksum. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uint64_t integer(uint64_t count) {
    uint64_t x = 88172645463325252ULL;
    for (uint64_t i = 0; i < count * 100000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}

static uint64_t floating(uint64_t count) {
    double x = 0.5;
    for (uint64_t i = 0; i < count * 100000; i++) x = 3.7 * x * (1.0 - x);
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t cache(uint64_t count) {
    const size_t words = 4u * 1024 * 1024 / sizeof(uint64_t);
    uint64_t *data = malloc(words * sizeof *data), sum = 0;
    if (data == NULL) exit(1);
    for (size_t i = 0; i < words; i++) data[i] = i * 2654435761u;
    for (uint64_t turn = 0; turn < count; turn++) {
        for (size_t i = 0; i < words; i += 8) sum += data[i] ^ turn;
    }
    return sum;
}

static uint64_t memory(uint64_t count) {
    const size_t slots = 64u * 1024 * 1024 / sizeof(uint32_t);
    uint32_t *next = aligned_alloc(2u * 1024 * 1024, slots * sizeof *next), at = 0;
    if (next == NULL) exit(1);
    /* Large pages where the system offers them: the walk is to be measured, not 16 000 page faults. */
    madvise(next, slots * sizeof *next, MADV_HUGEPAGE);
    /* An odd multiplier and increment visit every slot of a power of two once: a random walk without a shuffle. */
    for (size_t i = 0; i < slots; i++) next[i] = (uint32_t)((i * 1664525u + 1013904223u) & (slots - 1));
    for (uint64_t i = 0; i < count * 10000; i++) at = next[at];
    return at;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: workload integer|float|cache|memory COUNT\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    uint64_t result;
    if (strcmp(argv[1], "integer") == 0) result = integer(count);
    else if (strcmp(argv[1], "float") == 0) result = floating(count);
    else if (strcmp(argv[1], "cache") == 0) result = cache(count);
    else if (strcmp(argv[1], "memory") == 0) result = memory(count);
    else {
        fprintf(stderr, "workload: unknown kind %s\n", argv[1]);
        return 2;
    }
    printf("%llu\n", (unsigned long long)result);
    return 0;
}
