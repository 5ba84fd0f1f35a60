import { checkNumber } from '../internal/check-number.ts';
import { normalTail } from '../internal/normal-tail.ts';

/**
 * P(Z <= z) of the standard normal distribution, in [0, 1].
 *
 * Relative error below 1e-13 down to 1e-300; use it with a negative z, or `normalSf`, for small probabilities.
 * @throws RangeError when z is NaN or infinite.
 * Source: power series and Laplace's continued fraction (Abramowitz and Stegun 26.2.11 and 26.2.14). O(1).
 */
export const normalCdf = (z: number): number => {
  checkNumber('z', z);
  return z < 0 ? normalTail(-z) : 1 - normalTail(z);
};
