import { mean } from './mean.ts';
import { variance } from './variance.ts';

/**
 * Sample standard deviation, the square root of `variance` (divisor n - 1), in the unit of the values; also where the variance
 * itself would leave the range of a double.
 *
 * @param sample at least two finite numbers. A constant sample has 0.
 * @throws RangeError for fewer than two values, NaN or infinite values. O(n).
 */
export const standardDeviation = (sample: ArrayLike<number>): number => {
  const squared = variance(sample);
  if (squared > 1e-280 && squared < Infinity) return Math.sqrt(squared);
  // Squares of deviations that were scaled to [-1, 1] neither overflow nor vanish. Halves, since a difference may overflow.
  const centre = mean(sample) / 2;
  const halves = Float64Array.from(sample, (value) => value / 2 - centre);
  const largest = halves.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? 0 : 2 * largest * Math.sqrt(variance(halves.map((value) => value / largest)));
};
