import { checkInteger, checkNumber } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { SortedWindow } from '../internal/sorted-window.ts';

/** The windows and what counts as outside. */
export interface SlidingRangeOptions {
  /** Values in a window, default 200. */
  readonly window?: number;
  /** Index of the first value that may be dropped, default 0. */
  readonly skip?: number;
  /** How many ranges around the median are kept, default 3. */
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
export const slidingRangeFilter = (series: ArrayLike<number>, options: SlidingRangeOptions = {}): number[] => {
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
};
