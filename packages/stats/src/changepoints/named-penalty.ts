import { checkInteger } from '../internal/check-number.ts';
import type { ChangeKind } from './segment-cost.ts';

/** bic and mbic: the (modified) Bayesian information criterion; barrett: 15 ln n of the warm-up studies. */
export type PenaltyName = 'bic' | 'mbic' | 'barrett';

/**
 * The penalty for one change point of a series of n values, by name; without unit (twice a log-likelihood).
 *
 * bic: (p + 1) ln n with p parameters a segment (meanvar 2, mean and var 1), the change point counted as one more;
 * mbic: (p + 2) ln n, meant together with ln(length) added to each segment's cost (`pelt` does that);
 * barrett: 15 ln n.
 *
 * @throws RangeError for n < 1 or another name.
 * Sources: R package changepoint 2.3 for the counting; N. R. Zhang, D. O. Siegmund, Biometrics 63 (2007) for the modified BIC;
 * E. Barrett et al., "Virtual machine warmup blows hot and cold", OOPSLA 2017, section 4.2. O(1).
 */
export const namedPenalty = (name: PenaltyName, n: number, cost: ChangeKind = 'meanvar'): number => {
  checkInteger('n', n, 1);
  const parameters = cost === 'meanvar' ? 2 : 1;
  if (name === 'bic') return (parameters + 1) * Math.log(n);
  if (name === 'mbic') return (parameters + 2) * Math.log(n);
  if (name === 'barrett') return 15 * Math.log(n);
  throw new RangeError(`penalty must be a number, 'bic', 'mbic' or 'barrett', got ${String(name)}`);
};
