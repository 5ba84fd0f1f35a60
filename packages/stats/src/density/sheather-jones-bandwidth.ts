import { checkChoice } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { pairDistances } from '../internal/pair-distances.ts';
import { quantiles } from '../samples/quantiles.ts';
import { standardDeviation } from '../samples/standard-deviation.ts';

const BINS = 2048;

/**
 * Sheather and Jones' bandwidth for a Gaussian kernel, in the unit of the values.
 *
 * @param sample at least two finite numbers that are not all equal.
 * @param options.method 'ste' (default): solve the equation; 'dpi': direct plug-in.
 * @throws RangeError for fewer than two values, a sample whose standard deviation or quartile range is 0, NaN or infinite values,
 *   when the data are too sparse for the estimate (no solution), and for another method.
 *
 * As R's `bw.SJ`, but with 2048 bins and solved to 1e-10. Source: S. J. Sheather, M. C. Jones, JRSS B 53 (1991). O(n + bins^2).
 */
export const sheatherJonesBandwidth = (
  sample: ArrayLike<number>,
  options: { readonly method?: 'ste' | 'dpi' } = {},
): number => {
  checkSample('sample', sample, 2);
  const method = checkChoice('method', options.method ?? 'ste', ['ste', 'dpi']);
  const n = sample.length;
  const [q1, q3] = quantiles(sample, [0.25, 0.75]);
  const scale = Math.min(standardDeviation(sample), (q3! - q1!) / 1.349);
  if (!(scale > 0)) throw new RangeError('sample must have different quartiles for a Sheather-Jones bandwidth');
  const { counts, width } = pairDistances(sample, BINS);

  // Sums of the fourth and sixth derivative of the normal density over all pairs: estimates of psi_4 and psi_6.
  const psi = (h: number, polynomial: (square: number) => number, self: number, power: number): number => {
    let total = 0;
    for (let k = 0; k < BINS; k++) {
      const square = ((k * width) / h) ** 2;
      if (square > 1500) break;
      if (counts[k] !== 0) total += counts[k]! * Math.exp(-0.5 * square) * polynomial(square);
    }
    return (2 * total + self * n) / (n * (n - 1) * h ** power * Math.sqrt(2 * Math.PI));
  };
  const psi4 = (h: number): number => psi(h, (s) => s * s - 6 * s + 3, 3, 5);
  const psi6 = (h: number): number => psi(h, (s) => s * s * s - 15 * s * s + 45 * s - 15, -15, 7);

  const first = 1.24 * scale * n ** (-1 / 7);
  const second = 1.23 * scale * n ** (-1 / 9);
  const constant = 1 / (2 * Math.sqrt(Math.PI) * n);
  const curvature = -psi6(second);
  if (!(curvature > 0)) throw new RangeError('sample is too sparse or too often tied for a Sheather-Jones bandwidth');
  if (method === 'dpi') return (constant / psi4((2.394 / (n * curvature)) ** (1 / 7))) ** 0.2;

  const alpha = 1.357 * (psi4(first) / curvature) ** (1 / 7);
  if (!(alpha > 0)) throw new RangeError('sample is too sparse or too often tied for a Sheather-Jones bandwidth');
  const excess = (h: number): number => (constant / psi4(alpha * h ** (5 / 7))) ** 0.2 - h;
  let high = 1.144 * scale * n ** -0.2;
  let low = 0.1 * high;
  for (let i = 0; i < 100 && !(excess(low) * excess(high) <= 0); i++) {
    if (i % 2 === 0) high *= 1.2;
    else low /= 1.2;
  }
  const sign = excess(low);
  if (!(sign * excess(high) <= 0)) throw new RangeError('sample gives no solution for a Sheather-Jones bandwidth');
  while (high - low > 1e-10 * high) {
    const middle = 0.5 * (low + high);
    if (excess(middle) * sign > 0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
};
