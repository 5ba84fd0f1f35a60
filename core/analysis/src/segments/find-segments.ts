import { kneePenalty, pelt, penaltyPath, slidingQuantileFilter } from '@deadheat/stats';

/** Kind and cost of a change. */
export interface FindSegmentsOptions {
  /** `knee` (default): where more change points stop to pay; or a penalty of one's own, a number >= 0 or a name. */
  readonly penalty?: 'knee' | NonNullable<Parameters<typeof pelt>[1]>['penalty'];
  /** Least number of values in a segment, >= 2, default 2. */
  readonly minSegmentLength?: number;
  /** The variance that a segment of equal values counts as, in the unit squared: see `pelt`. */
  readonly zeroVariance?: number;
}

/** Where the level or the spread of a series changes. */
export interface FoundSegments {
  /** 0-based index of the last value of every segment but the final one, ascending. */
  readonly changepoints: Int32Array;
  /** The penalty that they belong to, without unit (twice a log-likelihood). */
  readonly penalty: number;
  /**
   * `knee`: the elbow of the curve of penalty against number of change points; `no-knee`: the curve has none, so 15 ln n stands in;
   * `only`: every penalty looked at gives the same segments; `given`: asked for; `short`: too few or only equal values to look at.
   */
  readonly chosenBy: 'knee' | 'no-knee' | 'only' | 'given' | 'short';
  /** The change points, more of them, that cost the same at a knee; absent = the penalty is none. */
  readonly tied?: Int32Array;
}

/**
 * The change points of one series in mean or variance by PELT, with the penalty at the knee of all penalties between 4 ln n and
 * 100 000 ln n, or a given one.
 *
 * At a knee two segmentations cost the same; the one with fewer change points is taken.
 *
 * @param series finite, in order of time, any unit, outliers removed. Fewer than twice `minSegmentLength` values, or equal ones, have
 *   no change point.
 * @throws RangeError for values that are not finite and options that are out of range.
 * Source: Antoch et al., OOPSLA'26, sections 5 and 7; the range of penalties and what is done without a knee are those of
 * Traini et al., EMSE 28:13 (2022). One run of PELT for each step of the curve, at most twice their number plus two.
 */
export function findSegments(series: ArrayLike<number>, options: FindSegmentsOptions = {}): FoundSegments {
  const { penalty = 'knee', minSegmentLength = 2, zeroVariance } = options;
  const rules = { minSegmentLength, ...(zeroVariance === undefined ? {} : { zeroVariance }) };
  if (series.length < 2 * minSegmentLength || Array.from(series).every((value) => value === series[0])) {
    return { changepoints: new Int32Array(0), penalty: 0, chosenBy: 'short' };
  }
  if (penalty !== 'knee') {
    const found = pelt(series, { ...rules, penalty });
    return { changepoints: found.changepoints, penalty: found.penalty, chosenBy: 'given' };
  }
  const path = penaltyPath(series, rules);
  if (path.length === 1) {
    const [only] = path;
    return { changepoints: only!.changepoints, penalty: only!.penalty, chosenBy: 'only' };
  }
  const knee = kneePenalty(
    path.map((step) => step.penalty),
    path.map((step) => step.changepoints.length),
  );
  if (knee !== null) {
    const tied = path[knee.index - 1]?.changepoints;
    return {
      changepoints: path[knee.index]!.changepoints,
      penalty: knee.penalty,
      chosenBy: 'knee',
      ...(tied === undefined ? {} : { tied }),
    };
  }
  const stand = 15 * Math.log(series.length);
  const reigning = path.findLast((step) => step.penalty <= stand) ?? path[0]!;
  return { changepoints: reigning.changepoints, penalty: stand, chosenBy: 'no-knee' };
}

/** Values removed from a run before its analysis. */
export interface CleaningOptions {
  /** Number of first values that are warm-up; an integer >= 0, default 0. */
  readonly warmup?: number;
  /** Values in the window of the outlier filter, >= 1, default 200; null keeps outliers. */
  readonly window?: number | null;
}

/** A run without warm-up and outliers. */
export interface CleanRun {
  /** The rest, in order of time. */
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
export function cleanRun(series: ArrayLike<number>, options: CleaningOptions = {}): CleanRun {
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
}
