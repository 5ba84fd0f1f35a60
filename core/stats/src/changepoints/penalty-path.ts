import { checkNumber, checkSample } from '../internal/checks.ts';
import { optimalSegmentation, type Solution } from './optimal-segmentation.ts';
import { checkSegmentation, segmentationCost } from './pelt.ts';
import { SegmentCost, type ChangeKind } from './segment-cost.ts';

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
