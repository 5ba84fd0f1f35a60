import { checkInteger, checkNumber } from '../internal/check-number.ts';
import { deviance, stirlingError } from '../internal/stirling-error.ts';

/**
 * P(X = k) of the binomial distribution, in [0, 1].
 *
 * @param k integer in [0, trials]. @param trials integer >= 0. @param p probability of a success, in [0, 1].
 * @throws RangeError naming the argument that is out of its range.
 * Relative error near 1e-13, also in far tails. Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000). O(1).
 */
export const binomialPmf = (k: number, trials: number, p: number): number => {
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
};
