import { checkNumber } from '../internal/checks.ts';

const sqrt2Pi = 2.5066282746310002;

/** Density of the standard normal distribution; exp(-z^2/2) with z split, so that far tails keep their digits. */
function normalDensity(z: number): number {
  const coarse = Math.trunc(z * 16) / 16;
  return (Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * (z - coarse) * (z + coarse))) / sqrt2Pi;
}

/** P(0 < Z < z) for z >= 0 by the series phi(z) (z + z^3/3 + z^5/15 + ...): all terms positive, nothing cancels. */
function normalCentre(z: number): number {
  let term = z;
  let total = z;
  for (let k = 3; term > total * 1e-17; k += 2) {
    term *= (z * z) / k;
    total += term;
  }
  return normalDensity(z) * total;
}

/** P(Z > z) for z >= 0: the central series up to 2.5, beyond it Laplace's continued fraction for Mills' ratio. */
export function normalTail(z: number): number {
  if (z < 2.5) return 0.5 - normalCentre(z);
  if (z > 40) return 0;
  let fraction = z;
  for (let k = Math.ceil(10 + 300 / (z * z)); k > 0; k--) fraction = z + k / fraction;
  return normalDensity(z) / fraction;
}

/** ln P(Z > z) for z >= 0, also where the probability underflows. */
export function normalLogTail(z: number): number {
  if (z < 2.5) return Math.log(normalTail(z));
  let fraction = z;
  for (let k = Math.ceil(10 + 300 / (z * z)); k > 0; k--) fraction = z + k / fraction;
  return -0.5 * z * z - Math.log(sqrt2Pi * fraction);
}

/**
 * P(Z <= z) of the standard normal distribution, in [0, 1].
 *
 * Relative error below 1e-13 down to 1e-300; use it with a negative z, or `normalSf`, for small probabilities.
 * @throws RangeError when z is NaN or infinite.
 * Source: power series and Laplace's continued fraction (Abramowitz and Stegun 26.2.11 and 26.2.14). O(1).
 */
export function normalCdf(z: number): number {
  checkNumber('z', z);
  return z < 0 ? normalTail(-z) : 1 - normalTail(z);
}

/**
 * P(Z > z) of the standard normal distribution, in [0, 1], without the cancellation of 1 - cdf.
 *
 * @throws RangeError when z is NaN or infinite. Accuracy and source as `normalCdf`. O(1).
 */
export function normalSf(z: number): number {
  return normalCdf(-z);
}

/**
 * ln P(Z <= z) of the standard normal distribution, at most 0; also where the probability itself underflows (z below -38).
 *
 * Relative error below 1e-13; -Infinity only below -1e154.
 * @throws RangeError when z is NaN or infinite.
 * Source as `normalCdf`. O(1).
 */
export function normalLogCdf(z: number): number {
  checkNumber('z', z);
  return z < 0 ? normalLogTail(-z) : Math.log1p(-normalTail(z));
}

/**
 * ln P(Z > z) of the standard normal distribution, at most 0; also where the probability itself underflows (z above 38).
 *
 * @throws RangeError when z is NaN or infinite. Accuracy and source as `normalLogCdf`. O(1).
 */
export function normalLogSf(z: number): number {
  return normalLogCdf(-z);
}

/**
 * z >= 0 with P(Z > z) = q, for 0 < q <= 1/2. `distance` is 1/2 - q; near the centre it holds digits that q has lost.
 * Start: Abramowitz and Stegun 26.2.23 (error below 4.5e-4); then Halley steps, which treble the correct digits.
 */
export function normalUpperQuantile(q: number, distance: number): number {
  if (distance === 0) return 0;
  const t = Math.sqrt(-2 * Math.log(q));
  const start = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  let z = Math.max(t - start, 0);
  for (let i = 0; i < 3; i++) {
    const error = distance < 0.4 ? distance - normalCentre(z) : normalTail(z) - q;
    const ratio = error / normalDensity(z);
    z += ratio / (1 - 0.5 * z * ratio);
  }
  return z;
}

/**
 * The z with P(Z <= z) = p, standard normal distribution. p = 0 gives -Infinity and p = 1 Infinity.
 *
 * @param p probability in [0, 1]. For a quantile far in the upper tail ask for the small lower p and change the sign.
 * @throws RangeError when p is NaN or outside [0, 1].
 *
 * Relative error below 1e-13 for p down to 1e-300 and next to 1/2. O(1).
 */
export function normalQuantile(p: number): number {
  checkNumber('p', p, 0, 1);
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  return p < 0.5 ? -normalUpperQuantile(p, 0.5 - p) : normalUpperQuantile(1 - p, p - 0.5);
}
