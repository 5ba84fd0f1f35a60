import { checkNumber } from '../internal/check-number.ts';
import { percentileInterval } from './percentile-interval.ts';
import type { Interval } from './interval.ts';

/**
 * Basic bootstrap interval: the percentile interval mirrored at the estimate.
 *
 * @param replicates at least one finite number, in any order; not changed.
 * @param level nominal level in (0, 1).
 * @param estimate the statistic of the sample itself.
 * @returns [2 estimate - upper quantile, 2 estimate - lower quantile].
 * @throws RangeError for no replicates, NaN or infinite numbers, a level outside (0, 1).
 * Source: A. C. Davison, D. V. Hinkley, Bootstrap Methods and their Application (1997), equation 5.6. Expected O(replicates).
 */
export const basicInterval = (replicates: ArrayLike<number>, level: number, estimate: number): Interval => {
  checkNumber('estimate', estimate);
  const { low, high } = percentileInterval(replicates, level);
  return { low: 2 * estimate - high, high: 2 * estimate - low, level };
};
