import { checkInteger } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { IndexSource, indexBuffer } from '../internal/index-source.ts';
import type { BootstrapOptions } from './bootstrap-options.ts';

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
export const bootstrap = (
  sample: ArrayLike<number>,
  statistic: (resample: Float64Array) => number,
  { replicates, random }: BootstrapOptions,
): Float64Array => {
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
};
