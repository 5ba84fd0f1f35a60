import { binomialPmf } from '../distributions/binomial-pmf.ts';

/** P(X <= k) for k below the mean: from k downwards the terms fall faster than a geometric series. */
export const binomialLowerTail = (k: number, trials: number, p: number): number => {
  if (k < 0) return 0;
  const odds = (1 - p) / p;
  let term = 1;
  let total = 1;
  for (let i = k; i > 0 && term > total * 1e-17; i--) {
    term *= (i / (trials - i + 1)) * odds;
    total += term;
  }
  return Math.min(1, binomialPmf(k, trials, p) * total);
};

/** P(X > k) for k + 1 above the mean, the same upwards; in p itself, as 1 - p forgets the digits of a small p. */
export const binomialUpperTail = (k: number, trials: number, p: number): number => {
  if (k >= trials) return 0;
  const odds = p / (1 - p);
  let term = 1;
  let total = 1;
  for (let i = k + 1; i < trials && term > total * 1e-17; i++) {
    term *= ((trials - i) / (i + 1)) * odds;
    total += term;
  }
  return Math.min(1, binomialPmf(k + 1, trials, p) * total);
};
