import { checkInteger, checkNumber } from '../internal/check-number.ts';
import { binomialCdf } from './binomial-cdf.ts';
import { binomialSf } from './binomial-sf.ts';

/**
 * The smallest k with P(X <= k) >= q, binomial distribution.
 *
 * @param q in [0, 1]. @param trials integer >= 0. @param p probability of a success, in [0, 1].
 * @returns an integer in [0, trials]; trials for q = 1 where p > 0. Of q and 1 - q the smaller one is compared, with the tail on its
 *   side; probabilities within 1e-13 (relative) of it count as reached.
 * @throws RangeError naming the argument that is out of its range.
 * Bisection: O(log(trials)) evaluations of `binomialCdf` or `binomialSf`.
 */
export const binomialQuantile = (q: number, trials: number, p: number): number => {
  checkNumber('q', q, 0, 1);
  checkInteger('trials', trials, 0);
  checkNumber('p', p, 0, 1);
  if (q === 1 && p > 0) return trials;
  const reaches = (k: number): boolean =>
    q > 0.5 ? binomialSf(k, trials, p) <= (1 - q) * (1 + 1e-13) : binomialCdf(k, trials, p) >= q * (1 - 1e-13);
  let low = -1;
  let high = trials;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return q === 0 ? 0 : high;
};
