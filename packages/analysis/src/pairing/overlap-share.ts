import { overlapTimes } from './overlapping-rows.ts';
import type { PairedRows, SpanColumns } from './overlapping-rows.ts';

/** One run of both sides, and which of its iterations are pairs. */
export interface PairedSpans {
  readonly A: SpanColumns;
  readonly B: SpanColumns;
  readonly pairs: PairedRows;
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

const timeOf = ({ startsNs, endsNs }: SpanColumns): number => {
  let sum = 0;
  for (let row = 0; row < startsNs.length; row++) sum += endsNs[row]! - startsNs[row]!;
  return sum;
};

/** The share of all iteration time that was spent in the pairs, as `relativeOverlapTime` has it. */
export const overlapShare = (runs: readonly PairedSpans[]): number => {
  let both = 0;
  let all = 0;
  for (const { A, B, pairs } of runs) {
    both += 2 * total(overlapTimes(A, B, pairs));
    all += timeOf(A) + timeOf(B);
  }
  return all > 0 ? both / all : 0;
};
