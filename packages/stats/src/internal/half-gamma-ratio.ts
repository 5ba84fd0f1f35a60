/**
 * Gamma(x + 1/2) / Gamma(x) for x > 0, relative error near 1e-16.
 * Upwards by the recurrence until the asymptotic series of the logarithm holds (Tricomi and Erdelyi 1951).
 */
export const halfGammaRatio = (x: number): number => {
  let factor = 1;
  let y = x;
  while (y < 24) {
    factor *= y / (y + 0.5);
    y += 1;
  }
  const r = 1 / y;
  const r2 = r * r;
  const series = r * (-1 / 8 + r2 * (1 / 192 + r2 * (-1 / 640 + r2 * (17 / 14336 - (r2 * 31) / 18432))));
  return factor * Math.sqrt(y) * Math.exp(series);
};
