import { binomialCdf } from './binomial-cdf.ts';

/**
 * P(X > k) of the binomial distribution, in [0, 1], without the cancellation of 1 - cdf.
 *
 * Arguments, errors, accuracy and cost as `binomialCdf`, to which it leads by counting failures.
 */
export const binomialSf = (k: number, trials: number, p: number): number => binomialCdf(trials - k - 1, trials, 1 - p);
