import { checkInteger, checkNumber, checkSample } from '../internal/checks.ts';
import { SegmentCost, type ChangeKind } from './segment-cost.ts';
import { optimalSegmentation } from './optimal-segmentation.ts';

/** bic and mbic: the (modified) Bayesian information criterion; barrett: 15 ln n of the warm-up studies. */
export type PenaltyName = 'bic' | 'mbic' | 'barrett';

/**
 * The penalty for one change point of a series of n values, by name; without unit (twice a log-likelihood).
 *
 * bic: (p + 1) ln n with p parameters a segment (meanvar 2, mean and var 1), the change point counted as one more;
 * mbic: (p + 2) ln n, meant together with ln(length) added to each segment's cost (`pelt` does that);
 * barrett: 15 ln n.
 *
 * @throws RangeError for n < 1 or another name.
 * Sources: R package changepoint 2.3 for the counting; N. R. Zhang, D. O. Siegmund, Biometrics 63 (2007) for the modified BIC;
 * E. Barrett et al., "Virtual machine warmup blows hot and cold", OOPSLA 2017, section 4.2. O(1).
 */
export function namedPenalty(name: PenaltyName, n: number, cost: ChangeKind = 'meanvar'): number {
  checkInteger('n', n, 1);
  const parameters = cost === 'meanvar' ? 2 : 1;
  if (name === 'bic') return (parameters + 1) * Math.log(n);
  if (name === 'mbic') return (parameters + 2) * Math.log(n);
  if (name === 'barrett') return 15 * Math.log(n);
  throw new RangeError(`penalty must be a number, 'bic', 'mbic' or 'barrett', got ${String(name)}`);
}

export type { ChangeKind } from './segment-cost.ts';

/** Options of `pelt`. */
interface PeltOptions {
  /** The quantity that may change; default 'meanvar'. */
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
  /**
   * Approximate mode: the largest number of candidates that are kept, at least 64. By default all are kept, which is
   * exact.
   */
  readonly maxCandidates?: number;
}

/** An optimal segmentation. */
export interface Segmentation {
  /** 0-based index of the last value of every segment but the final one, ascending. */
  readonly changepoints: Int32Array;
  /** Sum of the segments' costs, without penalties. */
  readonly cost: number;
  /** `cost` plus the penalty for each change point: the quantity that the segmentation minimises. */
  readonly penalisedCost: number;
  /** The penalty as a number. */
  readonly penalty: number;
}

/** Refuses options that are out of range and fills in the defaults. */
export function checkSegmentation(
  series: ArrayLike<number>,
  cost: ChangeKind,
  minSegmentLength: number | undefined,
): number {
  checkSample('series', series);
  if (cost !== 'meanvar' && cost !== 'mean' && cost !== 'var') {
    throw new RangeError(`cost must be 'meanvar', 'mean' or 'var', got ${String(cost)}`);
  }
  const least = cost === 'mean' ? 1 : 2;
  return checkInteger('minSegmentLength', minSegmentLength ?? least, least);
}

/** Sums the costs of a segmentation. */
export function segmentationCost(costs: SegmentCost, changepoints: ArrayLike<number>, logLength: boolean): number {
  let total = 0;
  let from = 0;
  for (let i = 0; i <= changepoints.length; i++) {
    const to = i < changepoints.length ? changepoints[i]! + 1 : costs.length;
    total += costs.cost(from, to) + (logLength ? Math.log(to - from) : 0);
    from = to;
  }
  return total;
}

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
export function pelt(series: ArrayLike<number>, options: PeltOptions = {}): Segmentation {
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
}
