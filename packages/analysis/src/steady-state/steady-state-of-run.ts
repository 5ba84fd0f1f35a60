import { slidingRangeFilter } from '@deadheat/stats';
import { findSegments } from '../segments/find-segments.ts';
import type { FindSegmentsOptions } from '../segments/find-segments.ts';
import { classifyRun } from './classify-run.ts';
import type { ClassifyRunOptions } from './classify-run.ts';
import type { ClassifiedRun } from './run-class.ts';

/** How a run is cleaned and cut before it is classified. */
export interface SteadyStateOptions extends ClassifyRunOptions, FindSegmentsOptions {
  /** Values in the window of the outlier filter, default 200; null keeps outliers. */
  readonly outlierWindow?: number | null;
  /** Index of the first value that may be an outlier, default 0: the steady-state study spares the first 20 s of a run. */
  readonly skip?: number;
}

/** One run with its change points, classified. */
export interface SteadyStateOfRun extends ClassifiedRun {
  /** 0-based index, in the run as it was measured, of the last value of every segment but the final one. */
  readonly changepoints: Int32Array;
  /** What one change point costs; at a knee the segmentation with more change points costs the same as the one taken (`findSegments`). */
  readonly penalty: number;
  /** Indices of what was left out of the search for changes. */
  readonly outliers: Int32Array;
}

/**
 * From the times of a whole run to its class: outliers are left out of the search for changes (`slidingRangeFilter`), PELT finds the
 * segments (`findSegments`), and `classifyRun` compares them, outliers included.
 *
 * @throws RangeError as the three.
 * Source: Traini et al., EMSE 28:13 (2022); its replication package works in seconds and counts equal values as a variance of 1e-11;
 * the bound at the resolution of the times, which is the default here, comes nearer to its published change points than that rule alone.
 */
export const steadyStateOfRun = (series: ArrayLike<number>, options: SteadyStateOptions): SteadyStateOfRun => {
  const { outlierWindow = 200, skip = 0 } = options;
  const outliers = outlierWindow === null ? [] : slidingRangeFilter(series, { window: outlierWindow, skip });
  const dropped = new Set(outliers);
  const indices = Int32Array.from({ length: series.length }, (_, i) => i).filter((i) => !dropped.has(i));
  const found = findSegments(
    Float64Array.from(indices, (i) => series[i]!),
    options,
  );
  const changepoints = found.changepoints.map((place) => indices[place]!);
  return {
    ...classifyRun(series, changepoints, options),
    changepoints,
    penalty: found.penalty,
    outliers: Int32Array.from(outliers),
  };
};
