const SQRT_2PI = 2.5066282746310002;

/** Density of the standard normal distribution; exp(-z^2/2) with z split, so that far tails keep their digits. */
export const normalDensity = (z: number): number => {
  const coarse = Math.trunc(z * 16) / 16;
  return (Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * (z - coarse) * (z + coarse))) / SQRT_2PI;
};

/** P(0 < Z < z) for z >= 0 by the series phi(z) (z + z^3/3 + z^5/15 + ...): all terms positive, nothing cancels. */
export const normalCentre = (z: number): number => {
  let term = z;
  let total = z;
  for (let k = 3; term > total * 1e-17; k += 2) {
    term *= (z * z) / k;
    total += term;
  }
  return normalDensity(z) * total;
};

/** P(Z > z) for z >= 0: the central series up to 2.5, beyond it Laplace's continued fraction for Mills' ratio. */
export const normalTail = (z: number): number => {
  if (z < 2.5) return 0.5 - normalCentre(z);
  if (z > 40) return 0;
  let fraction = z;
  for (let k = Math.ceil(10 + 300 / (z * z)); k > 0; k--) fraction = z + k / fraction;
  return normalDensity(z) / fraction;
};

/** ln P(Z > z) for z >= 0, also where the probability underflows. */
export const normalLogTail = (z: number): number => {
  if (z < 2.5) return Math.log(normalTail(z));
  let fraction = z;
  for (let k = Math.ceil(10 + 300 / (z * z)); k > 0; k--) fraction = z + k / fraction;
  return -0.5 * z * z - Math.log(SQRT_2PI * fraction);
};
