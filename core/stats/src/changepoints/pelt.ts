import { checkInteger, checkNumber, checkSample } from '../internal/checks.ts';
import { optimalSegmentation, type Solution } from './optimal-segmentation.ts';
import { SegmentCost, type ChangeKind } from './segment-cost.ts';

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

/** Options of `penaltyPath`: the cost and the range of penalties. */
interface PenaltyPathOptions {
  /** Smallest penalty, >= 0; default 4 ln n. */
  readonly from?: number;
  /** Largest penalty, >= from; default 100 000 ln n. */
  readonly to?: number;
  /** The quantity that may change; default 'meanvar'. */
  readonly cost?: ChangeKind;
  /** The option of `pelt` with the same name. */
  readonly zeroVariance?: number;
  /** The option of `pelt` with the same name. */
  readonly minSegmentLength?: number;
}

/** One optimal segmentation and where its reign begins. */
interface PathStep {
  /** The smallest penalty of the range at which this segmentation is optimal; it is so up to the next step's penalty. */
  readonly penalty: number;
  readonly changepoints: Int32Array;
  /** Sum of the segments' costs, without penalties. */
  readonly cost: number;
}

type Solved = Solution & { readonly cost: number };

function stepOf({ penalty, changepoints, cost }: Solved): PathStep {
  return { penalty, changepoints, cost };
}

/**
 * All optimal segmentations for the penalties between two values (CROPS), fewest penalties first: the number of change points
 * falls from step to step.
 *
 * @param series as `pelt`; at least two values, so that ln n is above 0.
 * @returns the steps, at least one. At a step's own penalty it and the step before it cost the same.
 * @throws RangeError as `pelt`, and when `to` is below `from`.
 *
 * The defaults are those of the steady-state study (Traini et al. 2023; OOPSLA'26, section 5).
 * Source: K. Haynes, I. A. Eckley, P. Fearnhead, "Computationally efficient changepoint detection for a range of penalties",
 * JCGS 26 (2017). One run of PELT for each step, at most twice their number plus two, over shared prefix sums; between two that
 * are known most of the search is spared.
 */
export function penaltyPath(series: ArrayLike<number>, options: PenaltyPathOptions = {}): PathStep[] {
  const { cost = 'meanvar' } = options;
  const minSegmentLength = checkSegmentation(series, cost, options.minSegmentLength);
  const from = checkNumber('from', options.from ?? 4 * Math.log(series.length), 0);
  const to = checkNumber('to', options.to ?? 1e5 * Math.log(series.length), from);
  if (options.zeroVariance !== undefined) checkNumber('zeroVariance', options.zeroVariance, Number.MIN_VALUE);
  const costs = new SegmentCost(series, cost, options.zeroVariance);

  function solve(penalty: number, between?: { readonly smaller: Solution; readonly larger: Solution }): Solved {
    const solution = optimalSegmentation(costs, {
      penalty,
      minSegmentLength,
      logLength: false,
      maxCandidates: Infinity,
      between,
    });
    return { ...solution, cost: segmentationCost(costs, solution.changepoints, false) };
  }

  const found: PathStep[] = [];

  function refine(left: Solved, right: Solved): void {
    const fewer = left.changepoints.length - right.changepoints.length;
    if (fewer <= 0) return;
    const crossing = (right.cost - left.cost) / fewer;
    if (fewer === 1) return;
    const middle = solve(crossing, { smaller: left, larger: right });
    const count = middle.changepoints.length;
    if (count >= left.changepoints.length || count <= right.changepoints.length) return;
    // On the straight line between the two it is optimal at one penalty only, which is no reign.
    const there = middle.cost + crossing * count;
    const line = left.cost + crossing * left.changepoints.length;
    if (there >= line - 1e-12 * Math.max(1, Math.abs(line))) return;
    refine(left, middle);
    found.push(stepOf(middle));
    refine(middle, right);
  }

  const left = solve(from);
  const right = solve(to);
  found.push(stepOf(left));
  refine(left, right);
  if (right.changepoints.length < left.changepoints.length) found.push(stepOf(right));

  return found.map((step, i) => {
    if (i === 0) return { ...step, penalty: from };
    const before = found[i - 1]!;
    const penalty = (step.cost - before.cost) / (before.changepoints.length - step.changepoints.length);
    return { ...step, penalty };
  });
}

/** The elbow of a penalty curve, or null when it has none. */
interface Knee {
  readonly penalty: number;
  /** Index into the curve. */
  readonly index: number;
}

/**
 * The elbow of the curve of penalty against number of change points: where more change points stop to pay.
 *
 * The Kneedle algorithm for a convex decreasing curve with sensitivity 1: both axes are scaled to [0, 1] (change points ascending),
 * the difference (1 - y) - x is followed from its first local maximum, and that maximum is the elbow as soon as the
 * difference falls below it by the mean step of x. The first point, without a point before it, is no maximum: an elbow at no change
 * point would say that none pays. A plateau counts as a maximum at each of its points, the last one reached
 * decides; at a local minimum the threshold is reset to 0.
 *
 * @param penalties ascending, as `penaltyPath` gives them (the left ends).
 * @param counts the number of change points of each, descending; same length, at least one.
 * @returns the elbow's penalty and index, or null when there is none: fewer than three steps rarely have one. The steady-state
 *   study then takes 15 ln n, or the only penalty there is.
 * @throws RangeError for unequal lengths, an empty curve, NaN or infinite values, counts that do not descend.
 *
 * Sources: V. Satopaa et al., "Finding a 'kneedle' in a haystack", ICDCSW 2011; OOPSLA'26, section 5. O(steps).
 */
export function kneePenalty(penalties: ArrayLike<number>, counts: ArrayLike<number>): Knee | null {
  checkSample('penalties', penalties);
  checkSample('counts', counts);
  const n = penalties.length;
  if (counts.length !== n)
    throw new RangeError(`counts must have as many values as penalties (${n}), got ${counts.length}`);
  for (let i = 1; i < n; i++) {
    if (!(counts[i]! < counts[i - 1]!)) throw new RangeError(`counts must descend, counts[${i}] is ${counts[i]}`);
    if (!(penalties[i]! >= penalties[i - 1]!))
      throw new RangeError(`penalties must ascend, penalties[${i}] is ${penalties[i]}`);
  }
  const low = penalties[0]!;
  const high = penalties[n - 1]!;
  if (n < 2 || high === low) return null;

  const difference = new Float64Array(n);
  const fewest = counts[n - 1]!;
  const width = counts[0]! - fewest;
  for (let i = 0; i < n; i++) {
    const back = n - 1 - i;
    const x = (counts[back]! - fewest) / width;
    const y = (penalties[back]! - low) / (high - low);
    difference[i] = 1 - y - x;
  }
  const step = 1 / (n - 1);
  let threshold = 0;
  let at = -1;
  for (let i = 1; i < n - 1; i++) {
    const here = difference[i]!;
    const before = difference[i - 1]!;
    const after = difference[i + 1]!;
    if (here >= before && here >= after) {
      threshold = here - step;
      at = i;
    }
    if (at < 0) continue;
    if (here <= before && here <= after) threshold = 0;
    if (after < threshold) {
      const index = n - 1 - at;
      return { penalty: penalties[index]!, index };
    }
  }
  return null;
}
