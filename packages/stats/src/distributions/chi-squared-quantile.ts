import { checkNumber } from '../internal/check-number.ts';
import { gammaTails } from '../internal/gamma-tails.ts';
import { normalQuantile } from './normal-quantile.ts';

/**
 * The x with P(X <= x) = p, chi-squared distribution: 0 for p = 0, Infinity for p = 1.
 *
 * @param p in [0, 1]. @param df degrees of freedom, above 0, finite.
 * @throws RangeError when p is outside [0, 1] or df is not above 0.
 *
 * Relative error below 1e-10 unless the result underflows. Start: Wilson and Hilferty (1931); then bisection in ln x, which needs no
 * derivative: some fifty evaluations of `chiSquaredCdf`.
 */
export const chiSquaredQuantile = (p: number, df: number): number => {
  checkNumber('p', p, 0, 1);
  checkNumber('df', df, Number.MIN_VALUE);
  if (p === 0) return 0;
  if (p === 1) return Infinity;
  const a = df / 2;
  // Compare the smaller tail, which keeps its digits.
  const below = (x: number): boolean => {
    const { lower, upper } = gammaTails(a, x);
    return p < 0.5 ? lower < p : upper > 1 - p;
  };
  const third = 1 - 2 / (9 * df) + normalQuantile(p) * Math.sqrt(2 / (9 * df));
  const start = Math.log(Math.max(a * third ** 3, 1e-300));
  let step = 0.01;
  let low = start;
  while (!below(Math.exp(low)) && low > -745) {
    low -= step;
    step *= 2;
  }
  step = 0.01;
  let high = Math.max(start, low);
  while (below(Math.exp(high))) {
    high += step;
    step *= 2;
  }
  while (high - low > 1e-15 * Math.max(1, Math.abs(high))) {
    const middle = 0.5 * (low + high);
    if (middle === low || middle === high) break;
    if (below(Math.exp(middle))) low = middle;
    else high = middle;
  }
  return 2 * Math.exp(0.5 * (low + high));
};
