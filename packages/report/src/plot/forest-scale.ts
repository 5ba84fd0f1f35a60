import { decidingInterval, type Comparison, type Ratio } from '@deadheat/model';
import { median } from '@deadheat/stats';

/** The axis that all ratios share: differences from 1, 0.05 = 5 % longer. */
export interface ForestScale {
  readonly low: number;
  readonly high: number;
}

/** Intervals that reach this many times further than the middle one do, end at the edge. */
const furthest = 8;

/** An axis for the intervals of all comparisons, on which the far ones do not squeeze the others. */
export function forestScale(comparisons: readonly Comparison[]): ForestScale {
  return scaleOfIntervals(comparisons.map((comparison) => ({ ...comparison, ratio: decidingInterval(comparison) })));
}

/** The same of comparisons whose `ratio` is the interval that decides. */
export function scaleOfIntervals(
  comparisons: readonly (Pick<Comparison, 'margin' | 'minimalDetectableSlowdown'> & {
    readonly ratio: Pick<Ratio, 'estimate' | 'low' | 'high'>;
  })[],
): ForestScale {
  const intervals = comparisons.map(({ ratio }) => ratio);
  const reaches = intervals.map(({ low, high }) => Math.max(Math.abs(low - 1), Math.abs(high - 1)));
  const margin = Math.max(0, ...comparisons.map((comparison) => comparison.margin));
  const middle = reaches.length === 0 ? 0.01 : median(reaches);
  const limit = Math.max(furthest * middle, margin * 2, 1e-4);
  const ends = intervals.flatMap(({ low, high, estimate }) => [low - 1, high - 1, estimate - 1]);
  const seen = comparisons.map(({ minimalDetectableSlowdown }) => minimalDetectableSlowdown);
  const inside = [...ends, ...seen, margin, -margin, middle / 2, -middle / 2].filter((end) => Math.abs(end) <= limit);
  const [low, high] = [Math.min(0, ...inside), Math.max(0, ...inside)];
  const pad = (high - low) * 0.06;
  return { low: low - pad, high: high + pad };
}
