import { checkSample } from '../internal/checks.ts';

/**
 * Sum with Neumaier's compensation: the error does not grow with the number of values.
 * Source: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974). O(n).
 * Infinite, never NaN, when a partial sum leaves the range of a double.
 */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return Number.isFinite(total) ? total + lost : total;
}

/** The smallest of any number of values, of which `Math.min` takes about 100 000; Infinity where there is none. O(n). */
export function smallest(values: Iterable<number>): number {
  let found = Infinity;
  for (const value of values) found = Math.min(found, value);
  return found;
}

/** The largest of any number of values, of which `Math.max` takes about 100 000; -Infinity where there is none. O(n). */
export function largest(values: Iterable<number>): number {
  let found = -Infinity;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/**
 * Arithmetic mean, in the unit of the values.
 *
 * @param sample at least one finite number. One value is its own mean.
 * @throws RangeError for an empty sample, NaN or infinite values.
 *
 * Compensated summation, so relative error stays near 1e-16 for any length. O(n).
 */
export function mean(sample: ArrayLike<number>): number {
  checkSample('sample', sample);
  const n = sample.length;
  const total = sum(sample);
  // Near the end of a double's range the sum overflows where the mean does not: then sum shares of the values.
  return Number.isFinite(total) ? total / n : sum(Float64Array.from(sample, (value) => value / n));
}

/**
 * Geometric mean, exp(mean(ln x)), in the unit of the values; the mean for ratios.
 *
 * @param sample at least one finite number, all above 0.
 * @throws RangeError for an empty sample, or a value that is not a finite number above 0.
 *
 * Works on logarithms, so products that overflow or underflow a double do no harm.
 * Source: Bulej et al., ICPE'20, section 3, step 2 and 3. O(n).
 */
export function geometricMean(sample: ArrayLike<number>): number {
  checkSample('sample', sample);
  const logs = new Float64Array(sample.length);
  for (let i = 0; i < logs.length; i++) {
    const value = sample[i]!;
    if (!(value > 0)) throw new RangeError(`sample[${i}] must be above 0 for a geometric mean, got ${value}`);
    logs[i] = Math.log(value);
  }
  return Math.exp(sum(logs) / logs.length);
}

/**
 * Sample variance with divisor n - 1, in the square of the values' unit.
 *
 * @param sample at least two finite numbers. A constant sample has variance 0.
 * @throws RangeError for fewer than two values (there is no spread to estimate), NaN or infinite values.
 *
 * Infinity, or 0, where the squares of the deviations leave the range of a double (deviations above 1e154, below 1e-162).
 * Two passes with the correction term of Chan, Golub and LeVeque (The American Statistician 37, 1983), so a large common
 * offset costs no digits. O(n).
 */
export function variance(sample: ArrayLike<number>): number {
  checkSample('sample', sample, 2);
  const n = sample.length;
  const centre = mean(sample);
  let squares = 0;
  let rest = 0;
  for (let i = 0; i < n; i++) {
    const d = sample[i]! - centre;
    squares += d * d;
    rest += d;
  }
  return squares === Infinity ? Infinity : Math.max(0, (squares - (rest * rest) / n) / (n - 1));
}

/**
 * Sample standard deviation, the square root of `variance` (divisor n - 1), in the unit of the values; also where the variance
 * itself would leave the range of a double.
 *
 * @param sample at least two finite numbers. A constant sample has 0.
 * @throws RangeError for fewer than two values, NaN or infinite values. O(n).
 */
export function standardDeviation(sample: ArrayLike<number>): number {
  const squared = variance(sample);
  if (squared > 1e-280 && squared < Infinity) return Math.sqrt(squared);
  // Squares of deviations that were scaled to [-1, 1] neither overflow nor vanish. Halves, since a difference may overflow.
  const centre = mean(sample) / 2;
  const halves = Float64Array.from(sample, (value) => value / 2 - centre);
  const largest = halves.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? 0 : 2 * largest * Math.sqrt(variance(halves.map((value) => value / largest)));
}

/**
 * Coefficient of variation: sample standard deviation (divisor n - 1) over the absolute value of the mean; without unit, >= 0.
 *
 * @param sample at least two finite numbers whose mean is not 0.
 * @throws RangeError for fewer than two values, a mean of 0, NaN or infinite values.
 * Source: Laaber et al., FSE'20, section 4.2 (stop rule on the coefficient of variation). O(n).
 */
export function coefficientOfVariation(sample: ArrayLike<number>): number {
  const spread = standardDeviation(sample);
  const centre = mean(sample);
  if (centre === 0) throw new RangeError('sample must not have mean 0 for a coefficient of variation');
  return spread / Math.abs(centre);
}

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
