import { slidingQuantileFilter } from '@deadheat/stats';

/** What is taken away from a run before it is looked at. */
export interface CleaningOptions {
  /** How many values, the first ones, are warm-up; an integer >= 0, default 0. */
  readonly warmup?: number;
  /** Values in the window of the outlier filter, >= 1, default 200; null keeps outliers. */
  readonly window?: number | null;
}

/** A run without warm-up and outliers. */
export interface CleanRun {
  /** What is left, in order of time. */
  readonly values: Float64Array;
  /** Where each of them stood in the run as it was measured, 0-based. */
  readonly indices: Int32Array;
  /** Values taken away as warm-up. */
  readonly warmup: number;
  /** Where the outliers stood in the run as it was measured, ascending. */
  readonly outliers: Int32Array;
}

/**
 * Takes warm-up and outliers away from one run. An outlier lies further than 10 % of the inter-quantile range beyond the 5 % or
 * 95 % quantile of its window (`slidingQuantileFilter`).
 *
 * @param series a value an iteration, finite, in any one unit.
 * @returns maybe no value, when everything was warm-up.
 * @throws RangeError for values that are not finite, a negative or broken warm-up, a window below 1.
 * Source: Antoch et al., OOPSLA'26, section 5, "Removing warm up data" and "Removing outliers". The paper leaves the window open;
 * 200 is that of the steady-state studies. O(n window).
 */
export const cleanRun = (series: ArrayLike<number>, options: CleaningOptions = {}): CleanRun => {
  const { warmup = 0, window = 200 } = options;
  if (!(Number.isSafeInteger(warmup) && warmup >= 0)) {
    throw new RangeError(`warmup must be an integer >= 0, got ${warmup}`);
  }
  const warm = Float64Array.from(series).subarray(Math.min(warmup, series.length));
  const outliers = window === null ? [] : slidingQuantileFilter(warm, { window });
  const dropped = new Set(outliers);
  const values = new Float64Array(warm.length - outliers.length);
  const indices = new Int32Array(values.length);
  const first = series.length - warm.length;
  let kept = 0;
  warm.forEach((value, i) => {
    if (dropped.has(i)) return;
    values[kept] = value;
    indices[kept++] = first + i;
  });
  return { values, indices, warmup: first, outliers: Int32Array.from(outliers, (i) => first + i) };
};
