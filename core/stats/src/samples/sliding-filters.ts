import { quantilePosition } from './quantile.ts';
import { checkChoice, checkInteger, checkNumber, checkSample } from '../internal/checks.ts';

/** A window of values kept in order. Adding and removing cost a binary search and a move: O(window). */
class SortedWindow {
  readonly #values: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#values = new Float64Array(capacity);
  }

  #place(value: number): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#values[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(value: number): void {
    const place = this.#place(value);
    this.#values.copyWithin(place + 1, place, this.#size);
    this.#values[place] = value;
    this.#size++;
  }

  remove(value: number): void {
    const place = this.#place(value);
    this.#values.copyWithin(place, place + 1, this.#size);
    this.#size--;
  }

  /** Quantile of type 7. */
  quantile(p: number): number {
    const { index, weight } = quantilePosition(this.#size, p, 7);
    const low = this.#values[Math.max(0, index - 1)]!;
    if (weight === 0 || index >= this.#size) return low;
    return low + weight * (this.#values[index]! - low);
  }
}

/** The window and what counts as outside of it. */
interface SlidingQuantileOptions {
  /** Values in a window, >= 1. */
  readonly window: number;
  /**
   * Where the window of value i lies: 'centered-truncated' (default) from i - floor(window/2) on, cut at the ends of the series;
   * 'centered-shifted' the same, but moved inwards at the ends; 'trailing' the last `window` values up to i.
   */
  readonly placement?: 'centered-truncated' | 'centered-shifted' | 'trailing';
  /** Lower quantile, default 0.05; the upper one is 1 minus it. */
  readonly tail?: number;
  /** Distance beyond them at which a value may lie, as a share of the distance of the two quantiles; default 0.1. */
  readonly margin?: number;
}

/**
 * Indices of the outliers of a series: values further than `margin` times the inter-quantile range below the lower or above the
 * upper quantile of their window.
 *
 * @param series finite numbers in order of time, any unit; an empty one has no outliers. A constant stretch has none either.
 * @returns the indices to drop, ascending. One pass: dropped values stay in their neighbours' windows.
 * @throws RangeError for NaN or infinite values, a window below 1, a tail outside [0, 0.5], a negative margin,
 *   another placement.
 *
 * Source: Antoch et al., OOPSLA'26, section 5 ("Removing outliers", which leaves the window open). Quantiles type 7. O(n window).
 */
export function slidingQuantileFilter(series: ArrayLike<number>, options: SlidingQuantileOptions): number[] {
  const { window, placement = 'centered-truncated', tail = 0.05, margin = 0.1 } = options;
  checkSample('series', series, 0);
  checkInteger('window', window, 1);
  checkNumber('tail', tail, 0, 0.5);
  checkNumber('margin', margin, 0);
  checkChoice('placement', placement, ['centered-truncated', 'centered-shifted', 'trailing']);
  const n = series.length;
  const sorted = new SortedWindow(Math.min(window, n));
  const dropped: number[] = [];
  let from = 0;
  let to = 0;
  for (let i = 0; i < n; i++) {
    let start = placement === 'trailing' ? i - window + 1 : i - Math.floor(window / 2);
    if (placement === 'centered-shifted') start = Math.min(start, n - window);
    start = Math.max(0, start);
    let end = placement === 'trailing' ? i + 1 : i - Math.floor(window / 2) + window;
    if (placement === 'centered-shifted') end = start + window;
    end = Math.min(n, end);
    // Drop before adding, so that the window never holds more than its capacity.
    while (from < start && from < to) sorted.remove(series[from++]!);
    from = start;
    to = Math.max(to, start);
    while (to < end) sorted.add(series[to++]!);
    const low = sorted.quantile(tail);
    const high = sorted.quantile(1 - tail);
    const reach = margin * (high - low);
    if (series[i]! < low - reach || series[i]! > high + reach) dropped.push(i);
  }
  return dropped;
}

/** The windows and what counts as outside. */
interface SlidingRangeOptions {
  /** Values in a window, default 200. */
  readonly window?: number;
  /** Index of the first value that may be dropped, default 0. */
  readonly skip?: number;
  /** Number of ranges around the median that are kept, default 3. */
  readonly factor?: number;
}

/**
 * Indices of the outliers of a long series: values that any window of `window` neighbours finds outside its median +- `factor` times
 * (99 % quantile - 1 % quantile).
 *
 * @param series finite numbers in order of time, any unit. When fewer than `window` values follow `skip` nothing is dropped.
 * @returns the indices to drop, ascending.
 * @throws RangeError for NaN or infinite values, a window below 1, a negative skip or factor.
 *
 * Source: the outlier filter of Traini et al., EMSE 28:13 (2023), before change point detection. Quantiles type 7. O(n window).
 */
export function slidingRangeFilter(series: ArrayLike<number>, options: SlidingRangeOptions = {}): number[] {
  const { window = 200, skip = 0, factor = 3 } = options;
  checkSample('series', series, 0);
  checkInteger('window', window, 1);
  checkInteger('skip', skip, 0);
  checkNumber('factor', factor, 0);
  const n = series.length;
  const marked = new Uint8Array(n);
  const sorted = new SortedWindow(Math.min(window, n) + 1);
  for (let i = skip; i < n; i++) {
    if (i - window >= skip) sorted.remove(series[i - window]!);
    sorted.add(series[i]!);
    if (i - skip + 1 < window) continue;
    const middle = sorted.quantile(0.5);
    const reach = factor * (sorted.quantile(0.99) - sorted.quantile(0.01));
    for (let j = i - window + 1; j <= i; j++) {
      if (series[j]! > middle + reach || series[j]! < middle - reach) marked[j] = 1;
    }
  }
  const dropped: number[] = [];
  for (let i = 0; i < n; i++) if (marked[i] === 1) dropped.push(i);
  return dropped;
}

/** Result of `winsorizeRun`: the values, and the one observation that was moved, if any. */
export interface WinsorizedRun {
  readonly values: Float64Array;
  readonly replaced: { readonly index: number; readonly from: number; readonly to: number } | null;
}

/**
 * Moves at most one outlier of a run to the nearest value of the others.
 *
 * An observation is an outlier when it lies outside the min-max range of all the others, further away than `limit` times the
 * width of that range (strictly further). Of several the one with the largest distance is moved, of equal distances the
 * first. With equal others the range is 0 wide, and any different value is moved.
 *
 * @param run one run's observations, finite, any unit. Fewer than three come back unchanged: one value has no range.
 * @param options.limit share of the range, default 0.2, >= 0.
 * @throws RangeError for NaN or infinite values, a limit below 0.
 * Source: Bulej et al., ICPE'20, section 4 ("20 %" read as a share of the range). O(n).
 */
export function winsorizeRun(run: ArrayLike<number>, options: { readonly limit?: number } = {}): WinsorizedRun {
  const limit = checkNumber('limit', options.limit ?? 0.2, 0);
  checkSample('run', run, 0);
  const values = Float64Array.from(run);
  const n = values.length;
  if (n < 3) return { values, replaced: null };

  // Only the smallest and the largest can lie outside the others' range; the runner-up at each end bounds that range.
  let least = 0;
  let most = 0;
  for (let i = 1; i < n; i++) {
    if (values[i]! < values[least]!) least = i;
    if (values[i]! > values[most]!) most = i;
  }
  let second = Infinity;
  let beforeLast = -Infinity;
  for (let i = 0; i < n; i++) {
    if (i !== least && values[i]! < second) second = values[i]!;
    if (i !== most && values[i]! > beforeLast) beforeLast = values[i]!;
  }
  const below = second - values[least]!;
  const above = values[most]! - beforeLast;
  const isLow = below > 0 && below > limit * (values[most]! - second);
  const isHigh = above > 0 && above > limit * (beforeLast - values[least]!);
  if (!isLow && !isHigh) return { values, replaced: null };
  const useLow = isLow && (!isHigh || below > above || (below === above && least < most));
  const index = useLow ? least : most;
  const to = useLow ? second : beforeLast;
  const from = values[index]!;
  values[index] = to;
  return { values, replaced: { index, from, to } };
}
