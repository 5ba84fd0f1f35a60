import { chiSquaredCdf } from '../distributions/chi-squared-cdf.ts';
import { normalTail } from './normal-tail.ts';

const SQRT_2PI = 2.5066282746310002;
/** Steps and half range of the normal density; its tail beyond is below 1e-21. */
const Z_STEP = 1 / 16;
const Z_RANGE = 9.5;

/** The probability of chi <= (z + delta) / t averaged over the normal density of z: smooth where chi scatters more than z. */
const overNormal = (t: number, df: number, delta: number): number => {
  let total = 0;
  for (let i = -Z_RANGE / Z_STEP; i <= Z_RANGE / Z_STEP; i++) {
    const z = i * Z_STEP;
    const s = Math.max(0, (z + delta) / t);
    total += Math.exp(-0.5 * z * z) * chiSquaredCdf(df * s * s, df);
  }
  return (total * Z_STEP) / SQRT_2PI;
};

/**
 * P(T' > t) of the noncentral t distribution with noncentrality delta, t > 0: the power of a one-sided t test with critical
 * value t. Phi(delta - t s) averaged over the density of s = sqrt(chi^2/df), by the trapezoidal rule in ln s; where Phi rises
 * more steeply than that rule resolves, the other way round, over the normal density.
 */
export const noncentralUpperTail = (t: number, df: number, delta: number): number => {
  if (delta > 2 * Math.sqrt(2 * df)) return overNormal(t, df, delta);
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
