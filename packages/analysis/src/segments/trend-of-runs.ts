import { slopeInterval, standardDeviation, mean, studentTQuantile } from '@deadheat/stats';
import type { Random, SlopeInterval, TrendRun } from '@deadheat/stats';

/** Below so many runs a bootstrap over runs cannot hold 99 %: all slopes have one sign in 2 / 2^n of the trend-free experiments. */
const ENOUGH_RUNS = 10;

/** Whether performance drifts while a run lasts. */
export interface TrendOfRuns extends SlopeInterval {
  /** The interval leaves out 0, and with fewer than ten runs so does the t interval of the slopes of single runs. */
  readonly present: boolean;
}

const slopeOf = ({ times, values }: TrendRun): number | null => {
  const [t, y] = [mean(times), mean(values)];
  let spread = 0;
  let shared = 0;
  for (let i = 0; i < times.length; i++) {
    spread += (times[i]! - t) ** 2;
    shared += (times[i]! - t) * (values[i]! - y);
  }
  return spread > 0 ? shared / spread : null;
};

/** Whether the t interval of the single runs' slopes leaves out 0. */
const runsAgree = (runs: readonly TrendRun[], level: number): boolean => {
  const slopes = runs.map(slopeOf).filter((slope) => slope !== null);
  if (slopes.length < 2) return false;
  const error = standardDeviation(slopes) / Math.sqrt(slopes.length);
  return Math.abs(mean(slopes)) > studentTQuantile((1 + level) / 2, slopes.length - 1) * error;
};

/**
 * The trend within runs: the slope of the common least-squares line and its bootstrap interval over runs (`slopeInterval`).
 *
 * With fewer than ten runs a percentile interval leaves out 0 far too often (with five in 6 % of the cases, whatever its level), so
 * a trend is reported only when the t interval of the runs' own slopes leaves it out too.
 *
 * @param runs at least two, with at least two different times in all.
 * @param options.level default 0.99; options.replicates default 10 000.
 * @throws RangeError as `slopeInterval`.
 * Source: Antoch et al., OOPSLA'26, section 5, "Checking trends"; the rule for few runs is ours.
 */
export const trendOfRuns = (
  runs: readonly TrendRun[],
  options: { readonly random: Random; readonly level?: number; readonly replicates?: number },
): TrendOfRuns => {
  const { random, level = 0.99, replicates = 10_000 } = options;
  const slope = slopeInterval(runs, { random, level, replicates });
  const outside = slope.low > 0 || slope.high < 0;
  return { ...slope, present: outside && (runs.length >= ENOUGH_RUNS || runsAgree(runs, level)) };
};
