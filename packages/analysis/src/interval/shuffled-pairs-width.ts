import { mean, shuffle } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import type { PairedTimes } from '../metric/paired-times.ts';
import { runLogRatios } from '../pairing/run-log-ratios.ts';
import { weightedUnits } from '../units/weighted-units.ts';
import { duetRatioInterval } from './duet-ratio-interval.ts';
import type { IntervalOptions } from './interval-options.ts';

const SHUFFLES = 5;
const REPLICATES = 2000;

/**
 * The width that the interval of the ratio would have without what pairing does: B's times are shuffled over all runs and
 * set against A's, everything else stays. The average over 5 shuffles of 2 000 replicates each.
 *
 * @param times the pairs.
 * @param options.members what the bootstrap draws, as places in the list of runs.
 * Source: Bulej et al., ICPE'20, section 4.2 (RQ2).
 */
export const shuffledPairsWidth = (
  times: PairedTimes,
  options: IntervalOptions & { readonly members: readonly (readonly number[])[] },
): number => {
  const pool = times.B.flatMap((run) => Array.from(run));
  const widths: number[] = [];
  for (let k = 0; k < SHUFFLES; k++) {
    const shuffled = shuffle(pool, options.random);
    let place = 0;
    const B = times.B.map((run) => Float64Array.from(run, () => at(shuffled, place++)));
    const units = weightedUnits(runLogRatios(B, times.A), options.members);
    const { low, high } = duetRatioInterval(units, { ...options, replicates: REPLICATES });
    widths.push(high - low);
  }
  return mean(widths);
};
