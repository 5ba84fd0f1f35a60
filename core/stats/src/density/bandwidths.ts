import { checkSample, checkChoice, checkNumber } from '../internal/checks.ts';
import { quantiles } from '../samples/quantile.ts';
import { standardDeviation } from '../samples/moments.ts';

/**
 * Scott's variation of the rule of thumb: 1.06 min(sd, IQR/1.34) n^(-1/5), in the unit of the values.
 *
 * @param sample at least two finite numbers; equal quartiles give 0, as in R.
 * @throws RangeError for fewer than two values, NaN or infinite values.
 * Equal to R's `bw.nrd`. Source: D. W. Scott, Multivariate Density Estimation (1992). Expected O(n).
 */
export function normalReferenceBandwidth(sample: ArrayLike<number>): number {
  checkSample('sample', sample, 2);
  const [q1, q3] = quantiles(sample, [0.25, 0.75]);
  return 1.06 * Math.min(standardDeviation(sample), (q3! - q1!) / 1.34) * sample.length ** -0.2;
}

/**
 * Silverman's rule of thumb for the bandwidth of a Gaussian kernel: 0.9 min(sd, IQR/1.34) n^(-1/5), in the unit of the values.
 *
 * @param sample at least one finite number. When the quartiles are equal the standard deviation alone counts, for a constant
 *   sample (or one value) its absolute value, and 1 for zeros: always above 0.
 * @throws RangeError for an empty sample, NaN or infinite values.
 * Equal to R's `bw.nrd0`. Source: Silverman (1986), equation 3.31. Expected O(n).
 */
export function silvermanBandwidth(sample: ArrayLike<number>): number {
  checkSample('sample', sample);
  const n = sample.length;
  const sd = n > 1 ? standardDeviation(sample) : 0;
  const [q1, q3] = quantiles(sample, [0.25, 0.75]);
  const spread = Math.min(sd, (q3! - q1!) / 1.34) || sd || Math.abs(sample[0]!) || 1;
  return Math.max(Number.MIN_VALUE, 0.9 * spread * n ** -0.2);
}

/** Numbers of pairs by distance: counts[k] pairs about k * width apart. */
interface PairDistances {
  readonly counts: Float64Array;
  readonly width: number;
}

/**
 * All n (n - 1)/2 distances of a sample in bins: the values are put into equal bins first, then the bins are paired. O(n + bins^2).
 */
function pairDistances(sample: ArrayLike<number>, bins: number): PairDistances {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < sample.length; i++) {
    const value = sample[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const width = ((high - low) * 1.01) / bins;
  const filled = new Float64Array(bins);
  for (let i = 0; i < sample.length; i++) filled[Math.floor((sample[i]! - low) / width)]! += 1;
  const places: number[] = [];
  for (let i = 0; i < bins; i++) if (filled[i]! > 0) places.push(i);
  const counts = new Float64Array(bins);
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    const many = filled[place]!;
    counts[0]! += (many * (many - 1)) / 2;
    for (let j = 0; j < i; j++) counts[place - places[j]!]! += many * filled[places[j]!]!;
  }
  return { counts, width };
}

const binCount = 2048;

/**
 * Sheather and Jones' bandwidth for a Gaussian kernel, in the unit of the values.
 *
 * @param sample at least two finite numbers that are not all equal.
 * @param options.method 'ste' (default): solve the equation; 'dpi': direct plug-in.
 * @throws RangeError for fewer than two values, a sample whose standard deviation or quartile range is 0, NaN or infinite values,
 *   when the data are too sparse for the estimate (no solution), and for another method.
 *
 * The bandwidth of R's `bw.SJ`, but with 2048 bins and solved to 1e-10. Source: S. J. Sheather, M. C. Jones, JRSS B 53 (1991). O(n + bins^2).
 */
