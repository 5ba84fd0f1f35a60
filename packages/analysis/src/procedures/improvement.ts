import { geometricMean } from '@deadheat/stats';
import type { WidthTriplet } from './width-triplet.ts';

/** How many times narrower the intervals are than those of the standard method. */
export interface Improvement {
  /** Geometric mean over benchmarks of standard / duet; 5 = five times narrower. `null` without benchmarks. */
  readonly duet: number | null;
  /** The same for the shuffled duet: what of it does not come from shared interference, about 1. */
  readonly shuffled: number | null;
  /** Benchmarks in the means. */
  readonly benchmarks: number;
  /** Benchmarks left out because one of their widths is 0 and so has no ratio. */
  readonly leftOut: number;
}

/**
 * The average reduction of the relative interval width over benchmarks.
 *
 * Source: Bulej et al., ICPE'20, table 1 and section 4.2.
 */
export const improvement = (triplets: readonly WidthTriplet[]): Improvement => {
  const usable = triplets.filter(({ duet, shuffled, standard }) => duet > 0 && shuffled > 0 && standard > 0);
  const average = (by: 'duet' | 'shuffled'): number | null =>
    usable.length === 0 ? null : geometricMean(usable.map((triplet) => triplet.standard / triplet[by]));
  return {
    duet: average('duet'),
    shuffled: average('shuffled'),
    benchmarks: usable.length,
    leftOut: triplets.length - usable.length,
  };
};
