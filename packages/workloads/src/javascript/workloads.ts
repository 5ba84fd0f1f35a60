import { cacheWork, createCacheData } from './cache-work.ts';
import { floatWork } from './float-work.ts';
import { integerWork } from './integer-work.ts';
import { createMemoryData, memoryWork } from './memory-work.ts';

export const workloadNames = ['integer', 'float', 'cache', 'memory'] as const;
export type WorkloadName = (typeof workloadNames)[number];

/** Work of a known amount; the same steps with the same result in JavaScript and in C. */
export interface Workload {
  /** What one step is, for people. */
  readonly step: string;
  /** What keeps it busy, for people. */
  readonly uses: string;
  /** Makes ready what the work needs, outside the time measured, in a working set of so many bytes where it has one; gives the work. */
  readonly prepare: (workingSetBytes?: number) => (amount: number) => number;
}

/** The four artificial workloads of Bulej et al., ICPE'20, section 4.4. */
export const workloads: Readonly<Record<WorkloadName, Workload>> = {
  integer: {
    step: '3 shifts and 3 exclusive ors of an integer',
    uses: 'registers',
    prepare: () => integerWork,
  },
  float: {
    step: '2 multiplications and a subtraction of float64',
    uses: 'registers',
    prepare: () => floatWork,
  },
  cache: {
    step: 'a load from the next cache line of 4 MiB',
    uses: 'last level cache',
    prepare: (workingSetBytes) => {
      const data = createCacheData(workingSetBytes);
      return (amount) => cacheWork(amount, data);
    },
  },
  memory: {
    step: 'a load from a random place in 64 MiB',
    uses: 'memory',
    prepare: (workingSetBytes) => {
      const next = createMemoryData(workingSetBytes);
      return (amount) => memoryWork(amount, next);
    },
  },
};
