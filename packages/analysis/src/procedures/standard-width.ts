import { mean } from '@deadheat/stats';
import { sequentialRatioInterval } from '../interval/sequential-ratio-interval.ts';
import type { RunsOfTimes } from '../pairing/runs-of-times.ts';
import type { SidesOfTimes } from './sides-of-times.ts';
import { widthOptions } from './width-options.ts';
import type { WidthOptions } from './width-options.ts';

const runMeans = (runs: RunsOfTimes): number[] => runs.map((times) => mean(times));

/**
 * The relative width of the interval of the difference of means of two sides measured by themselves,
 * (diff_hi - diff_lo) / mean. Run means are what is drawn, and the mean is that of all times of both sides.
 *
 * @param times at least two runs a side; the sides may differ in their number of runs.
 * @throws RangeError as `sequentialRatioInterval`.
 * Source: Bulej et al., ICPE'20, section 4.1.
 */
export const standardWidth = (times: SidesOfTimes, options: WidthOptions): number => {
  const { difference } = sequentialRatioInterval(runMeans(times.A), runMeans(times.B), widthOptions(options));
  const all = [...times.A, ...times.B].flatMap((run) => Array.from(run));
  return (difference.highNs - difference.lowNs) / mean(all);
};
