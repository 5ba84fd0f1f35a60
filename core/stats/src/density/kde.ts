import { checkNumber, checkSample, checkInteger } from '../internal/checks.ts';
import { silvermanBandwidth, ucvBandwidth } from './bandwidths.ts';
import type { Random } from '../random/create-random.ts';

/** Options of a kernel density estimate. */
interface KdeOptions {
  /** Standard deviation of the kernel, in the unit of the values, above 0; default `silvermanBandwidth`. */
  readonly bandwidth?: number;
  /** Distance in bandwidths beyond which a kernel counts as 0; default 39, where it underflows. */
  readonly cutoff?: number;
}

const sqrt2Pi = 2.5066282746310002;

/**
 * Gaussian kernel density estimate at given points, in 1/unit of the values.
 *
 * @param sample at least one finite number. @param points where to evaluate, finite, any order.
 * @returns the densities in the order of the points: (1/(n h)) sum phi((point - x)/h), summed directly; Infinity where that
 *   leaves the range of a double, as for a bandwidth below 1e-308.
 * @throws RangeError for an empty sample, NaN or infinite values, a bandwidth or cutoff that is not above 0.
 *
 * Source: B. W. Silverman, Density Estimation (1986), equation 2.2a. O(n log n + points times values within the cutoff).
 */
export function gaussianKde(
  sample: ArrayLike<number>,
  points: ArrayLike<number>,
  options: KdeOptions = {},
): Float64Array {
  checkSample('sample', sample);
  checkSample('points', points, 0);
  const bandwidth = checkNumber('bandwidth', options.bandwidth ?? silvermanBandwidth(sample), Number.MIN_VALUE);
  const cutoff = checkNumber('cutoff', options.cutoff ?? 39, Number.MIN_VALUE);
  const sorted = Float64Array.from(sample).sort();
  const n = sorted.length;
  const reach = cutoff * bandwidth;
  const scale = 1 / (n * bandwidth * sqrt2Pi);
  return Float64Array.from(points, (point) => {
    let low = 0;
    let high = n;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < point - reach) low = middle + 1;
      else high = middle;
    }
    let total = 0;
    for (let i = low; i < n && sorted[i]! <= point + reach; i++) {
      const z = (point - sorted[i]!) / bandwidth;
      total += Math.exp(-0.5 * z * z);
    }
    // Infinity, where a density leaves the range of a double, times 0 would be no number.
    return total === 0 ? 0 : total * scale;
  });
}

/** Where and how a density is evaluated. */
interface GridKdeOptions {
  /** First point, in the unit of the values. */
  readonly low: number;
  /** Distance of the points, in the unit of the values, above 0. */
  readonly step: number;
  /** Number of points, >= 1. */
  readonly points: number;
  /** Standard deviation of the kernel, in the unit of the values, above 0. */
  readonly bandwidth: number;
  /** Distance in bandwidths beyond which a kernel counts as 0; default 39, where it underflows. */
  readonly cutoff?: number;
  /**
   * With more different values than this, each is first split between the two nodes beside it, a tenth of the bandwidth apart, so that
   * the time no longer grows with the sample; default Infinity. Not done where the points themselves lie further apart than that.
   */
  readonly binAbove?: number;
} // Distance of nodes in bandwidths: splitting a value between them adds up to a quarter of its square, 0.25 %, to the kernel's variance.
const coarsestStep = 0.1;

/** Values that differ, ascending, and how often each occurs. */
function runLengths(sorted: Float64Array): { readonly values: Float64Array; readonly counts: Float64Array } {
  const values = new Float64Array(sorted.length);
  const counts = new Float64Array(sorted.length);
  let size = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (size === 0 || sorted[i] !== values[size - 1]) values[size++] = sorted[i]!;
    counts[size - 1]!++;
  }
  return { values: values.subarray(0, size), counts: counts.subarray(0, size) };
}

/** Adds count times the kernel around a value to all points within reach, outwards from the nearest one: two products a point. */
function addKernel(
  out: Float64Array,
  {
    value,
    count,
    low,
    step,
    bandwidth,
    reach,
    narrowing,
  }: Record<'value' | 'count' | 'low' | 'step' | 'bandwidth' | 'reach' | 'narrowing', number>,
): void {
  const points = out.length;
  const nearest = Math.min(points - 1, Math.max(0, Math.round((value - low) / step)));
  const z = (low + nearest * step - value) / bandwidth;
  const width = step / bandwidth;
  const peak = count * Math.exp(-0.5 * z * z);

  function isNear(j: number): boolean {
    const point = low + j * step;
    return value >= point - reach && value <= point + reach;
  }

  if (isNear(nearest)) out[nearest]! += peak;
  let last = Math.min(points - 1, Math.ceil((value + reach - low) / step));
  while (last > nearest && !isNear(last)) last--;
  let term = peak;
  let factor = Math.exp(-width * (z + 0.5 * width));
  for (let j = nearest + 1; j <= last; j++) {
    term *= factor;
    factor *= narrowing;
    out[j]! += term;
  }
  let first = Math.max(0, Math.floor((value - reach - low) / step));
  while (first < nearest && !isNear(first)) first++;
  term = peak;
  factor = Math.exp(width * (z - 0.5 * width));
  for (let j = nearest - 1; j >= first; j--) {
    term *= factor;
    factor *= narrowing;
    out[j]! += term;
  }
}

