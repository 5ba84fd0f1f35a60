import { shuffledPairsWidth } from '../interval/shuffled-pairs-width.ts';
import { duetWidth } from './duet-width.ts';
import type { SidesOfTimes } from './sides-of-times.ts';
import { standardWidth } from './standard-width.ts';
import { widthOptions } from './width-options.ts';
import type { WidthOptions } from './width-options.ts';

/** Relative interval widths of one benchmark, 0.01 = 1 %. */
export interface WidthTriplet {
  readonly duet: number;
  /** The duet's, with B's times shuffled over all runs: all that a duet does, but for the shared interference. */
  readonly shuffled: number;
  readonly standard: number;
}

/**
 * The widths duet : shuffled : standard of one benchmark. Shuffled far above duet: the sides were disturbed together.
 * Shuffled near standard: the duet costs nothing else.
 *
 * @param runs.duet times of a duet, paired by place, at least two runs.
 * @param runs.sequential times of sides that ran by themselves, at least two runs a side; for a fair comparison as many runs
 *   and iterations as the duet.
 * @throws RangeError as `duetWidth` and `standardWidth`.
 * Source: Bulej et al., ICPE'20, sections 4.1, 4.2 and 7.2. The shuffled width is the average over 5 shuffles.
 */
export const widthTriplet = (
  runs: { readonly duet: SidesOfTimes; readonly sequential: SidesOfTimes },
  options: WidthOptions,
): WidthTriplet => {
  const duet = duetWidth(runs.duet, options);
  const times = {
    A: runs.duet.A.map((run) => Float64Array.from(run)),
    B: runs.duet.B.map((run) => Float64Array.from(run)),
  };
  const shuffled = shuffledPairsWidth(times, { ...widthOptions(options), members: times.A.map((_, r) => [r]) });
  return { duet, shuffled, standard: standardWidth(runs.sequential, options) };
};
