import type { Side, Warning } from '@deadheat/model';
import { binomialSf, median, medianAbsoluteDeviation } from '@deadheat/stats';
import type { Location } from '../interval/location.ts';
import { type Origin, withRuns } from './run-warnings.ts';

/** Turns a median absolute deviation into the standard deviation of a normal distribution. */
const normal = 1.4826;
/** A value this many robust standard deviations from the median is far. */
const far = 4;
/** Level of the sign test among far values for each direction: six on one side and none on the other. */
const lopsidedLevel = 0.025;
/** The level at which they are suspicious: three on one side and none on the other. */
const suspiciousLevel = 0.13;
/** The same where the mean lies beyond a margin within which a dead heat would be claimed: more on one side. */
const leaningLevel = 0.5;
/** This number of far values on one side and none on the other, at least this share of all, is suspicious wherever the mean lies. */
const suspiciousAlone = 2;
const suspiciousShare = 0.05;
/** One-sided level at which the mean lies outside of what ranks bear out: the same at every confidence, so that wider intervals hold narrower ones. */
const outsideLevel = 0.005;
/** Far values on one side alone that the sign test takes. */
const enough = 6;

/** A side that is slow in some of its runs only, so that a typical run does not represent its mean. */
export interface SlowNowAndThen {
  /**
   * `decides`: ratios are lopsided beyond chance, so the mean decides; `suspected`: there are too few far values to decide, so no dead heat is
   * claimed.
   */
  readonly strength: 'decides' | 'suspected';
  readonly slower: Side;
  /** Units in which that side was far slower than it mostly is, and those in which the other was. */
  readonly count: number;
  readonly opposite: number;
  readonly units: number;
  /** The median of how much slower, 0.3 = 30 %; `null` without far values. */
  readonly by: number | null;
}

/**
 * Finding that the mean has to be heard where ranks would decide: a rank procedure compares typical runs, and a program that is
 * slow in one run of ten has the same typical run.
 *
 * @param values log ratios of the units; of sides measured by themselves the logs of both sides less their medians, A's turned round.
 * @param facts.rank, facts.mean locations of the same values.
 * @param facts.unitsOf number of units of each side.
 * @returns `null` where the mean lies within the interval of 99 % of the ranks and far values are no more frequent on one side.
 */
export function slowNowAndThen(
  values: Float64Array,
  facts: {
    readonly rank: Location;
    readonly mean: Location;
    readonly margin: number;
    readonly unitsOf: Readonly<Record<Side, number>>;
  },
): SlowNowAndThen | null {
  const { rank, mean, margin, unitsOf } = facts;
  const centre = median(values);
  const spread = normal * medianAbsoluteDeviation(values);
  const above = spread === 0 ? [] : values.filter((value) => value - centre > far * spread);
  const below = spread === 0 ? [] : values.filter((value) => centre - value > far * spread);
  const isOutside = Math.min(rank.pAtMost(mean.estimate), rank.pAtLeast(mean.estimate)) <= outsideLevel;
  const larger = Math.max(above.length, below.length);
  const all = above.length + below.length;
  const p = all === 0 ? 1 : binomialSf(larger - 1, all, 0.5);
  const isLopsided = p <= lopsidedLevel;
  const isBeyond = margin > 0 && Math.abs(mean.estimate) > Math.log1p(margin);
  const isB = all === 0 ? mean.estimate > rank.estimate : above.length > below.length;
  const units = isB ? unitsOf.B : unitsOf.A;
  const isSuspected =
    (larger === all && larger >= Math.max(suspiciousAlone, suspiciousShare * units)) ||
    (isOutside && p <= (isBeyond ? leaningLevel : suspiciousLevel));
  if (!isLopsided && !isSuspected && !(isOutside && all === 0)) return null;
  const slow = isB ? above : below;
  return {
    strength: isLopsided || all === 0 ? 'decides' : 'suspected',
    slower: isB ? 'B' : 'A',
    count: slow.length,
    opposite: all - slow.length,
    units,
    by: all === 0 ? null : Math.expm1(Math.abs(median(slow) - centre)),
  };
}

/** Log of how far a single run has to be to count by itself: spikes of a machine, which hit either side by lot, are mostly below it. */
const farAlone = Math.log(1.6);

/**
 * The side that was seen to be slow in exactly one unit, by 60 % or more, where the other never was: too little for `slowNowAndThen`, and enough not
 * to call that side faster while its total time may be longer.
 *
 * @param values as for `slowNowAndThen`
 */
export function slowOnce(values: Float64Array): Side | null {
  const centre = median(values);
  const distances = values.map((value) => value - centre).filter((distance) => Math.abs(distance) > farAlone);
  const [only] = distances;
  return only === undefined || distances.length > 1 ? null : only > 0 ? 'B' : 'A';
}

/** About how many runs show whether the program or a disturbance makes the far values, when `runs` runs showed those of `slow`. */
export function runsForFarValues(
  { count, opposite }: Pick<SlowNowAndThen, 'count' | 'opposite'>,
  runs: number,
): number {
  return Math.ceil((enough / Math.max(1, count - opposite)) * runs);
}

/** SLOW_NOW_AND_THEN: how often one side was far slower than it mostly is, how much, and what was made of it. */
export function slowWarning(
  slow: SlowNowAndThen | null,
  facts: { readonly unit: 'run' | 'traded-block'; readonly runs: number; readonly origin: Origin },
): Warning[] {
  if (slow === null) return [];
  const { slower, count, opposite, units, by, strength } = slow;
  const other: Side = slower === 'B' ? 'A' : 'B';
  const unit = facts.unit === 'run' ? 'runs' : 'blocks of two runs';
  const seen =
    by === null
      ? `the mean of the runs' ratios lies outside of the interval of a typical run, on the side of a slower ${slower}`
      : `${slower} was slower than it mostly is by ${(100 * by).toFixed(by < 0.1 ? 1 : 0)} % (median) in ${count} of ${units} ${unit}, ` +
        `${other} in ${opposite === 0 ? 'none' : String(opposite)}`;
  const needed = runsForFarValues(slow, facts.runs);
  const made =
    strength === 'decides'
      ? `, so the mean decides and not the typical run; look at what ${slower} does in its slow runs`
      : `, too few to know whether the program or a disturbance causes it, so no dead heat is claimed; ${withRuns(`give it about ${needed} runs`, needed, facts.origin)}`;
  return [{ code: 'SLOW_NOW_AND_THEN', message: `${seen}${made}` }];
}
