import type { Comparison } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import type { IntervalOptions } from './interval-options.ts';
import { meanInterval } from './mean-interval.ts';

/**
 * The mean paired difference B - A with its interval, ns.
 *
 * @param differences mean paired difference of every unit, ns, at least two. The thesis takes `bca` with 9 999 replicates.
 * @throws RangeError for fewer than two units or values that are not finite.
 * Source: Drozdik 2023, section 4.3.2.
 */
export const pairedDifferenceInterval = (
  differences: ArrayLike<number>,
  options: IntervalOptions,
): Comparison['difference'] => {
  const { low, high } = meanInterval(differences, options);
  return { estimateNs: mean(differences), lowNs: low, highNs: high };
};