export function sheatherJonesBandwidth(
  sample: ArrayLike<number>,
  options: { readonly method?: 'ste' | 'dpi' } = {},
): number {
  checkSample('sample', sample, 2);
  const method = checkChoice('method', options.method ?? 'ste', ['ste', 'dpi']);
  const n = sample.length;
  const [q1, q3] = quantiles(sample, [0.25, 0.75]);
  const scale = Math.min(standardDeviation(sample), (q3! - q1!) / 1.349);
  if (!(scale > 0)) throw new RangeError('sample must have different quartiles for a Sheather-Jones bandwidth');
  const { counts, width } = pairDistances(sample, binCount);

  // Sums of the fourth and sixth derivative of the normal density over all pairs: estimates of psi_4 and psi_6.
  function psi(h: number, polynomial: (square: number) => number, self: number, power: number): number {
    let total = 0;
    for (let k = 0; k < binCount; k++) {
      const square = ((k * width) / h) ** 2;
      if (square > 1500) break;
      if (counts[k] !== 0) total += counts[k]! * Math.exp(-0.5 * square) * polynomial(square);
    }
    return (2 * total + self * n) / (n * (n - 1) * h ** power * Math.sqrt(2 * Math.PI));
  }

  function psi4(h: number): number {
    return psi(h, (s) => s * s - 6 * s + 3, 3, 5);
  }

  function psi6(h: number): number {
    return psi(h, (s) => s * s * s - 15 * s * s + 45 * s - 15, -15, 7);
  }

  const first = 1.24 * scale * n ** (-1 / 7);
  const second = 1.23 * scale * n ** (-1 / 9);
  const constant = 1 / (2 * Math.sqrt(Math.PI) * n);
  const curvature = -psi6(second);
  if (!(curvature > 0)) throw new RangeError('sample is too sparse or too often tied for a Sheather-Jones bandwidth');
  if (method === 'dpi') return (constant / psi4((2.394 / (n * curvature)) ** (1 / 7))) ** 0.2;

  const alpha = 1.357 * (psi4(first) / curvature) ** (1 / 7);
  if (!(alpha > 0)) throw new RangeError('sample is too sparse or too often tied for a Sheather-Jones bandwidth');

  function excess(h: number): number {
    return (constant / psi4(alpha * h ** (5 / 7))) ** 0.2 - h;
  }

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
}

const gridSize = 40;

/**
 * The bandwidth that minimises unbiased cross-validation between 0.1 hmax and hmax = 1.144 sd n^(-1/5); in the unit of the values.
 *
 * @param sample at least two finite numbers that are not all equal.
 * @returns the global minimum over that range; it may lie at an end (many ties: the lower one; several modes: often the upper).
 * @throws RangeError for fewer than two values, a constant sample, NaN or infinite values.
 *
 * Range and criterion are those of R's `bw.ucv`; distances are binned (2048 bins), and a grid of 40 bandwidths is searched before
 * the golden section refines, so that a local minimum does not catch it. OOPSLA'26, section 5, smooths with it.
 * Source: Scott and Terrell (1987). O(n + bins^2).
 */
export function ucvBandwidth(sample: ArrayLike<number>): number {
  checkSample('sample', sample, 2);
  const n = sample.length;
  const sd = standardDeviation(sample);
  if (!(sd > 0)) throw new RangeError('sample must not be constant for a cross-validated bandwidth');
  const high = 1.144 * sd * n ** -0.2;
  const low = 0.1 * high;
  const { counts, width } = pairDistances(sample, binCount);

  function criterion(h: number): number {
    let total = 0;
    for (let k = 0; k < binCount; k++) {
      const d = (k * width) / h;
      if (d > 30) break;
      if (counts[k] === 0) continue;
      const quarter = Math.exp(-0.25 * d * d);
      total += counts[k]! * (quarter - 2 * Math.SQRT2 * quarter * quarter);
    }
    return (0.5 + total / n) / (n * h);
  }

  let best = 0;
  let least = Infinity;

  function at(i: number): number {
    return low * (high / low) ** (i / gridSize);
  }

  for (let i = 0; i <= gridSize; i++) {
    const value = criterion(at(i));
    if (value < least) {
      least = value;
      best = i;
    }
  }
  let a = at(Math.max(0, best - 1));
  let b = at(Math.min(gridSize, best + 1));
  const golden = (Math.sqrt(5) - 1) / 2;
  let left = b - golden * (b - a);
  let right = a + golden * (b - a);
  let atLeft = criterion(left);
  let atRight = criterion(right);
  while (b - a > 1e-6 * high) {
    if (atLeft < atRight) {
      b = right;
      right = left;
      atRight = atLeft;
      left = b - golden * (b - a);
      atLeft = criterion(left);
    } else {
      a = left;
      left = right;
      atLeft = atRight;
      right = a + golden * (b - a);
      atRight = criterion(right);
    }
  }
  const middle = 0.5 * (a + b);
  return criterion(middle) < least ? middle : at(best);
}

/**
 * Unbiased cross-validation: an estimate of the integrated squared error of a Gaussian kernel density with this bandwidth, up to
 * a constant that does not depend on it; in 1/unit of the values. Smaller is better.
 *
 * @param sample at least two finite numbers. @param bandwidth above 0, in the unit of the values.
 * @throws RangeError for fewer than two values, NaN or infinite values, a bandwidth that is not above 0.
 * Source: D. W. Scott, G. R. Terrell, JASA 82 (1987), equation 2.5. Over all pairs: O(n^2).
 */
export function ucvCriterion(sample: ArrayLike<number>, bandwidth: number): number {
  checkSample('sample', sample, 2);
  checkNumber('bandwidth', bandwidth, Number.MIN_VALUE);
  const n = sample.length;
  let total = 0;
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const d = (sample[i]! - sample[j]!) / bandwidth;
      const quarter = Math.exp(-0.25 * d * d);
      total += quarter - Math.SQRT2 * 2 * quarter * quarter;
    }
  }
  return (0.5 + total / n) / (n * bandwidth * Math.sqrt(Math.PI));
}
