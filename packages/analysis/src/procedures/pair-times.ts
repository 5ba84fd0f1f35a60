import type { PairedRun } from './paired-run.ts';

/**
 * Pairs the times of one run by their places, the first of A with the first of B; what one side has more stays without a
 * partner.
 *
 * Source: Drozdik 2023, section 4.3.2, for sequential runs and synchronous duets.
 */
export const pairTimes = (run: Pick<PairedRun, 'A' | 'B'>): PairedRun => ({
  A: run.A,
  B: run.B,
  pairs: Array.from({ length: Math.min(run.A.length, run.B.length) }, (_, place) => ({ a: place, b: place })),
});
