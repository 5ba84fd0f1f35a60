import { checkSample } from '../internal/check-sample.ts';
import { quantiles } from '../samples/quantiles.ts';
import { standardDeviation } from '../samples/standard-deviation.ts';

/**
 * Silverman's rule of thumb for the bandwidth of a Gaussian kernel: 0.9 min(sd, IQR/1.34) n^(-1/5), in the unit of the values.
 *
 * @param sample at least one finite number. When the quartiles are equal the standard deviation alone counts, for a constant
 *   sample (or one value) its absolute value, and 1 for zeros: always above 0.
 * @throws RangeError for an empty sample, NaN or infinite values.
 * Equal to R's `bw.nrd0`. Source: Silverman (1986), equation 3.31. Expected O(n).
 */
export const silvermanBandwidth = (sample: ArrayLike<number>): number => {
  checkSample('sample', sample);
  const n = sample.length;
  const sd = n > 1 ? standardDeviation(sample) : 0;
  const [q1, q3] = quantiles(sample, [0.25, 0.75]);
  const spread = Math.min(sd, (q3! - q1!) / 1.34) || sd || Math.abs(sample[0]!) || 1;
  return Math.max(Number.MIN_VALUE, 0.9 * spread * n ** -0.2);
};
