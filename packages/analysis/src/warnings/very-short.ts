import type { Method, Side, Warning } from '@deadheat/model';

const SHORT_NS = 1_000_000;

/** VERY_SHORT: commands of less than 1 ms are mostly process start. Iterations of a harness start nothing and may be short. */
export const veryShort = (facts: {
  readonly medianNs: Readonly<Record<Side, number>>;
  readonly method: Method;
  readonly iterationsPerRun: number;
}): Warning[] => {
  const shortest = Math.min(facts.medianNs.A, facts.medianNs.B);
  const startsProcesses = facts.iterationsPerRun === 1 || facts.method === 'async-duet';
  if (shortest >= SHORT_NS || !startsProcesses) return [];
  return [
    {
      code: 'VERY_SHORT',
      message:
        `an execution takes ${(shortest / 1e6).toFixed(3)} ms, most of it the start of the process; ` +
        'repeat the work inside one execution, or time it inside the program with a harness',
    },
  ];
};
