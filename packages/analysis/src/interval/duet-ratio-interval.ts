import type { Ratio } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import { intervalName } from './interval-name.ts';
import type { IntervalOptions } from './interval-options.ts';
import { meanInterval } from './mean-interval.ts';

/**
 * The ratio B / A of a duet with its interval: the bootstrap draws units (runs, or blocks of runs that traded cores) with
 * replacement and takes the geometric mean, that is the mean of logarithms; `t` is made on the log scale as well.
 *
 * @param logRatios natural logarithm of every unit's geometric mean ratio, at least two.
 * @throws RangeError for fewer than two units or values that are not finite.
 * Source: Bulej et al., ICPE'20, section 3, step 5 (`percentile`); Hesterberg 2015 (`expanded`).
 */
export const duetRatioInterval = (logRatios: ArrayLike<number>, options: IntervalOptions): Ratio => {
  const { low, high } = meanInterval(logRatios, options);
  return {
    estimate: Math.exp(mean(logRatios)),
    low: Math.exp(low),
    high: Math.min(Math.exp(high), Number.MAX_VALUE),
    confidence: options.confidence,
    interval: intervalName(options.kind),
    replicates: options.kind === 't' ? 0 : options.replicates,
  };
};
