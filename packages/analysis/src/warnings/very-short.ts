import type { Warning, Workload } from '@deadheat/model';
import type { MetricFacts } from '../metric/metric-facts.ts';

const SHORT_NS = 1_000_000;

/** VERY_SHORT: commands of less than 1 ms are mostly process start. Iterations inside a program start nothing and may be short. */
export const veryShort = (
  facts: Pick<MetricFacts, 'medianNs' | 'medianCpuNs' | 'isTandem'> & { readonly workload: Workload },
): Warning[] => {
  // The wall time of a side in a tandem is that of both.
  const { A, B } = facts.isTandem ? (facts.medianCpuNs ?? facts.medianNs) : facts.medianNs;
  const shortest = Math.min(A, B);
  if (shortest >= SHORT_NS || facts.workload !== 'command') return [];
  return [
    {
      code: 'VERY_SHORT',
      message:
        `an execution takes ${(shortest / 1e6).toFixed(3)} ms, most of it the start of the process; ` +
        'repeat the work inside one execution, or time it inside the program with a harness',
    },
  ];
};
