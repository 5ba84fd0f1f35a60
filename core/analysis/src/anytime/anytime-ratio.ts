import { methodFacts, type ExperimentConfig, type Interval, type Method } from '@deadheat/model';
import {
  anytimeMeanInterval,
  anytimeTCritical,
  binomialCdf,
  binomialSf,
  mean,
  median,
  medianAbsoluteDeviation,
  type AnytimeInterval,
} from '@deadheat/stats';
import { inflationOf } from '../interval/rank-location.ts';
import { pairedTimes, type JudgedTimes } from '../metric/iteration-times.ts';
import { runLogRatios } from '../pairing/paired-ratios.ts';
import type { UsableRun } from '../pairing/select-runs.ts';
import type { ResamplingUnits } from '../units/resampling-units.ts';
import { at } from '../internal/lists.ts';

/** A ratio B / A with an interval that holds its level at every interim analysis, and what it was made of. */
export interface AnytimeRatio extends Interval {
  /** The same on the log scale. */
  readonly log: AnytimeInterval;
}

/** Everything as if the standard deviation were larger. */
function widen(log: AnytimeInterval, inflation: number): AnytimeInterval {
  if (inflation === 1) return log;
  const factor = Math.sqrt(inflation);
  return {
    ...log,
    standardDeviation: log.standardDeviation * factor,
    low: log.mean - (log.mean - log.low) * factor,
    high: log.mean + (log.high - log.mean) * factor,
  };
}

/**
 * The ratio B / A of runs with an interval that holds its level however often it is computed. It is the mean of log ratios of which
 * far ones were moved (`settleValues`), and the interval is wider where neighbours resemble each other.
 *
 * @param logRatios natural logarithm of every run's ratio, at least two.
 * @param options.conditions for sides that trade cores: whether a run had the first assignment. What differs between the
 *   cores is then no noise.
 * @returns ends 0 and the largest double before the first interim analysis that could say anything.
 * Source: as `anytimeMeanInterval`.
 */
export function anytimeRatio(
  logRatios: ArrayLike<number>,
  options: { readonly confidence: number; readonly conditions: readonly boolean[] | null },
): AnytimeRatio {
  const { confidence, conditions } = options;
  const { values, inflation } = settleValues(Float64Array.from(logRatios), conditions);
  const log = widen(
    anytimeMeanInterval(values, { confidence, ...(conditions === null ? {} : { conditions }) }),
    inflation,
  );
  return {
    estimate: Math.exp(log.mean),
    low: Math.exp(log.low),
    high: Math.min(Math.exp(log.high), Number.MAX_VALUE),
    level: confidence,
    kind: 'anytime-t',
    replicates: 0,
    log,
  };
}

/** True if there are too few runs for an interval that excludes anything. */
export function isBoundless({ log }: Pick<AnytimeRatio, 'log'>): boolean {
  return log.low === -Infinity;
}

/**
 * Distance that the interval would reach to each side of the estimate with another number of runs of the same spread, without what
 * skewness adds, on the log scale.
 */
export function anytimeReach({ log, level }: Pick<AnytimeRatio, 'log' | 'level'>, runs: number): number {
  const used = Math.round(log.size) - log.degrees;
  const degrees = Math.max(1, Math.round(runs) - Math.max(1, used));
  return (anytimeTCritical({ size: runs, degrees, confidence: level }) * log.standardDeviation) / Math.sqrt(runs);
}

/**
 * The anytime-valid ratio of a benchmark's usable runs, at least two. Where the sides traded cores in blocks the two
 * assignments of the cores are its conditions.
 */
export function anytimeRatioOfRuns(
  runs: readonly UsableRun[],
  options: Pick<ExperimentConfig, 'confidence'> & {
    readonly method: Method;
    readonly times: JudgedTimes;
    readonly units: ResamplingUnits;
  },
): AnytimeRatio {
  const { confidence, units } = options;
  return anytimeRatio(logRatiosOfRuns(runs, options), {
    confidence,
    conditions: units.unit === 'traded-block' ? runs.map(({ trial }) => trial.sides.A.cpu < trial.sides.B.cpu) : null,
  });
}

