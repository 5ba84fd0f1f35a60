import type { Noise } from './recording.ts';
import type { ComparisonSegments } from './segment-report.ts';
import type { Method } from './methods.ts';
import type { TimeMetric } from './metrics.ts';
import type { Params, Side } from './vocabulary.ts';
import type { Workload } from './workloads.ts';

/** Iterations of one side of one run in the metric that decides, in the order in which they were made. */
export interface SidePoints {
  /** What each measured iteration took, ns an invocation; as it was measured, outliers are not moved. */
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
export interface FailedRun {
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
  /** In the order of their numbers. */
  readonly runs: readonly RunPoints[];
  readonly failed: readonly FailedRun[];
  /** `null` where they were not looked for. */
  readonly segments: ComparisonSegments | null;
}
