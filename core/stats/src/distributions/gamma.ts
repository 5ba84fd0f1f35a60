import { deviance, stirlingError } from './stirling-error.ts';
import { checkNumber } from '../internal/checks.ts';
import { normalQuantile } from './normal.ts';

/** x^a exp(-x) / Gamma(a + 1), by its distance from the most likely x = a (Loader 2000). */
function gammaTerm(a: number, x: number): number {
  if (a < 1) return (Math.exp(a * Math.log(x) - x) * 1) / gammaOfOnePlus(a);
  return Math.exp(-stirlingError(a) - deviance(a, x)) / Math.sqrt(2 * Math.PI * a);
}

/** Gamma(1 + a) for 0 < a < 1, through the recurrence and Stirling's formula. */
function gammaOfOnePlus(a: number): number {
  let product = 1;
  let y = 1 + a;
  while (y < 16) {
    product *= y;
    y += 1;
  }
  return (Math.exp((y - 0.5) * Math.log(y) - y + stirlingError(y)) * Math.sqrt(2 * Math.PI)) / product;
}

/** The regularised incomplete gamma functions: lower P(a, x) and upper Q(a, x), each without cancellation; a > 0, x >= 0. */
function gammaTails(a: number, x: number): { lower: number; upper: number } {
  if (x === 0) return { lower: 0, upper: 1 };
  const front = gammaTerm(a, x);
  if (x < a + 1) {
    let term = 1;
    let total = 1;
    for (let k = 1; term > total * 1e-17; k++) {
      term *= x / (a + k);
      total += term;
    }
    const lower = Math.min(1, front * total);
    return { lower, upper: 1 - lower };
  }
  // Legendre's continued fraction, by the modified Lentz method.
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let k = 1; k < 100_000; k++) {
    const an = -k * (k - a);
    b += 2;
    d = 1 / (an * d + b || tiny);
    c = b + an / c || tiny;
    const factor = d * c;
    fraction *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  const upper = Math.min(1, front * a * fraction);
  return { lower: 1 - upper, upper };
}

/**
 * P(X <= x) of the chi-squared distribution, in [0, 1].
 *
 * @param x any finite number (0 below 0). @param df degrees of freedom, above 0, finite.
 * @throws RangeError when x is not finite or df is not above 0.
 *
 * Relative error below 1e-12 for df up to 1e6 where the result is above 1e-300. Source: incomplete gamma function by its series and
 * Legendre's continued fraction (Abramowitz and Stegun 26.4.19, 6.5.29, 6.5.31). O(sqrt(df)) terms.
 */
export function chiSquaredCdf(x: number, df: number): number {
  checkNumber('x', x);
  checkNumber('df', df, Number.MIN_VALUE);
  return x <= 0 ? 0 : gammaTails(df / 2, x / 2).lower;
}

/**
 * P(X > x) of the chi-squared distribution, in [0, 1], without the cancellation of 1 - cdf.
 *
 * @throws RangeError when x is not finite or df is not above 0. Accuracy, source and cost as `chiSquaredCdf`.
 */
export function chiSquaredSf(x: number, df: number): number {
  checkNumber('x', x);
  checkNumber('df', df, Number.MIN_VALUE);
  return x <= 0 ? 1 : gammaTails(df / 2, x / 2).upper;
}

/**
 * The x with P(X <= x) = p, chi-squared distribution: 0 for p = 0, Infinity for p = 1.
 *
 * @param p in [0, 1]. @param df degrees of freedom, above 0, finite.
 * @throws RangeError when p is outside [0, 1] or df is not above 0.
 *
 * Relative error below 1e-10 unless the result underflows. Start: Wilson and Hilferty (1931); then bisection in ln x, which needs no
 * derivative: some fifty evaluations of `chiSquaredCdf`.
 */
export function chiSquaredQuantile(p: number, df: number): number {
  checkNumber('p', p, 0, 1);
  checkNumber('df', df, Number.MIN_VALUE);
  if (p === 0) return 0;
  if (p === 1) return Infinity;
  const a = df / 2;

  // Compare the smaller tail, which keeps its digits.
  function below(x: number): boolean {
    const { lower, upper } = gammaTails(a, x);
    return p < 0.5 ? lower < p : upper > 1 - p;
  }

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
}

/**
 * P(X <= x) of the exponential distribution: 1 - exp(-rate x), in [0, 1]; 0 below 0.
 *
 * @param x finite. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when x is not finite or the rate is not above 0. Without cancellation near 0. O(1).
 */
export function exponentialCdf(x: number, rate: number = 1): number {
  checkNumber('x', x);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return x <= 0 ? 0 : -Math.expm1(-rate * x);
}

/**
 * P(X > x) of the exponential distribution: exp(-rate x), in [0, 1]; 1 below 0.
 *
 * @param x finite. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when x is not finite or the rate is not above 0. O(1).
 */
export function exponentialSf(x: number, rate: number = 1): number {
  checkNumber('x', x);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return x <= 0 ? 1 : Math.exp(-rate * x);
}

/**
 * The x with P(X <= x) = p, exponential distribution: -ln(1 - p)/rate; 0 for p = 0, Infinity for p = 1.
 *
 * @param p in [0, 1]. @param rate arrivals a unit of x, above 0, finite; default 1.
 * @throws RangeError when p is outside [0, 1] or the rate is not above 0. O(1).
 */
export function exponentialQuantile(p: number, rate: number = 1): number {
  checkNumber('p', p, 0, 1);
  checkNumber('rate', rate, Number.MIN_VALUE);
  return p === 0 ? 0 : -Math.log1p(-p) / rate;
}
