import { checkNumber } from '../internal/check-number.ts';
import { optimalSegmentation } from './optimal-segmentation.ts';
import type { Solution } from './optimal-segmentation.ts';
import { checkSegmentation, segmentationCost } from './pelt.ts';
import { SegmentCost } from './segment-cost.ts';
import type { ChangeKind } from './segment-cost.ts';

/** Between which penalties to look. */
export interface PenaltyPathOptions {
  /** Smallest penalty, >= 0; default 4 ln n. */
  readonly from?: number;
  /** Largest penalty, >= from; default 100 000 ln n. */
  readonly to?: number;
  /** What may change; default 'meanvar'. */
  readonly cost?: ChangeKind;
  /** As in `pelt`. */
  readonly zeroVariance?: number;
  /** As in `pelt`. */
  readonly minSegmentLength?: number;
}

/** One optimal segmentation and where its reign begins. */
export interface PathStep {
  /** The smallest penalty of the range at which this segmentation is optimal; it is so up to the next step's penalty. */
  readonly penalty: number;
  readonly changepoints: Int32Array;
  /** Sum of the segments' costs, without penalties. */
  readonly cost: number;
}

type Solved = Solution & { readonly cost: number };

const stepOf = ({ penalty, changepoints, cost }: Solved): PathStep => ({ penalty, changepoints, cost });

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
export const penaltyPath = (series: ArrayLike<number>, options: PenaltyPathOptions = {}): PathStep[] => {
  const { cost = 'meanvar' } = options;
  const minSegmentLength = checkSegmentation(series, cost, options.minSegmentLength);
  const from = checkNumber('from', options.from ?? 4 * Math.log(series.length), 0);
  const to = checkNumber('to', options.to ?? 1e5 * Math.log(series.length), from);
  if (options.zeroVariance !== undefined) checkNumber('zeroVariance', options.zeroVariance, Number.MIN_VALUE);
  const costs = new SegmentCost(series, cost, options.zeroVariance);
  const solve = (penalty: number, between?: { readonly smaller: Solution; readonly larger: Solution }): Solved => {
    const solution = optimalSegmentation(costs, {
      penalty,
      minSegmentLength,
      logLength: false,
      maxCandidates: Infinity,
      between,
    });
    return { ...solution, cost: segmentationCost(costs, solution.changepoints, false) };
  };

  const found: PathStep[] = [];
  const refine = (left: Solved, right: Solved): void => {
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
  };
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
};
