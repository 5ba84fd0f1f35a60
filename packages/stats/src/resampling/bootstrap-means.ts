import { checkInteger } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { IndexSource } from '../internal/index-source.ts';
import type { BootstrapOptions } from './bootstrap-options.ts';

/**
 * Bootstrap replicates of the mean: what `bootstrap(sample, mean, options)` gives from the same stream (up to rounding),
 * without building the resamples.
 *
 * @param sample at least one finite number, any unit. A constant sample gives its value every time (up to rounding).
 * @returns the replicates in the order of drawing, in the unit of the values.
 * @throws RangeError for an empty sample, NaN or infinite values, fewer than one replicate.
 * Source as `bootstrap`. O(replicates n), some nanoseconds a draw.
 */
export const bootstrapMeans = (sample: ArrayLike<number>, { replicates, random }: BootstrapOptions): Float64Array => {
  checkSample('sample', sample);
  checkInteger('replicates', replicates, 1);
  const values = Float64Array.from(sample);
  const n = values.length;
  const source = new IndexSource(random);
  const out = new Float64Array(replicates);
  for (let r = 0; r < replicates; r++) out[r] = source.sum(values, 0, n, n) / n;
  return out;
};
