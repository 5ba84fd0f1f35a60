import { binomialLowerTail, binomialUpperTail } from '../internal/binomial-tails.ts';
import { checkInteger, checkNumber } from '../internal/check-number.ts';

/**
 * P(X > k) of the binomial distribution, in [0, 1], without the cancellation of 1 - cdf.
 *
 * Arguments, errors, accuracy and cost as `binomialCdf`; a very small p keeps its digits.
 */
export const binomialSf = (k: number, trials: number, p: number): number => {
  checkInteger('k', k, -Number.MAX_SAFE_INTEGER);
  checkInteger('trials', trials, 0);
  checkNumber('p', p, 0, 1);
  if (k < 0) return 1;
  if (k >= trials || p === 0) return 0;
  if (p === 1) return 1;
  return k + 1 > trials * p ? binomialUpperTail(k, trials, p) : 1 - binomialLowerTail(k, trials, p);
};
