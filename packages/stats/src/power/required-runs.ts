import { checkNumber, checkOpen } from '../internal/check-number.ts';
import { detectableShift } from '../internal/detectable-shift.ts';

/** What the experiment is to see. */
export interface RequiredRunsOptions {
  /** Standard deviation of the runs' log-ratios ln(B/A), without unit, >= 0. */
  readonly standardDeviation: number;
  /** True ratio B/A to be detected, above 0 and outside the margin [1/(1 + margin), 1 + margin]. */
  readonly ratio: number;
  /** Level of the two-sided interval, in (0, 1); default 0.99. */
  readonly confidence?: number;
  /** Probability of detecting, in (0, 1); default 0.8. */
  readonly power?: number;
  /** >= 0, default 0. */
  readonly margin?: number;
}

/**
 * The smallest number of paired runs (>= 2) whose confidence interval of the mean log-ratio lies beyond the margin with the
 * given power, when the true ratio is `ratio`: the inverse of `minimalDetectableRatio`.
 *
 * @returns an integer >= 2; Infinity when more than 2^40 runs would be needed.
 * @throws RangeError naming the argument that is out of its range; a ratio inside the margin can never be detected.
 * Assumptions and source as `minimalDetectableRatio`. O(log n) evaluations of it.
 */
export const requiredRuns = (options: RequiredRunsOptions): number => {
  const { standardDeviation, ratio, confidence = 0.99, power = 0.8, margin = 0 } = options;
  checkNumber('standardDeviation', standardDeviation, 0);
  checkNumber('ratio', ratio, Number.MIN_VALUE);
  checkOpen('confidence', confidence);
  checkOpen('power', power);
  checkNumber('margin', margin, 0);
  const distance = Math.abs(Math.log(ratio)) - Math.log1p(margin);
  if (!(distance > 0)) throw new RangeError(`ratio must lie outside the margin of ${margin}, got ${ratio}`);
  const enough = (n: number): boolean =>
    detectableShift(n, confidence, power) * standardDeviation <= distance * Math.sqrt(n);
  if (standardDeviation === 0 || enough(2)) return 2;
  let low = 2;
  let high = 4;
  while (!enough(high)) {
    if (high >= 2 ** 40) return Infinity;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
};
