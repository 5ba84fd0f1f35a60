import { AnalysisError } from '../analysis-error.ts';
import { at } from '../internal/at.ts';

/** When the iterations of one side ran, row by row, on one clock in any one unit. */
export interface SpanColumns {
  readonly startsNs: Float64Array;
  readonly endsNs: Float64Array;
}

/** Rows of A and of B that belong together: pair k is row `a[k]` of A and row `b[k]` of B. Neither column ever falls. */
export interface PairedRows {
  readonly length: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

const checkOrder = (side: 'A' | 'B', { startsNs, endsNs }: SpanColumns): void => {
  let before = -Infinity;
  for (let row = 0; row < startsNs.length; row++) {
    const start = at(startsNs, row);
    const end = at(endsNs, row);
    if (end < start || start < before) {
      throw new AnalysisError(
        'ITERATIONS_OUT_OF_ORDER',
        `iteration ${row} of side ${side} begins before the one in front of it ended, or ends before it began; ` +
          'pairing by overlap needs iterations that follow each other, so record one thread of work a side',
      );
    }
    before = end;
  }
};

/**
 * The rows of both sides that overlap by more than a rate: what `overlaps` finds, in columns.
 *
 * @throws AnalysisError as `overlaps`. O(rows of A + rows of B): two sides of spans that follow each other have fewer
 *   overlaps than spans.
 */
export const overlappingRows = (a: SpanColumns, b: SpanColumns, minimumRate: number): PairedRows => {
  checkOrder('A', a);
  checkOrder('B', b);
  const [rowsA, rowsB] = [a.startsNs.length, b.startsNs.length];
  const found = { a: new Int32Array(rowsA + rowsB), b: new Int32Array(rowsA + rowsB) };
  let length = 0;
  let first = 0;
  for (let i = 0; i < rowsA; i++) {
    const start = at(a.startsNs, i);
    const end = at(a.endsNs, i);
    while (first < rowsB && at(b.endsNs, first) <= start) first++;
    for (let k = first; k < rowsB && at(b.startsNs, k) < end; k++) {
      const [startB, endB] = [at(b.startsNs, k), at(b.endsNs, k)];
      const time = Math.min(end, endB) - Math.max(start, startB);
      if (!(time > 0) || !(Math.min(time / (end - start), time / (endB - startB)) > minimumRate)) continue;
      found.a[length] = i;
      found.b[length++] = k;
    }
  }
  return { length, a: found.a.slice(0, length), b: found.b.slice(0, length) };
};

/** For how long the rows of a pair ran at the same time, in the unit of the spans. */
export const overlapOfPair = (
  sides: { readonly A: SpanColumns; readonly B: SpanColumns },
  rows: readonly [number, number],
): number => {
  const [a, b] = rows;
  const { A, B } = sides;
  return Math.min(at(A.endsNs, a), at(B.endsNs, b)) - Math.max(at(A.startsNs, a), at(B.startsNs, b));
};
