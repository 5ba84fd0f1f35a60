import {
  bcaInterval,
  bootstrapMeans,
  expandedPercentileInterval,
  mean,
  percentileInterval,
  standardDeviation,
  studentTQuantile,
} from '@deadheat/stats';
import type { Ends, IntervalOptions } from './interval-options.ts';

/**
 * An interval of the mean of a sample, in the unit of the values: by the bootstrap over the values, or `t`, the mean plus and
 * minus the t quantile times the standard error.
 *
 * @param sample at least two values.
 * @throws RangeError for fewer values or values that are not finite.
 */
export const meanInterval = (sample: ArrayLike<number>, options: IntervalOptions): Ends => {
  const { kind, confidence, replicates, random } = options;
  const n = sample.length;
  if (n < 2) throw new RangeError(`an interval needs at least 2 values, got ${n}`);
  if (kind === 't') {
    const reach = (studentTQuantile((1 + confidence) / 2, n - 1) * standardDeviation(sample)) / Math.sqrt(n);
    return { low: mean(sample) - reach, high: mean(sample) + reach };
  }
  const means = bootstrapMeans(sample, { replicates, random });
  if (kind === 'percentile') return percentileInterval(means, confidence);
  if (kind === 'expanded') return expandedPercentileInterval(means, confidence, n);
  return bcaInterval(means, confidence, { sample });
};
