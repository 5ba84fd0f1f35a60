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
  return sum(sample) / sample.length;
};
