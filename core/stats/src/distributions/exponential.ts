import { checkNumber } from '../internal/checks.ts';

/**
 * P(X <= x) of the exponential distribution: 1 - exp(-rate x), in [0, 1]; 0 below 0.
 *
 * @param x finite. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when x is not finite or the rate is not above 0. Without cancellation near 0. O(1).
 */
export function exponentialCdf(x: number, rate: number = 1): number {
  checkNumber('x', x);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return x <= 0 ? 0 : -Math.expm1(-rate * x);
}

/**
 * P(X > x) of the exponential distribution: exp(-rate x), in [0, 1]; 1 below 0.
 *
 * @param x finite. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when x is not finite or the rate is not above 0. O(1).
 */
export function exponentialSf(x: number, rate: number = 1): number {
  checkNumber('x', x);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return x <= 0 ? 1 : Math.exp(-rate * x);
}

/**
 * The x with P(X <= x) = p, exponential distribution: -ln(1 - p)/rate; 0 for p = 0, Infinity for p = 1.
 *
 * @param p in [0, 1]. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when p is outside [0, 1] or the rate is not above 0. O(1).
 */
export function exponentialQuantile(p: number, rate: number = 1): number {
  checkNumber('p', p, 0, 1);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return p === 0 ? 0 : -Math.log1p(-p) / rate;
}
