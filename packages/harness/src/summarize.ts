import { tQuantile975 } from './t-quantile.ts';

/** What the table says about a benchmark; times in the unit of the sample. */
export interface Summary {
  readonly median: number;
  readonly mean: number;
  /** 95 % t interval of the mean; `null` below two values. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Standard deviation relative to the mean; `null` below two values and where the mean is 0. */
  readonly variation: number | null;
}

/**
 * Sums up the iterations of one process. They are not independent, and another process may be faster or slower as a
 * whole: the interval says how well this process's mean is known, not more.
 *
 * @param times at least one
 */
export function summarize(times: readonly number[]): Summary {
  const n = times.length;
  const sorted = times.toSorted((a, b) => a - b);
  const [lower = Number.NaN, upper = Number.NaN] = [sorted[(n - 1) >> 1], sorted[n >> 1]];
  const mean = times.reduce((sum, time) => sum + time, 0) / n;
  const summary = { median: (lower + upper) / 2, mean };
  if (n < 2) return { ...summary, interval: null, variation: null };
  const deviation = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (n - 1));
  const half = (tQuantile975(n - 1) * deviation) / Math.sqrt(n);
  return {
    ...summary,
    interval: { low: mean - half, high: mean + half },
    variation: mean > 0 ? deviation / mean : null,
  };
}
