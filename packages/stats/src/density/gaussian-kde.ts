import { checkNumber } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { silvermanBandwidth } from './silverman-bandwidth.ts';

/** How to smooth. */
export interface KdeOptions {
  /** Standard deviation of the kernel, in the unit of the values, above 0; default `silvermanBandwidth`. */
  readonly bandwidth?: number;
  /** Kernels further than so many bandwidths away count as 0; default 39, where they underflow. */
  readonly cutoff?: number;
}

const SQRT_2PI = 2.5066282746310002;

/**
 * Gaussian kernel density estimate at given points, in 1/unit of the values.
 *
 * @param sample at least one finite number. @param points where to evaluate, finite, any order.
 * @returns the densities in the order of the points: (1/(n h)) sum phi((point - x)/h), summed directly; Infinity where that
 *   leaves the range of a double, as for a bandwidth below 1e-308.
 * @throws RangeError for an empty sample, NaN or infinite values, a bandwidth or cutoff that is not above 0.
 *
 * Source: B. W. Silverman, Density Estimation (1986), equation 2.2a. O(n log n + points times values within the cutoff).
 */
export const gaussianKde = (
  sample: ArrayLike<number>,
  points: ArrayLike<number>,
  options: KdeOptions = {},
): Float64Array => {
  checkSample('sample', sample);
  checkSample('points', points, 0);
  const bandwidth = checkNumber('bandwidth', options.bandwidth ?? silvermanBandwidth(sample), Number.MIN_VALUE);
  const cutoff = checkNumber('cutoff', options.cutoff ?? 39, Number.MIN_VALUE);
  const sorted = Float64Array.from(sample).sort();
  const n = sorted.length;
  const reach = cutoff * bandwidth;
  const scale = 1 / (n * bandwidth * SQRT_2PI);
  return Float64Array.from(points, (point) => {
    let low = 0;
    let high = n;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < point - reach) low = middle + 1;
      else high = middle;
    }
    let total = 0;
    for (let i = low; i < n && sorted[i]! <= point + reach; i++) {
      const z = (point - sorted[i]!) / bandwidth;
      total += Math.exp(-0.5 * z * z);
    }
    // Infinity, where a density leaves the range of a double, times 0 would be no number.
    return total === 0 ? 0 : total * scale;
  });
};
