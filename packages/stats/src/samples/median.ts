import { quantile } from './quantile.ts';

/**
 * Median, in the unit of the values: the middle value, or the midpoint of the two middle ones.
 *
 * @param sample at least one finite number; it is not changed.
 * @throws RangeError for an empty sample, NaN or infinite values. Expected O(n).
 */
export const median = (sample: ArrayLike<number>): number => quantile(sample, 0.5);
