import { bench, keep, run } from '@deadheat/harness';
import type { WorkloadOrder } from '../workload-command.ts';
import { workloads } from './workloads.ts';

/**
 * Executes a workload in this process according to the workload protocol. An iteration is one invocation, so that both
 * sides of a duet do the amounts that they were given.
 *
 * @returns what the last iteration computed
 */
export async function benchWorkload({ workload, amount, iterations, workingSetBytes }: WorkloadOrder): Promise<number> {
  let result = 0;
  bench(
    workload,
    (work: (amount: number) => number) => {
      result = keep(work(amount));
    },
    { setup: () => workloads[workload].prepare(workingSetBytes), invocations: 1, iterations, warmup: 0 },
  );
  await run();
  return result;
}
