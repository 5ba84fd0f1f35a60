import { checkInteger, checkNumber, checkOpen } from '../internal/checks.ts';

/** What is known at a look. */
export interface AnytimeTOptions {
  /** Number of equally informative values behind the mean, > 0. */
  readonly size: number;
  /** Degrees of freedom of the standard deviation, >= 1. */
  readonly degrees: number;
  /** Level that holds over all looks together, in (0, 1). */
  readonly confidence: number;
}

/**
 * How many standard errors to each side of the mean an interval reaches that may be looked at after every value: the
 * probability that any of the intervals ever leaves out the true mean is at most 1 - confidence.
 *
 * The t statistic's Bayes factor with a normal prior of variance sigma^2 for the mean and the right Haar prior for whatever
 * else the mean is fitted with and for sigma is a nonnegative supermartingale of mean 1 for the true mean; it passes
 * 1 / (1 - confidence) with at most that probability (Ville). With k = 1 + size, R = (k^(1/2) / (1 - confidence))^(2 /
 * (degrees + 1)) it does so at t^2 / degrees = (R - 1) / (1 - R / k). The prior decides where the interval is tight; that of one
 * standard deviation of a value suits differences from a third of that to twice that (decision 4).
 *
 * @returns > 0; Infinity while no data could be strong enough.
 * @throws RangeError naming the argument that is out of its range.
 * Assumes independent normal values. Source: T. L. Lai, Annals of Statistics 4 (1976), 265-280; H. Wang, A. Ramdas, Anytime-valid
 * t-tests and confidence sequences for Gaussian means with unknown variance (2024), sections 3 and 4. O(1).
 */
export const anytimeTCritical = ({ size, degrees, confidence }: AnytimeTOptions): number => {
  checkNumber('size', size, Number.MIN_VALUE);
  checkInteger('degrees', degrees, 1);
  checkOpen('confidence', confidence);
  const k = 1 + size;
  const logR = (2 / (degrees + 1)) * (0.5 * Math.log(k) - Math.log1p(-confidence));
  const rest = -Math.expm1(logR - Math.log(k));
  return rest > 0 ? Math.sqrt((degrees * Math.expm1(logR)) / rest) : Infinity;
};
