import { checkNumber } from '../internal/check-number.ts';

/**
 * The x with P(X <= x) = p, exponential distribution: -ln(1 - p)/rate; 0 for p = 0, Infinity for p = 1.
 *
 * @param p in [0, 1]. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when p is outside [0, 1] or the rate is not above 0. O(1).
 */
export const exponentialQuantile = (p: number, rate: number = 1): number => {
  checkNumber('p', p, 0, 1);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return p === 0 ? 0 : -Math.log1p(-p) / rate;
};
