import type { Interval } from '@deadheat/model';
import { meanLocation, ratioOfLocation, type IntervalOptions } from '../../src/interval/location.ts';

export function ratioInterval(logRatios: ArrayLike<number>, options: IntervalOptions): Interval {
  return ratioOfLocation(meanLocation(Float64Array.from(logRatios), options), options.confidence);
}
