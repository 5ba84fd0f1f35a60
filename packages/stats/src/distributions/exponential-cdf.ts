import { checkNumber } from '../internal/check-number.ts';

/**
 * P(X <= x) of the exponential distribution: 1 - exp(-rate x), in [0, 1]; 0 below 0.
 *
 * @param x finite. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when x is not finite or the rate is not above 0. Without cancellation near 0. O(1).
 */
export const exponentialCdf = (x: number, rate: number = 1): number => {
  checkNumber('x', x);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return x <= 0 ? 0 : -Math.expm1(-rate * x);
};
