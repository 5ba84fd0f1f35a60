import { checkNumber } from '../internal/check-number.ts';

/**
 * P(X > x) of the exponential distribution: exp(-rate x), in [0, 1]; 1 below 0.
 *
 * @param x finite. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when x is not finite or the rate is not above 0. O(1).
 */
export const exponentialSf = (x: number, rate: number = 1): number => {
  checkNumber('x', x);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return x <= 0 ? 1 : Math.exp(-rate * x);
};
