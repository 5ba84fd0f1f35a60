import { mean } from '@deadheat/stats';
import { pairedDifferenceInterval } from '../interval/paired-difference-interval.ts';
import { runMeanDifferences } from '../pairing/run-mean-differences.ts';
import type { SidesOfTimes } from './sides-of-times.ts';
import { widthOptions } from './width-options.ts';
import type { WidthOptions } from './width-options.ts';

/**
 * The relative width of the interval of the mean paired difference. Equation 4.2 prints the mean of the differences below
 * the line, which is about 0 for A/A runs; the mean of all times of both sides is meant and taken.
 *
 * @param times paired by place, at least two runs. The thesis takes `bca`, 95 % and 9 999 replicates.
 * @throws RangeError as `pairedRatios`, and for fewer than two runs.
 * Source: Drozdik 2023, equation 4.2.
 */
export const differenceWidth = (times: SidesOfTimes, options: WidthOptions): number => {
  const interval = pairedDifferenceInterval(runMeanDifferences(times.B, times.A), widthOptions(options));
  const all = [...times.A, ...times.B].flatMap((run) => Array.from(run));
  return (interval.highNs - interval.lowNs) / mean(all);
};
