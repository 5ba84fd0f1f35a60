import {
  bootstrapMeans,
  mean,
  shuffleInPlace,
  standardDeviation,
  studentTQuantile,
  type Random,
} from '@deadheat/stats';
import { joined, numbersOf, SingleValues } from '../internal/lists.ts';
import type { PairedTimes } from '../metric/iteration-times.ts';
import { checkPaired } from '../pairing/paired-ratios.ts';
import { weightedUnits } from '../units/resampling-units.ts';
import { meanProcedures, type Ends, type IntervalOptions } from './location.ts';

/**
 * The mean of a sample with its interval, in the unit of the values: by the bootstrap over the values, or `t`, the mean plus and
 * minus the t quantile times the standard error. Of the units' log ratios of a duet it is the logarithm of the geometric mean ratio; of
 * their differences, the mean difference.
 *
 * @param sample at least two values.
 * @throws RangeError for fewer values or values that are not finite.
 * Source: Bulej et al., ICPE'20, section 3, step 5 (`percentile`); Hesterberg 2015 (`expanded`); Drozdik 2023, section 4.3.2 (`bca` of
 * differences, with 9 999 replicates).
 */
export function meanInterval(
  sample: ArrayLike<number>,
  options: IntervalOptions,
): Ends & { readonly estimate: number } {
  const { kind, confidence, replicates, random } = options;
  const n = sample.length;
  if (n < 2) throw new RangeError(`an interval needs at least 2 values, got ${n}`);
  const { ends } = meanProcedures[kind];
  if (ends === null) {
    const reach = (studentTQuantile((1 + confidence) / 2, n - 1) * standardDeviation(sample)) / Math.sqrt(n);
    return { estimate: mean(sample), low: mean(sample) - reach, high: mean(sample) + reach };
  }
  const means = bootstrapMeans(sample, { replicates, random });
  const { low, high } = ends(means, { confidence, units: n, bca: () => ({ sample }) });
  return { estimate: mean(sample), low, high };
}

/** A relative width below this is rounding. */
const rounding = 1e-12;

/**
 * Width of the interval without the pairs over its width with them: the width with the pairs shuffled over the true one.
 *
 * @returns `null` where the true interval is a point and so has no width to compare with.
 */
export function pairingGain(
  shuffledWidth: number,
  interval: { readonly low: number; readonly high: number },
): number | null {
  const width = interval.high - interval.low;
  return width > rounding * interval.high ? shuffledWidth / width : null;
}

const shuffles = 5;
/** One shuffle of more runs says as much. */
const mostShuffled = 50_000;
const shuffledReplicates = 2000;

/**
 * The width that the interval of the ratio would have without what pairing does: B's times are shuffled over all runs and
 * set against A's, everything else stays. The average over 5 shuffles, of more than 50 000 runs one.
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
  const [logsOfA, pool] = [joined(times.A).map(Math.log), joined(times.B).map(Math.log)];
  const shuffled = new Float64Array(pool.length);
  const widths: number[] = [];
  for (let k = 0; k < (times.A.length > mostShuffled ? 1 : shuffles); k++) {
    shuffled.set(pool);
    shuffleInPlace(shuffled, options.random);
    let place = 0;
    for (let i = 0; i < shuffled.length; i++) shuffled[i]! -= logsOfA[i]!;
    const logRatios =
      times.A instanceof SingleValues
        ? shuffled
        : numbersOf(times.A, ({ length }) => mean(shuffled.subarray(place, (place += length))));
    const { low, high } = options.endsOf(logRatios);
    widths.push(Math.exp(high) - Math.exp(low));
  }
  return mean(widths);
}

/** `shuffledWidth` by an interval of the mean, with 2 000 replicates a shuffle. */
export function shuffledPairsWidth(
  times: PairedTimes,
  options: IntervalOptions & { readonly members: readonly (readonly number[])[] },
): number {
  return shuffledWidth(times, {
    random: options.random,
    endsOf: (logRatios) =>
      meanInterval(weightedUnits(logRatios, options.members), { ...options, replicates: shuffledReplicates }),
  });
}
