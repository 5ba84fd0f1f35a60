import { checkNumber } from '../internal/check-number.ts';
import { median } from './median.ts';

/**
 * Median of the absolute deviations from the median, times `scale`; in the unit of the values.
 *
 * @param sample at least one finite number. One value, or more than half of them equal, gives 0.
 * @param options.scale default 1; 1.4826 makes it an estimate of a normal distribution's standard deviation (R's `mad`).
 * @throws RangeError for an empty sample, NaN or infinite values, a scale that is not above 0.
 * Source: F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69 (1974). Expected O(n).
 */
export const medianAbsoluteDeviation = (
  sample: ArrayLike<number>,
  options: { readonly scale?: number } = {},
): number => {
  const scale = checkNumber('scale', options.scale ?? 1, Number.MIN_VALUE);
  const centre = median(sample);
  return scale * median(Float64Array.from(sample, (value) => Math.abs(value - centre)));
};
