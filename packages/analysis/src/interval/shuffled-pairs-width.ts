import { mean, shuffleInPlace, type Random } from '@deadheat/stats';
import { joined } from '../internal/joined.ts';
import type { PairedTimes } from '../metric/paired-times.ts';
import { checkPaired } from '../pairing/check-paired.ts';
import { weightedUnits } from '../units/weighted-units.ts';
import type { Ends, IntervalOptions } from './interval-options.ts';
import { meanInterval } from './mean-interval.ts';

const SHUFFLES = 5;
const REPLICATES = 2000;

/**
 * The width that the interval of the ratio would have without what pairing does: B's times are shuffled over all runs and
 * set against A's, everything else stays. The average over 5 shuffles.
 *
 * @param times the pairs.
 * @param options.endsOf the interval of a log ratio a run.
 * Source: Bulej et al., ICPE'20, section 4.2 (RQ2).
 */
export function shuffledWidth(
  times: PairedTimes,
  options: { readonly random: Random; readonly endsOf: (logRatios: Float64Array) => Ends },
): number {
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
    const { low, high } = options.endsOf(Float64Array.from(logRatios));
    widths.push(Math.exp(high) - Math.exp(low));
  }
  return mean(widths);
}

/** As `shuffledWidth` by an interval of the mean, with 2 000 replicates a shuffle. */
export const shuffledPairsWidth = (
  times: PairedTimes,
  options: IntervalOptions & { readonly members: readonly (readonly number[])[] },
): number =>
  shuffledWidth(times, {
    random: options.random,
    endsOf: (logRatios) =>
      meanInterval(weightedUnits(logRatios, options.members), { ...options, replicates: REPLICATES }),
  });
