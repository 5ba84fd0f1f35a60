import { checkSample } from '../internal/check-sample.ts';
import { quantilePair } from '../internal/quantile-pair.ts';
import { expandedTail } from './expanded-tail.ts';
import type { Interval } from './interval.ts';

/**
 * Expanded percentile interval: a percentile interval at wider probabilities, so that for a mean of n observations it has
 * about the width of the t interval while keeping the skew of the replicates.
 *
 * @param replicates at least one finite number, in any order; not changed.
 * @param level nominal level in (0, 1).
 * @param n number of independent observations behind one replicate, >= 2; of a hierarchy the number of runs.
 * @returns quantiles (type 7) at `expandedTail(level, n)` and one minus it.
 * @throws RangeError for no replicates, NaN or infinite ones, a level outside (0, 1), n < 2.
 * Source: Hesterberg (2015), section 4; Antoch et al., OOPSLA'26, section 5.2. Expected O(replicates).
 */
export const expandedPercentileInterval = (replicates: ArrayLike<number>, level: number, n: number): Interval => {
  checkSample('replicates', replicates);
  const tail = expandedTail(level, n);
  const [low, high] = quantilePair(replicates, tail, 1 - tail);
  return { low, high, level };
};
