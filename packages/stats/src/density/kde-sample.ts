import { checkInteger, checkNumber } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import type { Random } from '../random/random.ts';
import { ucvBandwidth } from './ucv-bandwidth.ts';

/** How many to draw, how smooth, from which stream. */
export interface KdeSampleOptions {
  /** Number of draws, >= 0. */
  readonly size: number;
  readonly random: Random;
  /** Standard deviation of the kernel, >= 0; 0 draws the values themselves. Default `ucvBandwidth`. */
  readonly bandwidth?: number;
}

/**
 * Draws from a Gaussian kernel density estimate (the smoothed bootstrap): a value of the sample plus normal noise.
 *
 * @param sample at least one finite number (two different ones for the default bandwidth).
 * @returns the draws, in the unit of the values. Their variance is the sample's (divisor n) plus the squared bandwidth.
 * @throws RangeError for an empty sample, NaN or infinite values, a negative size or bandwidth.
 * Source: Silverman (1986), section 6.4.1; OOPSLA'26, section 5, draws run and segment effects so. O(size).
 */
export const kdeSample = (sample: ArrayLike<number>, options: KdeSampleOptions): Float64Array => {
  checkSample('sample', sample);
  const { size, random } = options;
  checkInteger('size', size, 0);
  const bandwidth = checkNumber('bandwidth', options.bandwidth ?? ucvBandwidth(sample), 0);
  const out = new Float64Array(size);
  for (let i = 0; i < size; i++) out[i] = sample[random.int(sample.length)]! + bandwidth * random.normal();
  return out;
};
