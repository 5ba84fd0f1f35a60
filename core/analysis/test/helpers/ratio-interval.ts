import type { Interval } from '@deadheat/model';
import { meanLocation, ratioOfLocation, type IntervalOptions } from '../../src/interval/location.ts';

/** The ratio B / A of a duet with its interval of the mean, from the log ratios of its units. */
export function ratioInterval(logRatios: ArrayLike<number>, options: IntervalOptions): Interval {
  return ratioOfLocation(meanLocation(Float64Array.from(logRatios), options), options.confidence);
}