/**
 * The sum of kernels around values that were split between nodes, `every` points apart; the kernel is narrower by what that widens.
 */
function addBinned(
  out: Float64Array,
  { values, counts }: ReturnType<typeof runLengths>,
  { low, step, bandwidth, reach, every }: Record<'low' | 'step' | 'bandwidth' | 'reach' | 'every', number>,
): void {
  const beside = Math.floor(reach / step);
  const width = every * step;
  // Nodes also lie beyond the first and last point, as far as kernels reach.
  const outside = Math.ceil(beside / every);
  const weights = new Float64Array(Math.ceil(out.length / every) + 2 * outside + 2);
  const origin = low - outside * width;
  for (let i = 0; i < values.length; i++) {
    const place = (values[i]! - origin) / width;
    const node = Math.floor(place);
    if (node < 0 || node >= weights.length - 1) continue;
    weights[node]! += counts[i]! * (node + 1 - place);
    weights[node + 1]! += counts[i]! * (place - node);
  }
  const narrowed = bandwidth * bandwidth - (width * width) / 6;
  const kernel = new Float64Array(2 * beside + 1);
  for (let d = -beside; d <= beside; d++) {
    kernel[d + beside] = (bandwidth / Math.sqrt(narrowed)) * Math.exp((-0.5 * (d * step) ** 2) / narrowed);
  }
  for (let node = 0; node < weights.length; node++) {
    const weight = weights[node]!;
    if (weight === 0) continue;
    const centre = (node - outside) * every;
    const end = Math.min(out.length - 1, centre + beside);
    for (let j = Math.max(0, centre - beside); j <= end; j++) out[j]! += weight * kernel[j - centre + beside]!;
  }
}

/**
 * Gaussian kernel density estimate at equidistant points: what `gaussianKde` gives there, some times faster.
 *
 * @param sorted at least one finite number, ascending (not checked).
 * @returns the densities at low + i step, in 1/unit of the values. Exact up to rounding unless `binAbove` is exceeded; then a density
 *   is off by less than 0.1 % of the largest one.
 * @throws RangeError for an empty sample, NaN or infinite values, options that are out of range.
 *
 * From one point to the next a kernel changes by a factor that itself changes by a constant factor, so one exponential a value is
 * enough. O(different values times points within the cutoff), when binned at most a tenth of it a bandwidth.
 * Source: B. W. Silverman, Density Estimation (1986), equation 2.2a; splitting values between points: M. C. Jones, H. W. Lotwick,
 * Applied Statistics 33 (1984).
 */
export function gridKde(sorted: Float64Array, options: GridKdeOptions): Float64Array {
  checkSample('sorted', sorted);
  const low = checkNumber('low', options.low);
  const step = checkNumber('step', options.step, Number.MIN_VALUE);
  const bandwidth = checkNumber('bandwidth', options.bandwidth, Number.MIN_VALUE);
  const reach = checkNumber('cutoff', options.cutoff ?? 39, Number.MIN_VALUE) * bandwidth;
  const out = new Float64Array(checkInteger('points', options.points, 1));
  const distinct = runLengths(sorted);
  const every = Math.floor((coarsestStep * bandwidth) / step);
  if (distinct.values.length > (options.binAbove ?? Infinity) && every >= 1) {
    addBinned(out, distinct, { low, step, bandwidth, reach, every });
  } else {
    const narrowing = Math.exp(-((step / bandwidth) ** 2));
    for (let i = 0; i < distinct.values.length; i++) {
      const value = distinct.values[i]!;
      addKernel(out, { value, count: distinct.counts[i]!, low, step, bandwidth, reach, narrowing });
    }
  }
  const scale = 1 / (sorted.length * bandwidth * sqrt2Pi);
  for (let j = 0; j < out.length; j++) out[j]! *= scale;
  return out;
}

/** Number of draws, their smoothing, and their random stream. */
interface KdeSampleOptions {
  /** Number of draws, >= 0. */
  readonly size: number;
  readonly random: Random;
  /** Standard deviation of the kernel, >= 0; 0 draws the values themselves. Default `ucvBandwidth`. */
  readonly bandwidth?: number;
}

/**
 * Draws from a Gaussian kernel density estimate (the smoothed bootstrap): a value of the sample plus normal noise.
 *
 * @param sample at least one finite number (two different ones for the default bandwidth).
 * @returns the draws, in the unit of the values. Their variance is the sample's (divisor n) plus the squared bandwidth.
 * @throws RangeError for an empty sample, NaN or infinite values, a negative size or bandwidth.
 * Source: Silverman (1986), section 6.4.1; OOPSLA'26, section 5, draws run and segment effects so. O(size).
 */
export function kdeSample(sample: ArrayLike<number>, options: KdeSampleOptions): Float64Array {
  checkSample('sample', sample);
  const { size, random } = options;
  checkInteger('size', size, 0);
  const bandwidth = checkNumber('bandwidth', options.bandwidth ?? ucvBandwidth(sample), 0);
  const out = new Float64Array(size);
  for (let i = 0; i < size; i++) out[i] = sample[random.int(sample.length)]! + bandwidth * random.normal();
  return out;
}
