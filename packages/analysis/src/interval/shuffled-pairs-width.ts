import { mean, shuffleInPlace } from '@deadheat/stats';
import { joined } from '../internal/joined.ts';
import type { PairedTimes } from '../metric/paired-times.ts';
import { checkPaired } from '../pairing/check-paired.ts';
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
  checkPaired(times.B, times.A);
  const logsOfA = times.A.map((run) => run.map((time) => Math.log(time)));
  const pool = joined(times.B).map((time) => Math.log(time));
  const widths: number[] = [];
  for (let k = 0; k < SHUFFLES; k++) {
    const shuffled = pool.slice();
    shuffleInPlace(shuffled, options.random);
    let place = 0;
    const logRatios = logsOfA.map((run) => {
      const differences = shuffled.subarray(place, (place += run.length));
      for (let i = 0; i < run.length; i++) differences[i]! -= run[i]!;
      return mean(differences);
    });
    const units = weightedUnits(logRatios, options.members);
    const { low, high } = duetRatioInterval(units, { ...options, replicates: REPLICATES });
    widths.push(high - low);
  }
  return mean(widths);
};
