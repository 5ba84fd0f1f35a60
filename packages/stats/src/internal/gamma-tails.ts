import { deviance, stirlingError } from './stirling-error.ts';

/** x^a exp(-x) / Gamma(a + 1), by its distance from the most likely x = a (Loader 2000). */
const gammaTerm = (a: number, x: number): number => {
  if (a < 1) return (Math.exp(a * Math.log(x) - x) * 1) / gammaOfOnePlus(a);
  return Math.exp(-stirlingError(a) - deviance(a, x)) / Math.sqrt(2 * Math.PI * a);
};

/** Gamma(1 + a) for 0 < a < 1, through the recurrence and Stirling's formula. */
const gammaOfOnePlus = (a: number): number => {
  let product = 1;
  let y = 1 + a;
  while (y < 16) {
    product *= y;
    y += 1;
  }
  return (Math.exp((y - 0.5) * Math.log(y) - y + stirlingError(y)) * Math.sqrt(2 * Math.PI)) / product;
};

/** The regularised incomplete gamma functions: lower P(a, x) and upper Q(a, x), each without cancellation; a > 0, x >= 0. */
export const gammaTails = (a: number, x: number): { lower: number; upper: number } => {
  if (x === 0) return { lower: 0, upper: 1 };
  const front = gammaTerm(a, x);
  if (x < a + 1) {
    let term = 1;
    let total = 1;
    for (let k = 1; term > total * 1e-17; k++) {
      term *= x / (a + k);
      total += term;
    }
    const lower = Math.min(1, front * total);
    return { lower, upper: 1 - lower };
  }
  // Legendre's continued fraction, by the modified Lentz method.
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let k = 1; k < 100_000; k++) {
    const an = -k * (k - a);
    b += 2;
    d = 1 / (an * d + b || tiny);
    c = b + an / c || tiny;
    const factor = d * c;
    fraction *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  const upper = Math.min(1, front * a * fraction);
  return { lower: 1 - upper, upper };
};
