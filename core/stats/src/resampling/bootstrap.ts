import { checkInteger, checkSample } from '../internal/checks.ts';
import { IndexSource, indexBuffer } from './index-source.ts';
import type { Random } from '../random/create-random.ts';

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
