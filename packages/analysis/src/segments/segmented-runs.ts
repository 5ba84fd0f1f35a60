import type { Warning } from '@deadheat/model';
import type { FlatSample, VarianceComponents } from '@deadheat/stats';
import type { CleanRun } from './clean-run.ts';
import type { FoundSegments } from './find-segments.ts';
import type { TrendOfRuns } from './trend-of-runs.ts';

/** A stretch of steady performance. */
export interface Segment {
  /** Index of its first value in the run as it was measured. */
  readonly first: number;
  /** Index of its last value there; outliers may lie between. */
  readonly last: number;
  /** Values in it, without outliers. */
  readonly count: number;
  readonly mean: number;
  /** Sample standard deviation; null for a single value. */
  readonly standardDeviation: number | null;
}

/** One run in its segments. */
export interface SegmentedRun extends CleanRun {
  readonly segments: readonly Segment[];
  readonly penalty: number;
  readonly chosenBy: FoundSegments['chosenBy'];
}

/** All runs in their segments, and what that says about where the spread comes from. */
export interface SegmentedRuns {
  readonly runs: readonly SegmentedRun[];
  /** The cleaned values as runs of segments of measurements. */
  readonly sample: FlatSample;
  /** Equations 2, 3, 5, 6 and 7. */
  readonly components: VarianceComponents;
  /** Null with one run, or where it was not asked for. */
  readonly trend: TrendOfRuns | null;
  /** In the order of: trend, one run, few measurements, all equal, change at an end. */
  readonly warnings: readonly Warning[];
}
