import { duetRatioInterval } from '../interval/duet-ratio-interval.ts';
import { runLogRatios } from '../pairing/run-log-ratios.ts';
import type { SidesOfTimes } from './sides-of-times.ts';
import { widthOptions } from './width-options.ts';
import type { WidthOptions } from './width-options.ts';

/**
 * The width of the interval of a duet's ratio, gms_hi - gms_lo: 0.01 = 1 % of the ratio 1.
 *
 * @param times paired by place, at least two runs.
 * @throws RangeError as `pairedRatios`, and for fewer than two runs.
 * Source: Bulej et al., ICPE'20, section 4.1.
 */
export const duetWidth = (times: SidesOfTimes, options: WidthOptions): number => {
  const { low, high } = duetRatioInterval(runLogRatios(times.B, times.A), widthOptions(options));
  return high - low;
};
