import { mean, variance } from '@deadheat/stats';
import type { Ends } from '../interval/interval-options.ts';
import { welchInterval } from '../interval/welch-interval.ts';

/**
 * Half of the distance between two kinds of runs on the log scale, as a ratio: of runs that have it the one way against runs
 * that have it the other way, such as who sits on which core.
 *
 * @param levels logarithms of B / A of the runs of either kind, at least two of each.
 * @returns the ratio with Welch's interval.
 */
export const placeEffect = (
  levels: readonly [readonly number[], readonly number[]],
  { confidence }: { readonly confidence: number },
): Ends & { readonly ratio: number } => {
  const [first, second] = levels;
  const half = (mean(first) - mean(second)) / 2;
  const parts = levels.map((logRatios) => ({
    squaredError: variance(logRatios) / logRatios.length / 4,
    n: logRatios.length,
  }));
  const { low, high } = welchInterval(half, { parts, confidence });
  return { ratio: Math.exp(half), low: Math.exp(low), high: Math.exp(high) };
};
