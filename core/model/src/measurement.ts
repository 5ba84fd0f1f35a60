import type { Benchmark } from './config.ts';
import type { Trial } from './recording.ts';
import type { Side } from './vocabulary.ts';

/** Times of invocations that are known as a histogram: `counts[i]` of them took `values[i]`. */
export interface InvocationCounts {
  readonly values: ArrayLike<number>;
  /** Whole numbers above 0. */
  readonly counts: ArrayLike<number>;
}

/** Iterations of one benchmark on one side of one run, in columns: row by row in the order of index and time. */
export interface IterationColumns {
  readonly length: number;
  /** Index of each iteration, growing. */
  readonly indices: Float64Array;
  /** Start and end of each iteration, ns. */
  readonly startsNs: Float64Array;
  readonly endsNs: Float64Array;
  /** Values of a numeric key of the record (`n`, `c`, `q`, `v`, others), NaN where a row has none; `null` = no row has. */
  metric(key: string): Float64Array | null;
  /** Times of single invocations in a row, ns; `null` = the row has none. Absent when no row has any. */
  invocationTimes?(row: number): readonly number[] | null;
  /** Times of a row's invocations, ns, and how many took each; `null` = the row has none. Absent when no row has any. */
  histogram?(row: number): InvocationCounts | null;
  /** Whether the rows say themselves which of them are warm-up. */
  readonly hasPhases: boolean;
  /** Whether a row is marked as warm-up. */
  isWarmup(row: number): boolean;
}

/** One run of one benchmark as it was measured. */
export interface MeasuredRun {
  readonly trial: Trial;
  readonly iterations: Readonly<Record<Side, IterationColumns>>;
}

/** The measurements of one comparison. A program with several benchmarks gives one for each. */
export interface MeasuredBenchmark {
  /** Name and parameters are the reported ones. */
  readonly benchmark: Benchmark;
  /** Every run, also failed ones and warm-up runs; a failed run has no iterations. */
  readonly runs: readonly MeasuredRun[];
}
