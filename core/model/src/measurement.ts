import type { Benchmark } from './config.ts';
import type { Method } from './methods.ts';
import type { TimeMetric } from './metrics.ts';
import type { Noise, Trial } from './recording.ts';
import type { ComparisonSegments } from './segment-report.ts';
import type { Params, Side } from './vocabulary.ts';
import type { Workload } from './workloads.ts';

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
  /** The rows say themselves which of them are warm-up. */
  readonly hasPhases: boolean;
  /** True for a row that is marked as warm-up. */
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

/** Iterations of one side of one run in the metric that decides, in the order in which they were made. */
export interface SidePoints {
  /** Time of each measured iteration, ns an invocation; as it was measured, outliers are not moved. */
  readonly timesNs: Float64Array;
  /** The same of the iterations that were left out as warm-up. */
  readonly warmupNs: Float64Array;
  /** When each measured iteration started and ended, ns; on one clock for both sides. */
  readonly startsNs: Float64Array;
  readonly endsNs: Float64Array;
  readonly cpu: number;
  /** Involuntary context switches of its process; `null` = not known. */
  readonly involuntarySwitches: number | null;
}

/** One run that counts, as it is drawn. */
export interface RunPoints {
  readonly run: number;
  /** Which side was started first. */
  readonly order: 'AB' | 'BA';
  readonly wallNs: number;
  readonly noise: Noise;
  readonly sides: Readonly<Record<Side, SidePoints>>;
  /** Pair k is row `a[k]` of A and row `b[k]` of B; empty for `sequential`. */
  readonly pairs: { readonly a: Int32Array; readonly b: Int32Array };
}

/** A run that did not count. */
interface FailedRun {
  readonly run: number;
  readonly reasons: readonly string[];
}

/** The measured points of one benchmark, for the figures of a report. */
export interface BenchmarkPoints {
  readonly benchmark: string;
  readonly params: Params;
  /** By which the runs were made. */
  readonly method: Method;
  readonly metric: TimeMetric;
  readonly workload: Workload;
  /** In the order of their numbers; one in `each`. */
  readonly runs: readonly RunPoints[];
  /** 1 unless there are very many runs. */
  readonly each: number;
  readonly failed: readonly FailedRun[];
  /** `null` where they were not looked for. */
  readonly segments: ComparisonSegments | null;
}
