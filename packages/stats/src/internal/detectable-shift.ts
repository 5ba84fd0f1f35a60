import { studentTQuantile } from '../distributions/student-t-quantile.ts';
import { noncentralUpperTail } from './noncentral-upper-tail.ts';

/** Whether a standard deviation is that of the population, or of a sample of as many values. */
export type Spread = 'known' | 'estimated';

/**
 * Values of s / sigma of n values and their probabilities: chi / df^(1/2) on a grid of its logarithm, on which the average of a
 * smooth function is exact to about 1e-5.
 */
const relativeDeviations = (
  df: number,
): { readonly ratios: readonly number[]; readonly weights: readonly number[] } => {
  const width = 1 / Math.sqrt(2 * df);
  const from = df < 100 ? -Math.max(5 * width, 14 / df) : -5 * width;
  const to = Math.min(5 * width, Math.log(2 + 4 * width));
  const step = width / 3;
  const ratios: number[] = [];
  const weights: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; i++) {
    const y = i * step;
    ratios.push(Math.exp(y));
    weights.push(Math.exp(df * (y - 0.5 * Math.expm1(2 * y))));
  }
  const norm = weights.reduce((sum, weight) => sum + weight, 0);
  return { ratios, weights: weights.map((weight) => weight / norm) };
};

/** Shifts that were asked for lately: that of an estimated spread takes 15 ms, and the benchmarks of an experiment ask for the same one. */
const found = new Map<string, number>();
const mostFound = 256;

/**
 * The smallest true shift, in standard errors, that a t interval of the given two-sided level over n values leaves behind with
 * the given probability. With `estimated` the standard error is itself that of n values, independent of those that are to detect:
 * the probability is the average over what it may be. Regula falsi on the noncentral t distribution, the Illinois variant (M. Dowell, P. Jarratt, BIT 11, 1971).
 */
export const detectableShift = (n: number, confidence: number, power: number, spread: Spread = 'known'): number => {
  const key = `${n} ${confidence} ${power} ${spread}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  if (found.size >= mostFound) found.clear();
  const shift = searchShift(n, confidence, power, spread);
  found.set(key, shift);
  return shift;
};

function searchShift(n: number, confidence: number, power: number, spread: Spread): number {
  const df = n - 1;
  const critical = -studentTQuantile((1 - confidence) / 2, df);
  const { ratios, weights } = spread === 'known' ? { ratios: [1], weights: [1] } : relativeDeviations(df);
  const excess = (shift: number): number =>
    ratios.reduce((sum, ratio, i) => sum + weights[i]! * noncentralUpperTail(critical, df, shift * ratio), -power);
  let low = 0;
  let high = 1;
  let atLow = excess(low);
  let atHigh = excess(high);
  while (atHigh < 0) {
    low = high;
    atLow = atHigh;
    high *= 2;
    atHigh = excess(high);
  }
  if (atLow >= 0) return low;
  let last = high;
  let lastSide = 0;
  for (let i = 0; i < 100; i++) {
    const shift = high - (atHigh * (high - low)) / (atHigh - atLow);
    const value = excess(shift);
    if (value === 0 || Math.abs(shift - last) <= 1e-14 * shift) return shift;
    last = shift;
    const side = Math.sign(value);
    if (side < 0) {
      low = shift;
      atLow = value;
      if (side === lastSide) atHigh /= 2;
    } else {
      high = shift;
      atHigh = value;
      if (side === lastSide) atLow /= 2;
    }
    lastSide = side;
  }
  return last;
}
