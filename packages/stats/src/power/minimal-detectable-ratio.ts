import { checkInteger, checkNumber, checkOpen } from '../internal/check-number.ts';
import { detectableShift } from '../internal/detectable-shift.ts';

/** An experiment of n paired runs. */
export interface DetectableOptions {
  /** Standard deviation of the runs' log-ratios ln(B/A), without unit, >= 0. */
  readonly standardDeviation: number;
  /** Number of pairs (runs), >= 2. */
  readonly n: number;
  /** Level of the two-sided interval, in (0, 1); default 0.99. */
  readonly confidence?: number;
  /** Probability of detecting, in (0, 1); default 0.8. */
  readonly power?: number;
  /** Ratios up to 1 + margin do not count as slower; >= 0, default 0. */
  readonly margin?: number;
  /**
   * Whether the standard deviation is known, or estimated from n other runs like these: then the power is that over all such
   * estimates; default `known`.
   */
  readonly spread?: 'known' | 'estimated';
}

/**
 * The smallest true ratio B/A > 1 that n paired runs would show to be above 1 + margin with the given power: the confidence
 * interval of the mean log-ratio (Student's t) then lies above ln(1 + margin).
 *
 * @returns (1 + margin) exp(delta s / sqrt(n)), delta from the noncentral t distribution; with the default power 1.009 means that a
 *   slowdown of 0.9 % would be found in 4 of 5 such experiments. With standardDeviation 0 it is 1 + margin; it can be Infinity for n = 2 and a large spread.
 * @throws RangeError naming the argument that is out of its range.
 *
 * Assumes independent, about normal log-ratios. An estimated spread needs a larger ratio: at 99 % and a power of 80 % the shift is
 * 1.27 times as large with 5 runs, 1.05 times with 20.
 * Source: power of the one-sample t test (J. Cohen, Statistical Power Analysis, 1988, chapter 2; R's power.t.test) on
 * log-ratios, as Drozdik (2023), section 4.4, asks the question. O(1), about a millisecond at most.
 */
export const minimalDetectableRatio = (options: DetectableOptions): number => {
  const { standardDeviation, n, confidence = 0.99, power = 0.8, margin = 0, spread = 'known' } = options;
  checkNumber('standardDeviation', standardDeviation, 0);
  checkInteger('n', n, 2);
  checkOpen('confidence', confidence);
  checkOpen('power', power);
  checkNumber('margin', margin, 0);
  if (standardDeviation === 0) return 1 + margin;
  const shift = detectableShift(n, confidence, power, spread);
  return (1 + margin) * Math.exp((shift * standardDeviation) / Math.sqrt(n));
};
