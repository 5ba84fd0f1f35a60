/* The four artificial workloads of Bulej et al., ICPE'20, section 4.4. Step for step what core/workloads/src/javascript
 * does, so that amounts and results can be compared. A unit of amount is STEPS_PER_UNIT steps. */
#ifndef WORKLOADS_H
#define WORKLOADS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STEPS_PER_UNIT = 100, CACHE_WORDS = 1 << 20, CACHE_STRIDE = 16, MEMORY_SLOTS = 1 << 24, LEAST_WORDS = 1 << 10 };

typedef struct workload {
    const char *name;
    size_t words;                                   /* of the working set, a power of two; 0 = it has none */
    const uint32_t *(*prepare)(size_t words);       /* NULL = out of memory; what needs no data gives an empty word */
    double (*work)(int64_t amount, const uint32_t *data, size_t words);
} workload;

static inline double integer_work(int64_t amount, const uint32_t *data, size_t words) {
    (void)data, (void)words;
    uint32_t x = 2463534242u;
    for (int64_t unit = 0; unit < amount; unit++) {
        for (int step = 0; step < STEPS_PER_UNIT; step++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
        }
    }
    return x;
}

static inline double float_work(int64_t amount, const uint32_t *data, size_t words) {
    (void)data, (void)words;
    double x = 0.5;
    for (int64_t unit = 0; unit < amount; unit++) {
        for (int step = 0; step < STEPS_PER_UNIT; step++) x = 3.7 * x * (1 - x);
    }
    return x;
}

static inline double cache_work(int64_t amount, const uint32_t *data, size_t words) {
    const uint32_t mask = (uint32_t)words - 1;
    uint32_t at = 0, sum = 0;
    for (int64_t unit = 0; unit < amount; unit++) {
        for (int step = 0; step < STEPS_PER_UNIT; step++) {
            sum += data[at] ^ (uint32_t)unit;
            at = (at + CACHE_STRIDE) & mask;
        }
    }
    return sum;
}

static inline uint32_t memory_walk(int64_t amount, const uint32_t *next, uint32_t at) {
    for (int64_t unit = 0; unit < amount; unit++) {
        for (int step = 0; step < STEPS_PER_UNIT; step++) at = next[at];
    }
    return at;
}

static inline double memory_work(int64_t amount, const uint32_t *next, size_t slots) {
    (void)slots;
    return memory_walk(amount, next, 0);
}

static inline const uint32_t *no_data(size_t words) {
    (void)words;
    static const uint32_t nothing;
    return &nothing;
}

static inline const uint32_t *cache_data(size_t words) {
    uint32_t *data = (uint32_t *)malloc(words * sizeof *data);
    if (data == NULL) return NULL;
    for (uint32_t i = 0; i < words; i++) data[i] = i * 2654435761u;
    return data;
}

static inline const uint32_t *memory_data(size_t slots) {
    const size_t page = 2u << 20, bytes = (slots * sizeof(uint32_t) + page - 1) / page * page;
    uint32_t *next = (uint32_t *)aligned_alloc(page, bytes);
    if (next == NULL) return NULL;
    /* Large pages where the system offers them: loads are to miss the caches, not the table of pages. */
    madvise(next, bytes, MADV_HUGEPAGE);
    for (uint32_t i = 0; i < slots; i++) next[i] = (i * 1664525u + 1013904223u) & (uint32_t)(slots - 1);
    return next;
}

static const workload all_workloads[] = {
    {"integer", 0, no_data, integer_work},
    {"float", 0, no_data, float_work},
    {"cache", CACHE_WORDS, cache_data, cache_work},
    {"memory", MEMORY_SLOTS, memory_data, memory_work},
};

static inline const workload *find_workload(const char *name) {
    for (size_t i = 0; i < sizeof all_workloads / sizeof *all_workloads; i++)
        if (strcmp(all_workloads[i].name, name) == 0) return &all_workloads[i];
    return NULL;
}

#endif
