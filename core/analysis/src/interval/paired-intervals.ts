import type { Comparison, Interval } from '@deadheat/model';
import {
  bootstrapMeans,
  mean,
  shuffleInPlace,
  standardDeviation,
  studentTQuantile,
  type Random,
} from '@deadheat/stats';
import { joined } from '../internal/lists.ts';
import type { PairedTimes } from '../metric/iteration-times.ts';
import { checkPaired } from '../pairing/paired-ratios.ts';
import { weightedUnits } from '../units/resampling-units.ts';
import { bootstrapEnds, intervalName, type Ends, type IntervalOptions } from './location.ts';

/**
 * The ratio B / A of a duet with its interval: the bootstrap draws units (runs, or blocks of runs that traded cores) with
 * replacement and takes the geometric mean, that is the mean of logarithms; `t` is made on the log scale as well.
 *
 * @param logRatios natural logarithm of every unit's geometric mean ratio, at least two.
 * @throws RangeError for fewer than two units or values that are not finite.
 * Source: Bulej et al., ICPE'20, section 3, step 5 (`percentile`); Hesterberg 2015 (`expanded`).
 */
export function duetRatioInterval(logRatios: ArrayLike<number>, options: IntervalOptions): Interval {
  const { low, high } = meanInterval(logRatios, options);
  return {
    estimate: Math.exp(mean(logRatios)),
    low: Math.exp(low),
    high: Math.min(Math.exp(high), Number.MAX_VALUE),
    level: options.confidence,
    kind: intervalName(options.kind),
    replicates: options.kind === 't' ? 0 : options.replicates,
  };
}

/**
 * The mean paired difference B - A with its interval, ns.
 *
 * @param differences mean paired difference of every unit, ns, at least two. The thesis takes `bca` with 9 999 replicates.
 * @throws RangeError for fewer than two units or values that are not finite.
 * Source: Drozdik 2023, section 4.3.2.
 */
export function pairedDifferenceInterval(
  differences: ArrayLike<number>,
  options: IntervalOptions,
): Comparison['difference'] {
  const { low, high } = meanInterval(differences, options);
  return { estimateNs: mean(differences), lowNs: low, highNs: high };
}

/**
 * An interval of the mean of a sample, in the unit of the values: by the bootstrap over the values, or `t`, the mean plus and
 * minus the t quantile times the standard error.
 *
 * @param sample at least two values.
 * @throws RangeError for fewer values or values that are not finite.
 */
export function meanInterval(sample: ArrayLike<number>, options: IntervalOptions): Ends {
  const { kind, confidence, replicates, random } = options;
  const n = sample.length;
  if (n < 2) throw new RangeError(`an interval needs at least 2 values, got ${n}`);
  if (kind === 't') {
    const reach = (studentTQuantile((1 + confidence) / 2, n - 1) * standardDeviation(sample)) / Math.sqrt(n);
    return { low: mean(sample) - reach, high: mean(sample) + reach };
  }
  const means = bootstrapMeans(sample, { replicates, random });
  return bootstrapEnds(means, { kind, confidence, units: n, bca: () => ({ sample }) });
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
const shuffledReplicates = 2000;

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
  const pool = joined(times.B);
  for (let i = 0; i < pool.length; i++) pool[i] = Math.log(pool[i]!);
  const shuffled = new Float64Array(pool.length);
  const widths: number[] = [];
  for (let k = 0; k < shuffles; k++) {
    shuffled.set(pool);
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
