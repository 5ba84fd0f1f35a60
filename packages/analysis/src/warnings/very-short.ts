import type { Side, Warning, Workload } from '@deadheat/model';

const SHORT_NS = 1_000_000;

/** VERY_SHORT: commands of less than 1 ms are mostly process start. Iterations inside a program start nothing and may be short. */
export const veryShort = (facts: {
  readonly medianNs: Readonly<Record<Side, number>>;
  readonly workload: Workload;
}): Warning[] => {
  const shortest = Math.min(facts.medianNs.A, facts.medianNs.B);
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
