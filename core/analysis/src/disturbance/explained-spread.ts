import { mean, median, standardDeviation, studentTSf, welchTTest } from '@deadheat/stats';
import { at } from '../internal/lists.ts';

/** Runs that are alike but for what disturbed them. */
interface DisturbedRuns {
  /** Logarithm of each run's time. */
  readonly logTimes: readonly number[];
  /** The count of each run, such as a share of stolen time. */
  readonly counts: readonly number[];
}

/** Association of times with a count. */
export interface ExplainedSpread {
  /** Standard deviation of the times, relative, that goes along with the counts: correlation times spread; >= 0. */
  readonly share: number;
  /** Between counts and log times inside the groups, -1..1. */
  readonly correlation: number;
  /** Two-sided, of no correlation. */
  readonly p: number;
  readonly runs: number;
}

/**
 * The part of the spread of run times that goes along with a count, over groups of runs of which each has its own level. That
 * two things go together does not prove that the one brings about the other.
 *
 * @param groups those with fewer than two runs are left out.
 * @returns `null` with fewer than three degrees of freedom, or where the times or the counts do not vary.
 * The t test of Pearson's correlation, with one degree of freedom less for every group.
 */
export function explainedSpread(groups: readonly DisturbedRuns[]): ExplainedSpread | null {
  const used = groups.filter(({ logTimes }) => logTimes.length > 1);
  const times = used.flatMap(({ logTimes }) => [...centred(logTimes)]);
  const counts = used.flatMap((group) => [...centred(group.counts)]);
  const df = times.length - used.length - 1;
  if (df < 3) return null;
  const ofTimes = product(times, times);
  const correlation = correlationOfCentred(times, counts);
  if (correlation === null) return null;
  const rest = 1 - correlation ** 2;
  return {
    share: Math.abs(correlation) * Math.sqrt(ofTimes / (df + 1)),
    correlation,
    p: rest <= 0 ? 0 : 2 * studentTSf(Math.abs(correlation) * Math.sqrt(df / rest), df),
    runs: times.length,
  };
}

/** Spread of log times inside groups of which each has its own level; `null` without a group of two. */
export function spreadWithin(groups: readonly (readonly number[])[]): number | null {
  const used = groups.filter((group) => group.length > 1);
  const df = used.reduce((sum, { length }) => sum + length - 1, 0);
  if (df === 0) return null;
  const squares = used.reduce((sum, group) => sum + standardDeviation(group) ** 2 * (group.length - 1), 0);
  return Math.sqrt(squares / df);
}

/** Pearson's correlation of two samples of the same length, -1..1; 0 where one of the two does not vary. */
export function correlationOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return correlationOfCentred(centred(a), centred(b)) ?? 0;
}

/** `null` where one of the two does not vary. */
function correlationOfCentred(a: ArrayLike<number>, b: ArrayLike<number>): number | null {
  const [ofA, ofB] = [product(a, a), product(b, b)];
  return ofA > 0 && ofB > 0 ? Math.max(-1, Math.min(1, product(a, b) / Math.sqrt(ofA * ofB))) : null;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += at(a, k) * at(b, k);
  return sum;
}

function centred(values: ArrayLike<number>): Float64Array {
  const centre = mean(values);
  return new Float64Array(values).map((value) => value - centre);
}

/** Spreads of log times, relative, with a disturbance and with it avoided. */
export interface SpreadRemoved {
  readonly spread: number;
  readonly without: number;
  /** Spread that the disturbance adds: the root of the difference of the variances; 0 where avoiding it did not help. */
  readonly share: number;
  /** Two-sided, of equal spreads. */
  readonly p: number;
}

/**
 * Spread that a disturbance adds to run times, from runs with it and runs in which it was avoided.
 *
 * @param groups logarithms of times; each group has a level of its own.
 * @returns `null` with fewer than two runs of either kind in a group of two.
 * Brown and Forsythe's test (JASA 69, 1974): Welch's t test of the distances from the groups' medians.
 */
export function spreadRemoved(groups: {
  readonly with: readonly (readonly number[])[];
  readonly without: readonly (readonly number[])[];
}): SpreadRemoved | null {
  const spread = spreadWithin(groups.with);
  const without = spreadWithin(groups.without);
  if (spread === null || without === null) return null;
  const { p } = welchTTest(distances(groups.with), distances(groups.without));
  return { spread, without, share: Math.sqrt(Math.max(0, spread ** 2 - without ** 2)), p };
}

function distances(groups: readonly (readonly number[])[]): number[] {
  return groups
    .filter((group) => group.length > 1)
    .flatMap((group) => {
      const centre = median(group);
      return group.map((value) => Math.abs(value - centre));
    });
}
