import { checkInteger, checkNumber } from '../internal/checks.ts';
import { deviance, stirlingError } from './stirling-error.ts';

/**
 * P(X = k) of the binomial distribution, in [0, 1].
 *
 * @param k integer in [0, trials]. @param trials integer >= 0. @param p probability of a success, in [0, 1].
 * @throws RangeError naming the argument that is out of its range.
 * Relative error near 1e-13, also in far tails. Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000). O(1).
 */
export function binomialPmf(k: number, trials: number, p: number): number {
  checkInteger('trials', trials, 0);
  checkInteger('k', k, 0, trials);
  checkNumber('p', p, 0, 1);
  if (p === 0) return k === 0 ? 1 : 0;
  if (p === 1) return k === trials ? 1 : 0;
  if (k === 0) return Math.exp(trials * Math.log1p(-p));
  const q = 1 - p;
  const rest = trials - k;
  if (rest === 0) return Math.exp(trials * Math.log(p));
  const exponent =
    stirlingError(trials) -
    stirlingError(k) -
    stirlingError(rest) -
    deviance(k, trials * p) -
    deviance(rest, trials * q);
  return Math.exp(exponent) * Math.sqrt(trials / (2 * Math.PI * k * rest));
}

/** P(X <= k) for k below the mean: from k downwards the terms fall faster than a geometric series. */
function binomialLowerTail(k: number, trials: number, p: number): number {
  if (k < 0) return 0;
  const odds = (1 - p) / p;
  let term = 1;
  let total = 1;
  for (let i = k; i > 0 && term > total * 1e-17; i--) {
    term *= (i / (trials - i + 1)) * odds;
    total += term;
  }
  return Math.min(1, binomialPmf(k, trials, p) * total);
}

/** P(X > k) for k + 1 above the mean, the same upwards; in p itself, as 1 - p forgets the digits of a small p. */
function binomialUpperTail(k: number, trials: number, p: number): number {
  if (k >= trials) return 0;
  const odds = p / (1 - p);
  let term = 1;
  let total = 1;
  for (let i = k + 1; i < trials && term > total * 1e-17; i++) {
    term *= ((trials - i) / (i + 1)) * odds;
    total += term;
  }
  return Math.min(1, binomialPmf(k + 1, trials, p) * total);
}

/**
 * P(X <= k) of the binomial distribution, in [0, 1].
 *
 * @param k any integer: 0 below 0, 1 from `trials` on. @param trials integer >= 0. @param p probability of a success, in [0, 1].
 * @throws RangeError naming the argument that is out of its range.
 *
 * The smaller tail is summed, relative error near 1e-12; for a small upper tail ask `binomialSf`. O(sqrt(trials)) terms.
 */
export function binomialCdf(k: number, trials: number, p: number): number {
  checkInteger('k', k, -Number.MAX_SAFE_INTEGER);
  checkInteger('trials', trials, 0);
  checkNumber('p', p, 0, 1);
  if (k < 0) return 0;
  if (k >= trials || p === 0) return 1;
  if (p === 1) return 0;
  return k <= trials * p ? binomialLowerTail(k, trials, p) : 1 - binomialUpperTail(k, trials, p);
}

/**
 * P(X > k) of the binomial distribution, in [0, 1], without the cancellation of 1 - cdf.
 *
 * Arguments, errors, accuracy and cost as `binomialCdf`; a very small p keeps its digits.
 */
export function binomialSf(k: number, trials: number, p: number): number {
  checkInteger('k', k, -Number.MAX_SAFE_INTEGER);
  checkInteger('trials', trials, 0);
  checkNumber('p', p, 0, 1);
  if (k < 0) return 1;
  if (k >= trials || p === 0) return 0;
  if (p === 1) return 1;
  return k + 1 > trials * p ? binomialUpperTail(k, trials, p) : 1 - binomialLowerTail(k, trials, p);
}

/**
 * The smallest k with P(X <= k) >= q, binomial distribution.
 *
 * @param q in [0, 1]. @param trials integer >= 0. @param p probability of a success, in [0, 1].
 * @returns an integer in [0, trials]; trials for q = 1 where p > 0. Of q and 1 - q the smaller one is compared, with the tail on its
 *   side; probabilities within 1e-13 (relative) of it count as reached.
 * @throws RangeError naming the argument that is out of its range.
 * Bisection: O(log(trials)) evaluations of `binomialCdf` or `binomialSf`.
 */
export function binomialQuantile(q: number, trials: number, p: number): number {
  checkNumber('q', q, 0, 1);
  checkInteger('trials', trials, 0);
  checkNumber('p', p, 0, 1);
  if (q === 1 && p > 0) return trials;

  function reaches(k: number): boolean {
    return q > 0.5 ? binomialSf(k, trials, p) <= (1 - q) * (1 + 1e-13) : binomialCdf(k, trials, p) >= q * (1 - 1e-13);
  }

  let low = -1;
  let high = trials;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return q === 0 ? 0 : high;
}
