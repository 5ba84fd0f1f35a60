import type { AskedInterval, Interval, Side } from '@deadheat/model';
import {
  bootstrapMeans,
  largest,
  mean,
  standardDeviation,
  studentTQuantile,
  studentTSf,
  bcaInterval,
  expandedPercentileInterval,
  percentileInterval,
  type Random,
} from '@deadheat/stats';
import { joined, type Lists } from '../internal/lists.ts';

/** Options of an interval of a mean. */
export interface IntervalOptions {
  readonly kind: MeanInterval;
  /** Confidence level, inside (0, 1). */
  readonly confidence: number;
  /** Bootstrap replicates; unused by `t`. */
  readonly replicates: number;
  readonly random: Random;
}

/** Two ends, low <= high. */
export interface Ends {
  readonly low: number;
  readonly high: number;
}

/** Intervals of the mean. */
type MeanInterval = Exclude<AskedInterval, 'rank'>;

/**
 * Procedure of an interval of a mean: the interval from bootstrap replicates of a sample of `units` values, or of two of which that is the
 * smaller size (`null`: it needs none); and the procedure that takes its place where the units are too few for the level.
 */
interface MeanProcedure {
  readonly kind: Interval['kind'];
  readonly ends:
    | ((
        replicates: Float64Array,
        facts: {
          readonly confidence: number;
          readonly units: number;
          /** The estimate, or its sample, from which `bca` corrects; called for that alone. */
          readonly bca: () => Parameters<typeof bcaInterval>[2];
        },
      ) => Ends)
    | null;
  readonly standIn?: MeanInterval;
}

export const meanProcedures: Readonly<Record<MeanInterval, MeanProcedure>> = {
  expanded: {
    kind: 'expanded-percentile',
    ends: (replicates, { confidence, units }) => expandedPercentileInterval(replicates, confidence, units),
    standIn: 't',
  },
  percentile: { kind: 'percentile', ends: (replicates, { confidence }) => percentileInterval(replicates, confidence) },
  bca: { kind: 'bca', ends: (replicates, { confidence, bca }) => bcaInterval(replicates, confidence, bca()) },
  t: { kind: 't', ends: null },
};

/** Highest level that a bootstrap interval of the mean of n units can reach: it cannot leave the units' range. */
function reachOfOneSample(units: number): number {
  return 1 - 2 * 0.5 ** units;
}

/** The same for two samples of n: the interval cannot contain "no difference" when all of one lie above the other. */
function reachOfTwoSamples(units: number): number {
  let orders = 1;
  for (let k = 1; k <= units; k++) orders *= (units + k) / k;
  return 1 - 2 / orders;
}

/**
 * The kind of interval that the default can hold its promise with. A percentile interval, expanded or not, ends at the
 * extreme units: the chance that all n units lie on one side of the truth is 2 / 2^n even for a symmetric distribution, so
 * 99 % is out of reach below 8 units (95 %: below 6). There `expanded` gives way to the t interval on the log scale. A kind
 * that the user picked stays.
 *
 * @param options.samples 2 where both sides are drawn independently; n is then the smaller one's size.
 */
export function kindForUnits(
  kind: MeanInterval,
  options: { readonly units: number; readonly confidence: number; readonly samples: 1 | 2 },
): MeanInterval {
  const { units, confidence, samples } = options;
  const reach = samples === 1 ? reachOfOneSample(units) : reachOfTwoSamples(units);
  return reach < confidence ? (meanProcedures[kind].standIn ?? kind) : kind;
}

/** A centre of values - log ratios, or differences in ns - with an interval, and p values of the test that the interval is made of. */
export interface Location extends Ends {
  readonly estimate: number;
  readonly kind: Interval['kind'];
  /** Bootstrap replicates; 0 without resampling. */
  readonly replicates: number;
  /** One-sided p value of the hypothesis that the centre is at most `edge`: where `low` lies above it, at most (1 - confidence) / 2. */
  readonly pAtMost: (edge: number) => number;
  /** The same of the hypothesis that it is at least `edge`. */
  readonly pAtLeast: (edge: number) => number;
  /** Smallest p value that so many values can have by ranks, whatever their distribution; 0 where ranks were not asked for. */
  readonly leastP: number;
}

/** A mean with its standard error, as a t test needs it. */
export interface MeanError {
  readonly mean: number;
  readonly standardError: number;
  readonly degrees: number;
}

/** A location by Student's t. Without any scatter the interval is a point and p values are 0 or 1. */
export function tLocation({ mean, standardError, degrees }: MeanError, confidence: number): Location {
  const reach = standardError === 0 ? 0 : studentTQuantile((1 + confidence) / 2, degrees) * standardError;
  const beyond = (distance: number): number => {
    if (standardError === 0) return distance > 0 ? 0 : 1;
    return studentTSf(distance / standardError, degrees);
  };
  return {
    estimate: mean,
    low: mean - reach,
    high: mean + reach,
    kind: 't',
    replicates: 0,
    pAtMost: (edge) => beyond(mean - edge),
    pAtLeast: (edge) => beyond(edge - mean),
    leastP: 0,
  };
}

/**
 * The mean beside ranks: by Student's t, and `chosenMean` where it was chosen among two tests after a look at the values: p values are doubled,
 * and the interval is the wider one that belongs to them (Bonferroni's bound).
 *
 * @param options.leastP that of the ranks.
 */
