import type { WorkloadName } from '@deadheat/workloads';

/** Whether a workload needs its core alone, neither caches nor memory that others use as well. */
export function isPure(name: WorkloadName): boolean {
  return name === 'integer' || name === 'float';
}
