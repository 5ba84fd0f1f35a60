import type { PairedRun } from './paired-run.ts';

/** The run with B called A and A called B. */
export const swapSides = (run: PairedRun): PairedRun => ({
  A: run.B,
  B: run.A,
  pairs: run.pairs.map(({ a, b }) => ({ a: b, b: a })),
});
