import { variance } from './variance.ts';

/**
 * Sample standard deviation, the square root of `variance` (divisor n - 1), in the unit of the values.
 *
 * @param sample at least two finite numbers. A constant sample has 0.
 * @throws RangeError for fewer than two values, NaN or infinite values. O(n).
 */
export const standardDeviation = (sample: ArrayLike<number>): number => Math.sqrt(variance(sample));
