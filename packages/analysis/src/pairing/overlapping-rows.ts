import { AnalysisError } from '../analysis-error.ts';

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
    const start = startsNs[row]!;
    const end = endsNs[row]!;
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
    const start = a.startsNs[i]!;
    const end = a.endsNs[i]!;
    while (first < rowsB && b.endsNs[first]! <= start) first++;
    for (let k = first; k < rowsB && b.startsNs[k]! < end; k++) {
      const startB = b.startsNs[k]!;
      const endB = b.endsNs[k]!;
      const time = Math.min(end, endB) - Math.max(start, startB);
      if (!(time > 0) || !(Math.min(time / (end - start), time / (endB - startB)) > minimumRate)) continue;
      found.a[length] = i;
      found.b[length++] = k;
    }
  }
  return { length, a: found.a.slice(0, length), b: found.b.slice(0, length) };
};

/** For how long the rows of every pair ran at the same time, in the unit of the spans. */
export const overlapTimes = (a: SpanColumns, b: SpanColumns, pairs: PairedRows): Float64Array => {
  const times = new Float64Array(pairs.length);
  for (let k = 0; k < times.length; k++) {
    const i = pairs.a[k]!;
    const j = pairs.b[k]!;
    times[k] = Math.min(a.endsNs[i]!, b.endsNs[j]!) - Math.max(a.startsNs[i]!, b.startsNs[j]!);
  }
  return times;
};
