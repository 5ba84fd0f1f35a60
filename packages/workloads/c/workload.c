/* workload NAME AMOUNT ITERATIONS: an artificial workload that takes part in a duet of deadheat; alone it does its
 * iterations one after the other. ITERATIONS 0 = until the runner says stop. Prints the result of the last one. */
#define _GNU_SOURCE
#include "deadheat.h"
#include "workloads.h"

#include <signal.h>
#include <sys/prctl.h>

struct task {
    const workload *kind;
    const uint32_t *data;
    int64_t amount;
    double result;
};

static void work(void *arg) {
    struct task *task = (struct task *)arg;
    task->result = task->kind->work(task->amount, task->data);
}

int main(int argc, char **argv) {
    struct task task = {argc == 4 ? find_workload(argv[1]) : NULL, NULL, 0, 0};
    if (task.kind == NULL) {
        fprintf(stderr, "usage: workload integer|float|cache|memory AMOUNT ITERATIONS\n");
        return 2;
    }
    /* Whoever started this is not to leave it behind. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    task.amount = strtoll(argv[2], NULL, 10);
    task.data = task.kind->prepare();
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
