import { checkPositive } from './check-positive.ts';
import { underestimationBound } from './underestimation-bound.ts';

/**
 * The true ratio farthest from 1 that a duet may have shown as the measured one: the inverse of `underestimationBound`.
 *
 * @param measured the ratio B / A that the duet shows; finite and above 0.
 * @param options.concurrency as `underestimationBound`.
 * @throws RangeError for other numbers.
 * Source: Bulej et al., ICPE'20, section 4.4.
 */
export const largestRatioBehind = (measured: number, options: { readonly concurrency: number }): number => {
  checkPositive('measured', measured);
  checkPositive('concurrency', options.concurrency);
  return underestimationBound(measured, { concurrency: 1 / options.concurrency });
};
