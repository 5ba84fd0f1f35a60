/*
 * Sorts the same random integers again and again.
 *
 *     cc -O2 -I.. -o sort sort.c && DEADHEAT_RECORD=sort.jsonl ./sort 50
 *
 * Arguments: iterations unless DEADHEAT_ITERATIONS says (default 20; 0 = until the runner says stop),
 * integers (default 20000).
 */
#include "deadheat.h"

struct data {
    size_t length;
    uint32_t *source, *sorted;
};

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort(void *arg) {
    struct data *data = (struct data *)arg;
    memcpy(data->sorted, data->source, data->length * sizeof *data->source);
    qsort(data->sorted, data->length, sizeof *data->sorted, compare);
}

int main(int argc, char **argv) {
    struct data data;
    data.length = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000;
    data.source = (uint32_t *)malloc(data.length * sizeof *data.source);
    data.sorted = (uint32_t *)malloc(data.length * sizeof *data.sorted);
    if (data.source == NULL || data.sorted == NULL) return 1;
    uint32_t random = 1;
    for (size_t i = 0; i < data.length; i++) data.source[i] = random = random * 1664525u + 1013904223u;

    char params[64];
    snprintf(params, sizeof params, "{\"length\":\"%zu\"}", data.length);
    dh_work work;
    memset(&work, 0, sizeof work);
    work.benchmark = "sort";
    work.params = params;
    work.fn = sort;
    work.arg = &data;
    work.iterations = argc > 1 ? strtoll(argv[1], NULL, 10) : 20;

    dh duet;
    const int failed = dh_open(&duet) < 0 || dh_run(&duet, &work) < 0;
    if (failed) fprintf(stderr, "%s\n", duet.error);
    dh_close(&duet, failed);
    if (!failed && data.length > 0) printf("smallest: %u\n", data.sorted[0]);
    free(data.source);
    free(data.sorted);
    return failed;
}
