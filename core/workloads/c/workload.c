/* workload NAME AMOUNT ITERATIONS [KIB]: an artificial workload that takes part in a duet of deadheat; alone it does its
 * iterations one after the other. ITERATIONS 0 = until the runner says stop. Prints the result of the last one. KIB is the
 * working set of cache and memory, a power of two from 4 on, where it is not to be theirs. */
#define _GNU_SOURCE
#include "deadheat.h"
#include "workloads.h"

#include <signal.h>
#include <sys/prctl.h>

struct task {
    const workload *kind;
    const uint32_t *data;
    size_t words;
    int64_t amount;
    double result;
};

static void work(void *arg) {
    struct task *task = (struct task *)arg;
    task->result = task->kind->work(task->amount, task->data, task->words);
}

int main(int argc, char **argv) {
    struct task task = {argc == 4 || argc == 5 ? find_workload(argv[1]) : NULL, NULL, 0, 0, 0};
    if (task.kind != NULL) task.words = argc == 5 ? (size_t)strtoull(argv[4], NULL, 10) << 8 : task.kind->words;
    const int odd = argc == 5 && (task.words < LEAST_WORDS || (task.words & (task.words - 1)) != 0 || task.words >> 30 != 0);
    if (task.kind == NULL || odd || (argc == 5 && task.kind->words == 0)) {
        fprintf(stderr, "usage: workload integer|float AMOUNT ITERATIONS\n"
                        "       workload cache|memory AMOUNT ITERATIONS [KIB]\n");
        return 2;
    }
    /* Whoever started this is not to leave it behind. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    task.amount = strtoll(argv[2], NULL, 10);
    task.data = task.kind->prepare(task.words);
    if (task.data == NULL) {
        fprintf(stderr, "workload: out of memory\n");
        return 1;
    }
    dh duet;
    dh_work benchmark;
    memset(&benchmark, 0, sizeof benchmark);
    benchmark.benchmark = task.kind->name;
    benchmark.fn = work;
    benchmark.arg = &task;
    benchmark.iterations = strtoll(argv[3], NULL, 10);
    const int failed = dh_open(&duet) < 0 || dh_run(&duet, &benchmark) < 0;
    if (failed) fprintf(stderr, "%s\n", duet.error);
    dh_close(&duet, failed);
    if (!failed) printf("%.17g\n", task.result);
    return failed;
}
