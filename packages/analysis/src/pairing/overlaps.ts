import { AnalysisError } from '../analysis-error.ts';
import { at } from '../internal/at.ts';
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

const checkOrder = (side: 'A' | 'B', spans: readonly TimeSpan[]): void => {
  for (let i = 0; i < spans.length; i++) {
    const span = at(spans, i);
    const before = spans[i - 1];
    if (span.e < span.s || (before !== undefined && span.s < before.e)) {
      throw new AnalysisError(
        'ITERATIONS_OUT_OF_ORDER',
        `iteration ${i} of side ${side} begins before the one in front of it ended, or ends before it began; ` +
          'pairing by overlap needs iterations that follow each other, so record one thread of work a side',
      );
    }
  }
};

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
  const minimumRate = options.minimumRate ?? 0;
  checkOrder('A', a);
  checkOrder('B', b);
  const found: Overlap[] = [];
  let first = 0;
  for (const [i, left] of a.entries()) {
    while (first < b.length && at(b, first).e <= left.s) first++;
    for (let k = first; k < b.length && at(b, k).s < left.e; k++) {
      const right = at(b, k);
      const time = Math.min(left.e, right.e) - Math.max(left.s, right.s);
      if (!(time > 0)) continue;
      const rateA = time / (left.e - left.s);
      const rateB = time / (right.e - right.s);
      const rate = Math.min(rateA, rateB);
      if (rate > minimumRate) found.push({ a: i, b: k, time, rateA, rateB, rate });
    }
  }
  return found;
};