export function meansBesideRanks(
  error: MeanError,
  { confidence, leastP }: { readonly confidence: number; readonly leastP: number },
): { readonly mean: Location; readonly chosenMean: Location } {
  const strict = tLocation(error, 1 - (1 - confidence) / 2);
  return {
    mean: { ...tLocation(error, confidence), leastP },
    chosenMean: {
      ...strict,
      leastP,
      pAtMost: (edge) => Math.min(1, 2 * strict.pAtMost(edge)),
      pAtLeast: (edge) => Math.min(1, 2 * strict.pAtLeast(edge)),
    },
  };
}

/** The ratio whose logarithm a location is of. */
export function ratioOfLocation(log: Location, level: number): Interval {
  return {
    estimate: Math.exp(log.estimate),
    low: Math.exp(log.low),
    high: Math.min(Math.exp(log.high), Number.MAX_VALUE),
    level,
    kind: log.kind,
    replicates: log.replicates,
  };
}

const steps = 50;
/** In the outermost replicates a bootstrap distribution says nothing. */
const fewestReplicates = 10;

/**
 * One-sided p values by the inversion of a family of intervals: the smallest tail at which the interval leaves out an edge. Below what the
 * replicates can show, the t test's p value where that is smaller still.
 *
 * @param endsAt the interval at a confidence level, of the same replicates for all levels.
 */
export function invertIntervals(
  endsAt: (confidence: number) => Ends,
  options: { readonly confidence: number; readonly replicates: number; readonly t: Location },
): Pick<Location, 'pAtMost' | 'pAtLeast'> {
  const { confidence, replicates, t } = options;
  const least = Math.min((1 - confidence) / 2, fewestReplicates / replicates);
  /** The smallest tail at which an end excludes the edge; `null` where none below one half does. */
  const smallestTail = (excludes: (ends: Ends) => boolean): number | null => {
    if (excludes(endsAt(1 - 2 * least))) return least;
    let low = Math.log(least);
    let high = Math.log(0.5 - 1e-9);
    if (!excludes(endsAt(1 - 2 * Math.exp(high)))) return null;
    for (let step = 0; step < steps; step++) {
      const middle = (low + high) / 2;
      if (excludes(endsAt(1 - 2 * Math.exp(middle)))) high = middle;
      else low = middle;
    }
    return Math.exp(high);
  };
  const pOf = (edge: number, side: 'low' | 'high', far: number): number => {
    const lies = (end: 'low' | 'high') => (ends: Ends) => (end === 'low' ? ends.low > edge : ends.high < edge);
    const tail = smallestTail(lies(side));
    if (tail !== null) return tail === least ? Math.min(least, far) : tail;
    return 1 - (smallestTail(lies(side === 'low' ? 'high' : 'low')) ?? 0.5);
  };
  return {
    pAtMost: (edge) => pOf(edge, 'low', t.pAtMost(edge)),
    pAtLeast: (edge) => pOf(edge, 'high', t.pAtLeast(edge)),
  };
}

/**
 * The mean of independent units by the kind of interval that was asked for, with p values by the inversion of the same replicates.
 *
 * @param units at least two values.
 * @param options.kind `t` or a kind of bootstrap.
 * Source: as `meanInterval`.
 */
export function meanLocation(units: Float64Array, options: IntervalOptions): Location {
  const { kind, confidence, replicates, random } = options;
  const n = units.length;
  if (n < 2) throw new RangeError(`an interval needs at least 2 values, got ${n}`);
  const centre = mean(units);
  const t = tLocation(
    { mean: centre, standardError: standardDeviation(units) / Math.sqrt(n), degrees: n - 1 },
    confidence,
  );
  const { ends, kind: found } = meanProcedures[kind];
  if (ends === null) return t;
  const means = bootstrapMeans(units, { replicates, random });
  const endsAt = (level: number): Ends => ends(means, { confidence: level, units: n, bca: () => ({ sample: units }) });
  const { low, high } = endsAt(confidence);
  return {
    estimate: centre,
    low,
    high,
    kind: found,
    replicates,
    ...invertIntervals(endsAt, { confidence, replicates, t }),
    leastP: 0,
  };
}

/**
 * The largest power of ten of which all times are multiples: the step in which they were counted or printed.
 *
 * @param times in any unit, above 0, at least one.
 */
function decimalStep(times: Iterable<number>): number {
  const values = [...times];
  // Digits below are those of conversions between units.
  const least = largest(values) * 1e-9;
  const isMultipleOf = (step: number) => (time: number) => Math.abs(time - Math.round(time / step) * step) <= least;
  let step = 10 ** Math.floor(Math.log10(largest(values)));
  while (step > least && !values.every(isMultipleOf(step))) step /= 10;
  return step;
}

/** Width of an interval, on the log scale, that is none but the error of its computation. */
const noWidth = 1e-12;

/** True if an interval on the log scale says that the values behind it are all equal. */
export function isWithoutScatter({ low, high }: Ends): boolean {
  return high - low <= noWidth;
}

/**
 * An estimate from times of which the runs show no scatter: it is below the step in which the times are known, and either side is off by up to half of that. Further
 * runs repeat the error, so it does not shrink with them.
 *
 * @param centre logarithm of the ratio B / A.
 * @param options.times of all runs, ns, above 0; two runs a side at least.
 */
export function locationOfRounded(
  centre: number,
  { times: { A, B }, confidence }: { readonly times: Readonly<Record<Side, Lists>>; readonly confidence: number },
): { readonly stepNs: number; readonly location: Location } {
  const all = { A: joined(A), B: joined(B) };
  const stepNs = decimalStep(new Set([...all.A, ...all.B]));
  const standardError = (stepNs / Math.sqrt(12)) * Math.hypot(1 / mean(all.A), 1 / mean(all.B));
  const degrees = Math.max(1, Math.min(A.length, B.length) - 1);
  return { stepNs, location: tLocation({ mean: centre, standardError, degrees }, confidence) };
}
