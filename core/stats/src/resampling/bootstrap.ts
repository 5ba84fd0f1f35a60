import { checkInteger, checkSample, checkOpen, checkNumber } from '../internal/checks.ts';
import { IndexSource, indexBuffer } from './index-source.ts';
import type { Random } from '../random/create-random.ts';
import { quantilePair } from '../samples/quantile.ts';
import { normalTail } from '../distributions/normal.ts';
import { studentTQuantile } from '../distributions/student-t.ts';

/** Number of resamples, and their random stream. */
export interface BootstrapOptions {
  /** Number of replicates, >= 1. */
  readonly replicates: number;
  /** The stream to draw from; it moves on. */
  readonly random: Random;
}

/**
 * Bootstrap replicates of any statistic of one sample of independent observations.
 *
 * Each replicate is the statistic of n values drawn uniformly with replacement from the n given ones.
 *
 * @param sample at least one finite number. One value gives the same replicate every time.
 * @param statistic a function of a resample. It gets one buffer again and again: it may reorder it, but must not keep it.
 * @returns the replicates in the order of drawing, in the unit of the statistic.
 * @throws RangeError for an empty sample, NaN or infinite values, fewer than one replicate, and when the statistic returns
 *   something that is not a finite number.
 *
 * Source: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), algorithm 6.1. O(replicates (n + statistic)).
 * For the mean `bootstrapMeans` gives the same draws faster.
 */
export function bootstrap(
  sample: ArrayLike<number>,
  statistic: (resample: Float64Array) => number,
  { replicates, random }: BootstrapOptions,
): Float64Array {
  checkSample('sample', sample);
  checkInteger('replicates', replicates, 1);
  const values = Float64Array.from(sample);
  const n = values.length;
  const source = new IndexSource(random);
  const indices = indexBuffer(n);
  const resample = new Float64Array(n);
  const out = new Float64Array(replicates);
  for (let r = 0; r < replicates; r++) {
    source.fill(indices, n, n);
    for (let i = 0; i < n; i++) resample[i] = values[indices[i]!]!;
    const value = statistic(resample);
    if (!Number.isFinite(value)) throw new RangeError(`statistic must return a finite number, got ${String(value)}`);
    out[r] = value;
  }
  return out;
}

/**
 * Bootstrap replicates of the mean: what `bootstrap(sample, mean, options)` gives from the same stream (up to rounding),
 * without building the resamples.
 *
 * @param sample at least one finite number, any unit. A constant sample gives its value every time (up to rounding).
 * @returns the replicates in the order of drawing, in the unit of the values.
 * @throws RangeError for an empty sample, NaN or infinite values, fewer than one replicate.
 * Source as `bootstrap`. O(replicates n), some nanoseconds a draw.
 */
export function bootstrapMeans(sample: ArrayLike<number>, { replicates, random }: BootstrapOptions): Float64Array {
  checkSample('sample', sample);
  checkInteger('replicates', replicates, 1);
  const values = Float64Array.from(sample);
  const n = values.length;
  const source = new IndexSource(random);
  const out = new Float64Array(replicates);
  for (let r = 0; r < replicates; r++) out[r] = source.sum(values, 0, n, n) / n;
  return out;
}

/** A confidence interval: its ends in the unit of the statistic, and its nominal level in (0, 1). */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
}

/**
 * Percentile interval: the (1 - level)/2 and (1 + level)/2 quantiles (type 7) of the bootstrap replicates.
 *
 * @param replicates at least one finite number, in any order; not changed.
 * @param level nominal level in (0, 1).
 * @throws RangeError for no replicates, NaN or infinite ones, a level outside (0, 1).
 *
 * With few observations it is too narrow (about the factor sqrt((n - 1)/n) and the missing t quantile): see
 * `expandedPercentileInterval`. Source: Efron and Tibshirani (1993), section 13.3; Bulej et al., ICPE'20, section 3.
 * Expected O(replicates), by selection.
 */
export function percentileInterval(replicates: ArrayLike<number>, level: number): Interval {
  checkSample('replicates', replicates);
  checkOpen('level', level);
  const tail = (1 - level) / 2;
  const [low, high] = quantilePair(replicates, tail, 1 - tail);
  return { low, high, level };
}

/**
 * Basic bootstrap interval: the percentile interval mirrored at the estimate.
 *
 * @param replicates at least one finite number, in any order; not changed.
 * @param level nominal level in (0, 1).
 * @param estimate the statistic of the sample itself.
 * @returns [2 estimate - upper quantile, 2 estimate - lower quantile].
 * @throws RangeError for no replicates, NaN or infinite numbers, a level outside (0, 1).
 * Source: A. C. Davison, D. V. Hinkley, Bootstrap Methods and their Application (1997), equation 5.6. Expected O(replicates).
 */
export function basicInterval(replicates: ArrayLike<number>, level: number, estimate: number): Interval {
  checkNumber('estimate', estimate);
  const { low, high } = percentileInterval(replicates, level);
  return { low: 2 * estimate - high, high: 2 * estimate - low, level };
}

/**
 * The probability in each tail that Hesterberg's expanded percentile interval uses:
 * Phi(-sqrt(n/(n - 1)) t), t the 1 - (1 - level)/2 quantile of Student's t with n - 1 degrees of freedom.
 *
 * @param level nominal level in (0, 1).
 * @param n number of independent observations, >= 2 (of a hierarchy: the runs).
 * @returns a probability below (1 - level)/2; for n = 2 so small that it can be 0. When replicates times it is below 1 the
 *   interval's ends are the extreme replicates, and their number, not the data, decides them.
 * @throws RangeError for a level outside (0, 1), n < 2.
 * Source: T. Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69 (2015), section 4. O(1).
 */
export function expandedTail(level: number, n: number): number {
  checkOpen('level', level);
  checkInteger('n', n, 2);
  return normalTail(-Math.sqrt(n / (n - 1)) * studentTQuantile((1 - level) / 2, n - 1));
}

/**
 * Expanded percentile interval: a percentile interval at wider probabilities, so that for a mean of n observations it has
 * about the width of the t interval while keeping the skew of the replicates.
 *
 * @param replicates at least one finite number, in any order; not changed.
 * @param level nominal level in (0, 1).
 * @param n number of independent observations behind one replicate, >= 2; of a hierarchy the number of runs.
 * @returns quantiles (type 7) at `expandedTail(level, n)` and one minus it.
 * @throws RangeError for no replicates, NaN or infinite ones, a level outside (0, 1), n < 2.
 * Source: Hesterberg (2015), section 4; Antoch et al., OOPSLA'26, section 5.2. Expected O(replicates).
 */
export function expandedPercentileInterval(replicates: ArrayLike<number>, level: number, n: number): Interval {
  checkSample('replicates', replicates);
  const tail = expandedTail(level, n);
  const [low, high] = quantilePair(replicates, tail, 1 - tail);
  return { low, high, level };
}
