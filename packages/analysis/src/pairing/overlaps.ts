import { overlappingRows, overlapTimes } from './overlapping-rows.ts';
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
  const [columnsA, columnsB] = [spanColumnsOf(a), spanColumnsOf(b)];
  const rows = overlappingRows(columnsA, columnsB, options.minimumRate ?? 0);
  const times = overlapTimes(columnsA, columnsB, rows);
  const found: Overlap[] = [];
  for (let k = 0; k < rows.length; k++) {
    const i = rows.a[k]!;
    const j = rows.b[k]!;
    const time = times[k]!;
    const rateA = time / (columnsA.endsNs[i]! - columnsA.startsNs[i]!);
    const rateB = time / (columnsB.endsNs[j]! - columnsB.startsNs[j]!);
    found.push({ a: i, b: j, time, rateA, rateB, rate: Math.min(rateA, rateB) });
  }
  return found;
};
