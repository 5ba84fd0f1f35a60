import { coefficientOfVariation } from '@deadheat/stats';
import type { RunsOfTimes } from '../pairing/runs-of-times.ts';
import { differenceWidth } from './difference-width.ts';
import { duetWidth } from './duet-width.ts';
import type { SidesOfTimes } from './sides-of-times.ts';
import { standardWidth } from './standard-width.ts';
import type { WidthOptions } from './width-options.ts';

/** How much a set of runs varies, and what is left of it in the result. */
export interface Variation {
  /** Standard deviation over mean of each side's times, all runs pooled: 0.02 = 2 %. */
  readonly coefficientOfVariation: { readonly A: number; readonly B: number };
  /** Width of the interval relative to the times, 0.01 = 1 %. */
  readonly relativeWidth: number;
}

const WIDTHS = { duet: duetWidth, standard: standardWidth, difference: differenceWidth };

const pooled = (runs: RunsOfTimes): number[] => runs.flatMap((times) => Array.from(times));

/**
 * The coefficient of variation of the raw times, and the relative width of the interval that is made from them. In a duet the
 * first may be large and the second small: both sides vary together. Warm-up and outliers are the caller's to remove.
 *
 * @param options.width which interval: `duet` that of the ratio, `standard` that of the difference of means, `difference`
 *   that of the paired differences.
 * @throws RangeError as `duetWidth`, `standardWidth`, `differenceWidth`; with fewer than two times a side.
 * Source: Drozdik 2023, sections 4.3.1 and 4.3.2; Bulej et al., ICPE'20, section 4.1.
 */
export const variationOf = (
  times: SidesOfTimes,
  options: WidthOptions & { readonly width: 'duet' | 'standard' | 'difference' },
): Variation => ({
  coefficientOfVariation: {
    A: coefficientOfVariation(pooled(times.A)),
    B: coefficientOfVariation(pooled(times.B)),
  },
  relativeWidth: WIDTHS[options.width](times, options),
});
