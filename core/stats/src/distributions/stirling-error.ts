const logSqrt2Pi = 0.9189385332046728;

/** ln Gamma(x) for x > 0 by Stirling's series after an upward recurrence; relative error near 1e-15 away from the zeros at 1 and 2. */
function logGamma(x: number): number {
  let shift = 0;
  let y = x;
  if (y < 16) {
    let product = 1;
    while (y < 16) {
      product *= y;
      y += 1;
    }
    shift = Math.log(product);
  }
  return (y - 0.5) * Math.log(y) - y + logSqrt2Pi + stirlingError(y) - shift;
}

/**
 * The error of Stirling's formula: ln Gamma(x) - ((x - 1/2) ln x - x + ln sqrt(2 pi)), for x >= 16 by its asymptotic
 * series, below by the difference itself.
 */
export function stirlingError(x: number): number {
  if (x < 16) return logGamma(x) - ((x - 0.5) * Math.log(x) - x + logSqrt2Pi);
  const r = 1 / x;
  const r2 = r * r;
  return r * (1 / 12 - r2 * (1 / 360 - r2 * (1 / 1260 - r2 * (1 / 1680 - (r2 * 1) / 1188))));
}

/** x ln(x/m) + m - x without cancellation when x is near m: how unlikely x is when m is expected. */
export function deviance(x: number, m: number): number {
  if (x === 0) return m;
  const d = (x - m) / (x + m);
  if (Math.abs(d) < 0.1) {
    // x ln(x/m) = 2 x atanh(d); the first term cancels against m - x.
    let total = (x - m) * d;
    let power = 2 * x * d;
    for (let k = 1; k < 100; k++) {
      power *= d * d;
      const next = total + power / (2 * k + 1);
      if (next === total) break;
      total = next;
    }
    return total;
  }
  return x * Math.log(x / m) + m - x;
}