/**
 * The logarithm of every run's ratio B / A: of a duet the mean over its pairs, of sequential runs that of the sides' mean times.
 */
function logRatiosOfRuns(
  runs: readonly UsableRun[],
  { method, times }: { readonly method: Method; readonly times: JudgedTimes },
): Float64Array {
  if (methodFacts[method].pairs !== 'none') {
    const pairs = pairedTimes(runs, times);
    return runLogRatios(pairs.B, pairs.A);
  }
  return Float64Array.from(runs, (_, r) => Math.log(mean(at(times.B, r)) / mean(at(times.A, r))));
}

/** Turns a median absolute deviation into the standard deviation of a normal distribution. */
const normal = 1.4826;
/** Values further than this many robust standard deviations from the median are moved to there. */
const far = 4;
/** A second mode that shows in this share of the values is none of the far ones ... */
const mode = 0.3;
/** ... if it shows as rarely as that with at most this probability. */
const chanceOfMode = 0.0025;
/** One-sided level of the sign test at which far values are lopsided and so part of the mean. */
const lopsidedLevel = 0.13;
/** One-sided level at which neighbours resemble each other; low evidence is enough, since an interval that holds at every interim analysis has many chances to err. */
const wanderLevel = 0.2;

/** Values as the interval that holds at every interim analysis takes them. */
interface SettledValues {
  readonly values: Float64Array;
  /** Variance of their mean over that of independent values, >= 1. */
  readonly inflation: number;
}

/** Median of the values of each condition, for every value that of its own. */
function centresOf(values: Float64Array, conditions: readonly boolean[] | null): Float64Array {
  if (conditions === null) return new Float64Array(values.length).fill(median(values));
  const centreOf = (kind: boolean): number => {
    const own = values.filter((_, i) => conditions[i] === kind);
    return own.length === 0 ? 0 : median(own);
  };
  const centres = { yes: centreOf(true), no: centreOf(false) };
  return Float64Array.from(conditions, (kind) => (kind ? centres.yes : centres.no));
}

/**
 * Log ratios with far values moved to four robust standard deviations from their median, so that rare disturbances of either side do not widen the
 * interval of the mean; and how much neighbours resemble each other. Values are left as they are where far ones are
 *
 * - lopsided (sign test, 13 % one-sided: three on one side and none on the other): a side that is slow now and then is part of the mean;
 * - so many that they may be a second mode that shows in three of ten runs.
 *
 * Source: docs/decisions/0010-rank-estimates.md, with the simulated error rates of the interval over such values.
 *
 * @param values at least one.
 * @param conditions as of `anytimeMeanInterval`.
 */
export function settleValues(values: Float64Array, conditions: readonly boolean[] | null): SettledValues {
  const centres = centresOf(values, conditions);
  const residuals = values.map((value, i) => value - centres[i]!);
  const inflation = inflationOf(residuals, wanderLevel);
  const reach = far * normal * medianAbsoluteDeviation(residuals);
  const above = residuals.reduce((count, value) => count + (value > reach ? 1 : 0), 0);
  const below = residuals.reduce((count, value) => count + (value < -reach ? 1 : 0), 0);
  const count = above + below;
  const isSettled =
    reach === 0 ||
    count === 0 ||
    binomialCdf(count, values.length, mode) > chanceOfMode ||
    binomialSf(Math.max(above, below) - 1, count, 0.5) <= lopsidedLevel;
  if (isSettled) return { values, inflation };
  return {
    values: values.map((value, i) => {
      const residual = residuals[i]!;
      return Math.abs(residual) > reach ? centres[i]! + Math.sign(residual) * reach : value;
    }),
    inflation,
  };
}
