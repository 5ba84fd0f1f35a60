import { checkSample } from '../internal/check-sample.ts';
import { sum } from '../internal/sum.ts';

/**
 * Arithmetic mean, in the unit of the values.
 *
 * @param sample at least one finite number. One value is its own mean.
 * @throws RangeError for an empty sample, NaN or infinite values.
 *
 * Compensated summation, so relative error stays near 1e-16 for any length. O(n).
 */
export const mean = (sample: ArrayLike<number>): number => {
  checkSample('sample', sample);
  const n = sample.length;
  const total = sum(sample);
  // Near the end of a double's range the sum overflows where the mean does not: then sum shares of the values.
  return Number.isFinite(total) ? total / n : sum(Float64Array.from(sample, (value) => value / n));
};
