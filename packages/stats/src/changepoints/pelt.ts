import { checkInteger, checkNumber } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { namedPenalty } from './named-penalty.ts';
import type { PenaltyName } from './named-penalty.ts';
import { optimalSegmentation } from './optimal-segmentation.ts';
import { SegmentCost } from './segment-cost.ts';
import type { ChangeKind } from './segment-cost.ts';

export type { ChangeKind } from './segment-cost.ts';

/** What `pelt` looks for. */
export interface PeltOptions {
  /** What may change; default 'meanvar'. */
  readonly cost?: ChangeKind;
  /** Cost of one more change point, >= 0, or a name; default 'mbic'. */
  readonly penalty?: number | PenaltyName;
  /** Least number of values in a segment; default 2 (1 for 'mean'), at least 2 where a variance is estimated. */
  readonly minSegmentLength?: number;
  /**
   * The variance, in the unit squared, that a segment of equal values counts as; above 0. Default: no such rule, but a bound on
   * all variances at the series' resolution (the variance of rounding). R's changepoint uses 1e-11 whatever the unit.
   */
  readonly zeroVariance?: number;
  /** Approximate mode: carry at most about so many candidates (>= 64). Default: all, exact. */
  readonly maxCandidates?: number;
}

/** An optimal segmentation. */
export interface Segmentation {
  /** 0-based index of the last value of every segment but the final one, ascending. */
  readonly changepoints: Int32Array;
  /** Sum of the segments' costs, without penalties. */
  readonly cost: number;
  /** `cost` plus the penalty for each change point: what is minimal. */
  readonly penalisedCost: number;
  /** The penalty as a number. */
  readonly penalty: number;
}

/** Refuses options that are out of range and fills in the defaults. */
export const checkSegmentation = (
  series: ArrayLike<number>,
  cost: ChangeKind,
  minSegmentLength: number | undefined,
): number => {
  checkSample('series', series);
  if (cost !== 'meanvar' && cost !== 'mean' && cost !== 'var') {
    throw new RangeError(`cost must be 'meanvar', 'mean' or 'var', got ${String(cost)}`);
  }
  const least = cost === 'mean' ? 1 : 2;
  return checkInteger('minSegmentLength', minSegmentLength ?? least, least);
};

/** Sums the costs of a segmentation. */
export const segmentationCost = (costs: SegmentCost, changepoints: ArrayLike<number>, logLength: boolean): number => {
  let total = 0;
  let from = 0;
  for (let i = 0; i <= changepoints.length; i++) {
    const to = i < changepoints.length ? changepoints[i]! + 1 : costs.length;
    total += costs.cost(from, to) + (logLength ? Math.log(to - from) : 0);
    from = to;
  }
  return total;
};

/**
 * Change points of a series: the segmentation with the smallest sum of segment costs plus `penalty` for each change point.
 *
 * Exact: the same optimum as optimal partitioning over all segmentations whose segments have at least `minSegmentLength`
 * values. Costs are twice the negative log-likelihood of independent normal values: 'meanvar' m (ln 2pi + ln s2 + 1) with the
 * divisor-m variance s2; 'var' the same about the mean of the series; 'mean' the sum of squares about the segment's mean, so
 * divide the series by its noise level first. `penalty: 'mbic'` adds ln m to each segment.
 *
 * A segment of equal values has no variance; see `zeroVariance` for what is done about that.
 *
 * @param series finite numbers in order of time, any unit; at least one. Shorter than 2 minSegmentLength: no change point.
 * @throws RangeError for an empty series, NaN or infinite values, a negative penalty, a segment length that is too small, an
 *   unknown name.
 *
 * Source: R. Killick, P. Fearnhead, I. A. Eckley, "Optimal detection of changepoints with a linear computational cost", JASA 107
 * (2012). Pruning waits for minSegmentLength points, without which the optimum can be lost. About linear with regular changes;
 * without any change about n^1.5 (see `optimalSegmentation`), not n^2. Memory linear: about 60 bytes a value.
 * With `maxCandidates` the result is a segmentation whose cost may be a little above the optimum, in time linear in n.
 */
export const pelt = (series: ArrayLike<number>, options: PeltOptions = {}): Segmentation => {
  const { cost = 'meanvar', penalty: chosen = 'mbic', maxCandidates, zeroVariance } = options;
  if (zeroVariance !== undefined) checkNumber('zeroVariance', zeroVariance, Number.MIN_VALUE);
  const minSegmentLength = checkSegmentation(series, cost, options.minSegmentLength);
  if (maxCandidates !== undefined) checkInteger('maxCandidates', maxCandidates, 64);
  const penalty =
    typeof chosen === 'number' ? checkNumber('penalty', chosen, 0) : namedPenalty(chosen, series.length, cost);
  const logLength = chosen === 'mbic';
  const costs = new SegmentCost(series, cost, zeroVariance);
  const { changepoints } = optimalSegmentation(costs, {
    penalty,
    minSegmentLength,
    logLength,
    maxCandidates: maxCandidates ?? Infinity,
  });
  const total = segmentationCost(costs, changepoints, logLength);
  return { changepoints, cost: total, penalisedCost: total + penalty * changepoints.length, penalty };
};
