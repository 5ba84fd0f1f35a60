import { checkSample } from '../internal/checks.ts';
import { mean } from './moments.ts';

/**
 * Autocorrelation of a series at a lag: the sum of the products of deviations from the mean that are `lag` apart, over the sum of
 * their squares. For independent values its mean is about -1 / n and its standard deviation about 1 / sqrt(n).
 *
 * @param values in their order, more than `lag` of them, finite.
 * @returns -1..1; NaN when all values are equal.
 * @throws RangeError for fewer values, values that are not finite, or a lag that is no whole number above 0.
 * Source: Box, Jenkins, Reinsel: Time Series Analysis, section 2.1.5. O(n).
 */
export function autocorrelation(values: ArrayLike<number>, lag = 1): number {
  if (!Number.isInteger(lag) || lag < 1) throw new RangeError(`lag must be a whole number above 0, got ${lag}`);
  checkSample('values', values, lag + 1);
  const centre = mean(values);
  let products = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i]! - centre;
    squares += deviation * deviation;
    if (i >= lag) products += deviation * (values[i - lag]! - centre);
  }
  return products / squares;
}
