import { methodFacts, type Method } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';

/** When something ran: start and end on one clock, the end never before the start. An iteration of a recording is one. */
export interface TimeSpan {
  readonly s: number;
  readonly e: number;
}

/** Two iterations, one of each side, that ran at the same time for a while. */
interface Overlap {
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
export function overlaps(
  a: readonly TimeSpan[],
  b: readonly TimeSpan[],
  options: { readonly minimumRate?: number } = {},
): Overlap[] {
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
}

/**
 * The share of all iteration time that was spent in pairs: twice the overlapping time over the summed time of both sides,
 * over all runs; in [0, 1], and 0 when nothing ran.
 *
 * @param runs both sides' iterations of every run.
 * @param options.minimumRate only pairs with a higher overlap rate count; default 0.
 * @throws AnalysisError as `overlaps`.
 * Source: Drozdik 2023, equation 5.2.
 */
export function relativeOverlapTime(
  runs: readonly { readonly A: readonly TimeSpan[]; readonly B: readonly TimeSpan[] }[],
  options: { readonly minimumRate?: number } = {},
): number {
  return overlapShare(
    runs.map((run) => {
      const [A, B] = [spanColumnsOf(run.A), spanColumnsOf(run.B)];
      return { A, B, pairs: overlappingRows(A, B, options.minimumRate ?? 0) };
    }),
  );
}

/** One run of both sides, and which of its iterations are pairs. */
export interface PairedSpans {
  readonly A: SpanColumns;
  readonly B: SpanColumns;
  readonly pairs: PairedRows;
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function timeOf({ startsNs, endsNs }: SpanColumns): number {
  let sum = 0;
  for (let row = 0; row < startsNs.length; row++) sum += endsNs[row]! - startsNs[row]!;
  return sum;
}

/** The share of all iteration time that was spent in the pairs, as `relativeOverlapTime` has it. */
export function overlapShare(runs: readonly PairedSpans[]): number {
  let both = 0;
  let all = 0;
  for (const { A, B, pairs } of runs) {
    both += 2 * total(overlapTimes(A, B, pairs));
    all += timeOf(A) + timeOf(B);
  }
  return all > 0 ? both / all : 0;
}

/**
 * Smallest share of the iteration time in pairs that carries a verdict. Below it the pairs are the last iterations of one side and the first
 * of the other, so that whatever changes within a program looks like a difference between the programs: where the measured
 * iterations still become 10 % faster, the ratio of equal programs is off by 0.2 % at a share of 0.8 and by 5 % and more below 0.5
 * (core/analysis/test/low-overlap.test.ts). The thesis found shares of 0.6 to 0.8 (Drozdik 2023, section 5.2.2).
 */
export const leastOverlap = 0.5;

/**
 * A larger share of runs without a pair, and more than one run, is no accident: one side takes far longer in some of its runs, and without them looks
 * faster than it is. Three times the time in one run of a hundred is 2 % of the total.
 */
const mostLeftOut = 0.01;

/** Runs of an `async-duet` that both sides ran in and that have no pair. */
export function runsLeftOut(measured: readonly PairedSpans[]): number {
  return measured.filter(({ A, B, pairs }) => A.startsNs.length > 0 && B.startsNs.length > 0 && pairs.length === 0)
    .length;
}

/** True if the sides of an `async-duet` ran beside each other for too little of the time for a verdict, or in too few of the runs. */
export function isHardlyOverlapping({
  method,
  measured,
}: {
  readonly method: Method;
  readonly measured: readonly PairedSpans[];
}): boolean {
  if (methodFacts[method].pairs !== 'overlapping') return false;
  return overlapShare(measured) < leastOverlap || runsLeftOut(measured) > Math.max(1, mostLeftOut * measured.length);
}

/** When the iterations of one side ran, row by row, on one clock in any one unit. */
interface SpanColumns {
  readonly startsNs: Float64Array;
  readonly endsNs: Float64Array;
}

/** Rows of A and of B that belong together: pair k is row `a[k]` of A and row `b[k]` of B. Neither column ever falls. */
export interface PairedRows {
  readonly length: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

function checkOrder(side: 'A' | 'B', { startsNs, endsNs }: SpanColumns): void {
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
}

/**
 * The rows of both sides that overlap by more than a rate: what `overlaps` finds, in columns.
 *
 * @throws AnalysisError as `overlaps`. O(rows of A + rows of B): two sides of spans that follow each other have fewer
 *   overlaps than spans.
 */
export function overlappingRows(a: SpanColumns, b: SpanColumns, minimumRate: number): PairedRows {
  checkOrder('A', a);
  checkOrder('B', b);
  const { startsNs: startsA, endsNs: endsA } = a;
  const { startsNs: startsB, endsNs: endsB } = b;
  const [rowsA, rowsB] = [startsA.length, startsB.length];
  const found = { a: new Int32Array(rowsA + rowsB), b: new Int32Array(rowsA + rowsB) };
  let length = 0;
  let first = 0;
  for (let i = 0; i < rowsA; i++) {
    const start = startsA[i]!;
    const end = endsA[i]!;
    while (first < rowsB && endsB[first]! <= start) first++;
    for (let k = first; k < rowsB && startsB[k]! < end; k++) {
      const startB = startsB[k]!;
      const endB = endsB[k]!;
      const time = Math.min(end, endB) - Math.max(start, startB);
      if (!(time > 0) || !(Math.min(time / (end - start), time / (endB - startB)) > minimumRate)) continue;
      found.a[length] = i;
      found.b[length++] = k;
    }
  }
  return { length, a: found.a.slice(0, length), b: found.b.slice(0, length) };
}

/** For how long the rows of every pair ran at the same time, in the unit of the spans. */
export function overlapTimes(a: SpanColumns, b: SpanColumns, pairs: PairedRows): Float64Array {
  const { startsNs: startsA, endsNs: endsA } = a;
  const { startsNs: startsB, endsNs: endsB } = b;
  const times = new Float64Array(pairs.length);
  for (let k = 0; k < times.length; k++) {
    const i = pairs.a[k]!;
    const j = pairs.b[k]!;
    times[k] = Math.min(endsA[i]!, endsB[j]!) - Math.max(startsA[i]!, startsB[j]!);
  }
  return times;
}

/** Spans in columns. */
function spanColumnsOf(spans: readonly TimeSpan[]): SpanColumns {
  const startsNs = new Float64Array(spans.length);
  const endsNs = new Float64Array(spans.length);
  for (const [row, { s, e }] of spans.entries()) {
    startsNs[row] = s;
    endsNs[row] = e;
  }
  return { startsNs, endsNs };
}
