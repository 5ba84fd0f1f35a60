import { checkInteger, checkNumber, checkSample } from '../internal/checks.ts';

/**
 * Puts the k-th smallest value of `values[left..right]` (0-based, inclusive) at index k, everything smaller or equal before
 * it and everything larger or equal after it, in place, and returns it.
 *
 * Hoare's quickselect with the median of three as pivot. Expected O(n); after 64 rounds without an end it sorts the rest, so
 * that no input is quadratic in practice.
 */
function select(values: Float64Array, k: number, left = 0, right: number = values.length - 1): number {
  let lo = left;
  let hi = right;
  for (let round = 0; hi - lo > 12; round++) {
    if (round === 64) break;
    const mid = (lo + hi) >>> 1;
    const a = values[lo]!;
    const b = values[mid]!;
    const c = values[hi]!;
    const pivot = a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
    let i = lo;
    let j = hi;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i <= j) {
        const swap = values[i]!;
        values[i] = values[j]!;
        values[j] = swap;
        i++;
        j--;
      }
    }
    if (k <= j) hi = j;
    else if (k >= i) lo = i;
    else return values[k]!;
  }
  values.subarray(lo, hi + 1).sort();
  return values[k]!;
}

/** The definitions of a sample quantile in Hyndman and Fan's numbering. */
export type QuantileType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

// Plotting position: the quantile p lies at n p + a + p (1 - a - b) of the order statistics; a and b of types 4 to 9.
const plottingPositions: Record<4 | 5 | 6 | 7 | 8 | 9, readonly [number, number]> = {
  4: [0, 1],
  5: [0.5, 0.5],
  6: [0, 0],
  7: [1, 1],
  8: [1 / 3, 1 / 3],
  9: [3 / 8, 3 / 8],
};

const positionFuzz = 4 * Number.EPSILON;

/** Where p falls: the 1-based order statistic below it and the weight of the next one. */
export function quantilePosition(n: number, p: number, type: QuantileType): { index: number; weight: number } {
  if (type === 1 || type === 2 || type === 3) {
    const exact = type === 3 ? n * p - 0.5 : n * p;
    const index = Math.floor(exact + positionFuzz * n);
    const between = Math.abs(exact - index) > positionFuzz * n;
    if (type === 1) return { index, weight: between ? 1 : 0 };
    if (type === 2) return { index, weight: between ? 1 : 0.5 };
    return { index, weight: between || index % 2 !== 0 ? 1 : 0 };
  }
  const [a, b] = plottingPositions[type];
  const exact = type === 7 ? 1 + (n - 1) * p : a + p * (n + 1 - a - b);
  const index = Math.floor(exact + positionFuzz);
  const weight = exact - index;
  return { index, weight: Math.abs(weight) < positionFuzz ? 0 : weight };
}

/** Quantile of a buffer whose order may be changed. Expected O(n). */
function quantileOfSelectable(buffer: Float64Array, p: number, type: QuantileType): number {
  const n = buffer.length;
  const { index, weight } = quantilePosition(n, p, type);
  if (index < 1) return select(buffer, 0);
  if (index >= n) return select(buffer, n - 1);
  const low = select(buffer, index - 1);
  if (weight === 0) return low;
  // Everything from here on is >= low, so the next order statistic is their minimum.
  let high = Infinity;
  for (let i = index; i < n; i++) if (buffer[i]! < high) high = buffer[i]!;
  return weight === 1 ? high : low + weight * (high - low);
}

/**
 * Sample quantile, in the unit of the values.
 *
 * @param sample at least one finite number, in any order; it is not changed.
 * @param p probability in [0, 1]; 0 gives the minimum and 1 the maximum.
 * @param options.type the nine definitions of Hyndman and Fan; default 7 (numpy's and R's default, linear between order
 *   statistics at (n - 1) p). 1-3 are steps, 4-9 interpolate; 6 is (n + 1) p, 8 is median-unbiased.
 * @throws RangeError for an empty sample, NaN or infinite values, p outside [0, 1], another type.
 *
 * Source: R. J. Hyndman, Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996).
 * Expected O(n), by selection instead of a sort.
 */
export function quantile(sample: ArrayLike<number>, p: number, options: { readonly type?: QuantileType } = {}): number {
  checkSample('sample', sample);
  checkNumber('p', p, 0, 1);
  const type = options.type ?? 7;
  checkInteger('type', type, 1, 9);
  return quantileOfSelectable(new Float64Array(sample), p, type);
}

/**
 * Several quantiles of one sample, in the order of the probabilities; each equals `quantile(sample, p, options)`.
 *
 * @param sample at least one finite number; it is not changed.
 * @param ps probabilities in [0, 1].
 * @throws RangeError as `quantile`. Expected O(n) for each probability, one copy for all.
 */
export function quantiles(
  sample: ArrayLike<number>,
  ps: ArrayLike<number>,
  options: { readonly type?: QuantileType } = {},
): number[] {
  checkSample('sample', sample);
  const type = options.type ?? 7;
  checkInteger('type', type, 1, 9);
  const buffer = new Float64Array(sample);
  const out: number[] = [];
  for (let i = 0; i < ps.length; i++) {
    out.push(quantileOfSelectable(buffer, checkNumber(`ps[${i}]`, ps[i]!, 0, 1), type));
  }
  return out;
}

/** The quantiles (type 7) of the replicates at two probabilities, without changing them. Expected O(n). */
export function quantilePair(replicates: ArrayLike<number>, low: number, high: number): [number, number] {
  const buffer = new Float64Array(replicates);
  return [quantileOfSelectable(buffer, low, 7), quantileOfSelectable(buffer, high, 7)];
}

/**
 * Median, in the unit of the values: the middle value, or the midpoint of the two middle ones.
 *
 * @param sample at least one finite number; it is not changed.
 * @throws RangeError for an empty sample, NaN or infinite values. Expected O(n).
 */
export function median(sample: ArrayLike<number>): number {
  return quantile(sample, 0.5);
}

/**
 * Median of the absolute deviations from the median, times `scale`; in the unit of the values.
 *
 * @param sample at least one finite number. One value, or more than half of them equal, gives 0.
 * @param options.scale default 1; 1.4826 makes it an estimate of a normal distribution's standard deviation (R's `mad`).
 * @throws RangeError for an empty sample, NaN or infinite values, a scale that is not above 0.
 * Source: F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69 (1974). Expected O(n).
 */
export function medianAbsoluteDeviation(sample: ArrayLike<number>, options: { readonly scale?: number } = {}): number {
  const scale = checkNumber('scale', options.scale ?? 1, Number.MIN_VALUE);
  const centre = median(sample);
  return scale * median(new Float64Array(sample).map((value) => Math.abs(value - centre)));
}
