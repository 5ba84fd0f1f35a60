import {
  bcaInterval,
  bootstrapMeans,
  expandedPercentileInterval,
  mean,
  percentileInterval,
  standardDeviation,
} from '@deadheat/stats';
import { intervalName } from './interval-name.ts';
import type { Ends, IntervalOptions } from './interval-options.ts';
import { invertIntervals, tLocation, type Location } from './location.ts';

/**
 * The mean of independent units by the kind of interval that was asked for, with p values by the inversion of the same replicates.
 *
 * @param units at least two values.
 * @param options.kind `t` or a kind of bootstrap.
 * Source: as `meanInterval`.
 */
export function meanLocation(units: Float64Array, options: IntervalOptions): Location {
  const { kind, confidence, replicates, random } = options;
  const n = units.length;
  if (n < 2) throw new RangeError(`an interval needs at least 2 values, got ${n}`);
  const centre = mean(units);
  const t = tLocation(
    { mean: centre, standardError: standardDeviation(units) / Math.sqrt(n), degrees: n - 1 },
    confidence,
  );
  if (kind === 't') return t;
  const means = bootstrapMeans(units, { replicates, random });
  const endsAt = (level: number): Ends => {
    if (kind === 'percentile') return percentileInterval(means, level);
    if (kind === 'expanded') return expandedPercentileInterval(means, level, n);
    return bcaInterval(means, level, { sample: units });
  };
  const { low, high } = endsAt(confidence);
  return {
    estimate: centre,
    low,
    high,
    interval: intervalName(kind),
    replicates,
    ...invertIntervals(endsAt, { confidence, replicates, t }),
  };
}
