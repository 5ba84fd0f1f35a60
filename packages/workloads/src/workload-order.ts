import type { WorkloadName } from './javascript/workloads.ts';

/** What a workload is to do. */
export interface WorkloadOrder {
  readonly workload: WorkloadName;
  /** Units of work an iteration, from 0 to 2^31 - 1. */
  readonly amount: number;
  /** Iterations where the runner does not say how many; at least 1. */
  readonly iterations: number;
  /** Bytes that `cache` or `memory` walks over, a power of two from 4096 to 2^31; absent = its own. */
  readonly workingSetBytes?: number;
}
