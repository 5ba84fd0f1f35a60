import { normalTail } from './normal-tail.ts';

/**
 * P(T' > t) of the noncentral t distribution with noncentrality delta: the power of a one-sided t test with critical value t.
 * Phi(delta - t s) averaged over the density of s = sqrt(chi^2/df), by the trapezoidal rule in ln s.
 */
export const noncentralUpperTail = (t: number, df: number, delta: number): number => {
  // With y = ln s the density is proportional to exp(df (y + 1/2 - exp(2y)/2)), at most 1, standard deviation about 1/sqrt(2 df).
  const width = 1 / Math.sqrt(2 * df);
  const h = width / 8;
  // With few degrees of freedom the density only falls like exp(df y) below the peak; the lower end reaches 1e-17 of the peak.
  const from = df < 100 ? -Math.max(12 * width, 40 / df + 0.5) : -12 * width;
  const to = Math.min(12 * width, Math.log(2 + 9 * width));
  let total = 0;
  let norm = 0;
  for (let i = Math.ceil(from / h); i * h <= to; i++) {
    const y = i * h;
    const z = delta - t * Math.exp(y);
    const weight = Math.exp(df * (y - 0.5 * Math.expm1(2 * y)));
    total += weight * (z < 0 ? normalTail(-z) : 1 - normalTail(z));
    norm += weight;
  }
  return total / norm;
};
