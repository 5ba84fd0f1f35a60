import type { Comparison, Ratio } from '@deadheat/model';
import { studentTQuantile } from '@deadheat/stats';
import { ratioOfLocation, type Location } from '../interval/location.ts';
import type { RankLocations } from '../interval/rank-location.ts';
import { slowNowAndThen, type SlowNowAndThen } from '../warnings/slow-now-and-then.ts';

/** One metric's ratio and what else follows from the same times. */
export interface Estimate {
  /** What decides. */
  readonly ratio: Ratio;
  /** As those of `Comparison`. */
  readonly meanRatio: Ratio | null;
  readonly rankRatio: Ratio | null;
  /** As `Comparison.pValues`, of the test whose interval is that of `ratio`. */
  readonly pValues: (margin: number) => Comparison['pValues'];
  readonly difference: () => Comparison['difference'];
  /** As `Comparison.pairingGain`. */
  readonly pairingGain: () => number | null;
  /** Standard deviation of a unit's log ratio, as if the estimate were the mean of the units and had this interval. */
  readonly standardDeviation: number;
  /** Mean log ratio of every unit that is resampled. */
  readonly unitLogRatios: Float64Array;
  /** Mean difference B - A of every unit, ns; for duets of the paired times. */
  readonly unitDifferencesNs: () => Float64Array;
  /** What the interval of `ratio` is made of. */
  readonly madeOf: Comparison['resampled'];
  readonly slow: SlowNowAndThen | null;
  /** As `RankLocations.inflation`. */
  readonly inflation: number;
}

/** Which of two locations decides, and what stands beside it. */
export interface Decided extends Pick<Estimate, 'ratio' | 'meanRatio' | 'rankRatio' | 'pValues' | 'slow'> {
  readonly location: Location;
  readonly isRank: boolean;
}

/** One-sided p values at both edges of a margin. */
export function pValuesOf(log: Location, margin: number): Comparison['pValues'] {
  const edge = Math.log1p(margin);
  return { slower: log.pAtMost(edge), faster: log.pAtLeast(-edge) };
}

/** The mean decides as it was asked to. */
export function decideByMean(log: Location, confidence: number): Decided {
  return {
    location: log,
    isRank: false,
    ratio: ratioOfLocation(log, confidence),
    meanRatio: null,
    rankRatio: null,
    pValues: (margin) => pValuesOf(log, margin),
    slow: null,
  };
}

/** Ranks decide, unless there are too few units for them or the mean has to be heard. */
export function decideByRank(
  { rank, mean, chosenMean, values }: Pick<RankLocations, 'rank' | 'mean' | 'chosenMean' | 'values'>,
  { confidence, margin }: { readonly confidence: number; readonly margin: number },
): Decided {
  if (rank === null) return decideByMean(mean, confidence);
  const slow = slowNowAndThen(values, { rank, mean, margin });
  if (slow?.strength === 'decides') {
    return { ...decideByMean(chosenMean, confidence), rankRatio: ratioOfLocation(rank, confidence), slow };
  }
  return { ...decideByMean(rank, confidence), isRank: true, meanRatio: ratioOfLocation(mean, confidence), slow };
}

/**
 * What an experiment sees is told from its own width, which varies more by ranks than by a standard deviation: by this much more for a power
 * of 80 % over all experiments, by simulation.
 */
const rankSensitivity = 1.03;

/** The standard deviation of each of n values whose mean would have a t interval as wide as this one. */
export function deviationBehind(
  { low, high, interval }: Location,
  options: { readonly n: number; readonly confidence: number },
): number {
  const { n, confidence } = options;
  const factor = interval === 't' ? 1 : rankSensitivity;
  return (factor * ((high - low) / 2) * Math.sqrt(n)) / studentTQuantile((1 + confidence) / 2, n - 1);
}
