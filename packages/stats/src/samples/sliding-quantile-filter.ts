import { checkChoice, checkInteger, checkNumber } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { SortedWindow } from '../internal/sorted-window.ts';

/** The window and what counts as outside of it. */
export interface SlidingQuantileOptions {
  /** Values in a window, >= 1. */
  readonly window: number;
  /**
   * Where the window of value i lies: 'centered-truncated' (default) from i - floor(window/2) on, cut at the ends of the series;
   * 'centered-shifted' the same, but moved inwards at the ends; 'trailing' the last `window` values up to i.
   */
  readonly placement?: 'centered-truncated' | 'centered-shifted' | 'trailing';
  /** Lower quantile, default 0.05; the upper one is 1 minus it. */
  readonly tail?: number;
  /** How far beyond them a value may lie, as a share of the distance of the two quantiles; default 0.1. */
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
export const slidingQuantileFilter = (series: ArrayLike<number>, options: SlidingQuantileOptions): number[] => {
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
};
