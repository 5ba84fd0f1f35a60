import { checkSample } from '../internal/check-sample.ts';
import { mean } from './mean.ts';

/**
 * Sample variance with divisor n - 1, in the square of the values' unit.
 *
 * @param sample at least two finite numbers. A constant sample has variance 0.
 * @throws RangeError for fewer than two values (there is no spread to estimate), NaN or infinite values.
 *
 * Infinity, or 0, where the squares of the deviations leave the range of a double (deviations above 1e154, below 1e-162).
 * Two passes with the correction term of Chan, Golub and LeVeque (The American Statistician 37, 1983), so a large common
 * offset costs no digits. O(n).
 */
export const variance = (sample: ArrayLike<number>): number => {
  checkSample('sample', sample, 2);
  const n = sample.length;
  const centre = mean(sample);
  let squares = 0;
  let rest = 0;
  for (let i = 0; i < n; i++) {
    const d = sample[i]! - centre;
    squares += d * d;
    rest += d;
  }
  return squares === Infinity ? Infinity : Math.max(0, (squares - (rest * rest) / n) / (n - 1));
};
