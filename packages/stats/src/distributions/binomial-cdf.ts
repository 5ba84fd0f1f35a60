import { binomialLowerTail, binomialUpperTail } from '../internal/binomial-tails.ts';
import { checkInteger, checkNumber } from '../internal/check-number.ts';

/**
 * P(X <= k) of the binomial distribution, in [0, 1].
 *
 * @param k any integer: 0 below 0, 1 from `trials` on. @param trials integer >= 0. @param p probability of a success, in [0, 1].
 * @throws RangeError naming the argument that is out of its range.
 *
 * The smaller tail is summed, relative error near 1e-12; for a small upper tail ask `binomialSf`. O(sqrt(trials)) terms.
 */
export const binomialCdf = (k: number, trials: number, p: number): number => {
  checkInteger('k', k, -Number.MAX_SAFE_INTEGER);
  checkInteger('trials', trials, 0);
  checkNumber('p', p, 0, 1);
  if (k < 0) return 0;
  if (k >= trials || p === 0) return 1;
  if (p === 1) return 0;
  return k <= trials * p ? binomialLowerTail(k, trials, p) : 1 - binomialUpperTail(k, trials, p);
};
