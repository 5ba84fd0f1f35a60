import { checkNumber } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';

/**
 * Unbiased cross-validation: an estimate of the integrated squared error of a Gaussian kernel density with this bandwidth, up to
 * a constant that does not depend on it; in 1/unit of the values. Smaller is better.
 *
 * @param sample at least two finite numbers. @param bandwidth above 0, in the unit of the values.
 * @throws RangeError for fewer than two values, NaN or infinite values, a bandwidth that is not above 0.
 * Source: D. W. Scott, G. R. Terrell, JASA 82 (1987), equation 2.5. Over all pairs: O(n^2).
 */
export const ucvCriterion = (sample: ArrayLike<number>, bandwidth: number): number => {
  checkSample('sample', sample, 2);
  checkNumber('bandwidth', bandwidth, Number.MIN_VALUE);
  const n = sample.length;
  let total = 0;
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const d = (sample[i]! - sample[j]!) / bandwidth;
      const quarter = Math.exp(-0.25 * d * d);
      total += quarter - Math.SQRT2 * 2 * quarter * quarter;
    }
  }
  return (0.5 + total / n) / (n * bandwidth * Math.sqrt(Math.PI));
};
