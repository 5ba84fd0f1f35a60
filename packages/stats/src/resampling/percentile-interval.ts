import { checkOpen } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { quantilePair } from '../internal/quantile-pair.ts';
import type { Interval } from './interval.ts';

/**
 * Percentile interval: the (1 - level)/2 and (1 + level)/2 quantiles (type 7) of the bootstrap replicates.
 *
 * @param replicates at least one finite number, in any order; not changed.
 * @param level nominal level in (0, 1).
 * @throws RangeError for no replicates, NaN or infinite ones, a level outside (0, 1).
 *
 * With few observations it is too narrow (about the factor sqrt((n - 1)/n) and the missing t quantile): see
 * `expandedPercentileInterval`. Source: Efron and Tibshirani (1993), section 13.3; Bulej et al., ICPE'20, section 3.
 * Expected O(replicates), by selection.
 */
export const percentileInterval = (replicates: ArrayLike<number>, level: number): Interval => {
  checkSample('replicates', replicates);
  checkOpen('level', level);
  const tail = (1 - level) / 2;
  const [low, high] = quantilePair(replicates, tail, 1 - tail);
  return { low, high, level };
};
