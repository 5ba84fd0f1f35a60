import { at } from '../internal/at.ts';
import { overlapOfPair, overlappingRows } from './overlapping-rows.ts';
import { spanColumnsOf } from './span-columns-of.ts';
import type { TimeSpan } from './time-span.ts';

/** Two iterations, one of each side, that ran at the same time for a while. */
export interface Overlap {
  /** Index of A's iteration. */
  readonly a: number;
  /** Index of B's iteration. */
  readonly b: number;
  /** For how long both ran, in the unit of the spans. */
  readonly time: number;
  /** The share of A's iteration that is, in (0, 1]. */
  readonly rateA: number;
  readonly rateB: number;
  /** The smaller of the two shares. */
  readonly rate: number;
}

/**
 * All pairs of iterations of one run of `async-duet` that overlap, each once, in the order of A, then B.
 *
 * @param a A's iterations, one after the other on the same clock as B's.
 * @param b B's iterations.
 * @param options.minimumRate pairs with a rate of at most this are left out (strictly: a pair needs more); default 0.
 *   Spans that only touch do not overlap.
 * @throws AnalysisError `ITERATIONS_OUT_OF_ORDER` when the iterations of a side overlap each other or run backwards.
 *
 * Source: Drozdik 2023, section 3.3.2 and equation 4.1, by the definition over all pairs. O(n + pairs).
 */
export const overlaps = (
  a: readonly TimeSpan[],
  b: readonly TimeSpan[],
  options: { readonly minimumRate?: number } = {},
): Overlap[] => {
  const sides = { A: spanColumnsOf(a), B: spanColumnsOf(b) };
  const rows = overlappingRows(sides.A, sides.B, options.minimumRate ?? 0);
  return Array.from(rows.a, (i, k) => {
    const j = at(rows.b, k);
    const time = overlapOfPair(sides, [i, j]);
    const rateA = time / (at(a, i).e - at(a, i).s);
    const rateB = time / (at(b, j).e - at(b, j).s);
    return { a: i, b: j, time, rateA, rateB, rate: Math.min(rateA, rateB) };
  });
};
