import { checkSample } from '../internal/check-sample.ts';
import { sum } from '../internal/sum.ts';

/**
 * Geometric mean, exp(mean(ln x)), in the unit of the values; the mean for ratios.
 *
 * @param sample at least one finite number, all above 0.
 * @throws RangeError for an empty sample, or a value that is not a finite number above 0.
 *
 * Works on logarithms, so products that overflow or underflow a double do no harm.
 * Source: Bulej et al., ICPE'20, section 3, step 2 and 3. O(n).
 */
export const geometricMean = (sample: ArrayLike<number>): number => {
  checkSample('sample', sample);
  const logs = new Float64Array(sample.length);
  for (let i = 0; i < logs.length; i++) {
    const value = sample[i]!;
    if (!(value > 0)) throw new RangeError(`sample[${i}] must be above 0 for a geometric mean, got ${value}`);
    logs[i] = Math.log(value);
  }
  return Math.exp(sum(logs) / logs.length);
};
