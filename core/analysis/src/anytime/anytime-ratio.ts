import {
  methodFacts,
  stopRuleOf,
  type ExperimentConfig,
  type Interval,
  type JudgedQuantity,
  type Method,
  type Verdict,
} from '@deadheat/model';
import {
  anytimeMeanInterval,
  anytimeSkewnessShift,
  anytimeTCritical,
  binomialCdf,
  binomialSf,
  fewestAnytimeValues,
  mean,
  median,
  medianAbsoluteDeviation,
  rankVonNeumann,
  studentTQuantile,
  variance,
} from '@deadheat/stats';
import { fewestNeighbours, inflationBy } from '../interval/rank-location.ts';
import { isWithoutScatter, locationOfRounded } from '../interval/location.ts';
import { pairedTimes, type JudgedTimes } from '../metric/iteration-times.ts';
import { meansOf, runLogRatios, totalLogRatios } from '../pairing/paired-ratios.ts';
import type { UsableRun } from '../pairing/select-runs.ts';
import type { ResamplingUnits } from '../units/resampling-units.ts';
import { deadHeatBound, decideVerdict, reachToDecide, smallestCount } from '../verdict/decide-verdict.ts';

type MeanInterval = ReturnType<typeof anytimeMeanInterval>;

/** A ratio B / A with an interval that holds its level at every interim analysis, and what it was made of. */
export interface AnytimeRatio extends Interval {
  /** The same on the log scale. */
  readonly log: MeanInterval & {
    /** Mean and standard deviation with every far value moved, also those that may be a second mode: as once more runs show that they are rare. */
    readonly moved: { readonly mean: number; readonly standardDeviation: number };
  };
}

/** Everything as if the standard deviation were larger. */
function widen(log: MeanInterval, inflation: number): MeanInterval {
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
 * @param logRatios natural logarithm of every run's ratio, at least two; of the total those of `totalLogRatios`.
 * @param options.conditions for sides that trade cores: whether a run had the first assignment. What differs between the
 *   cores is then no noise.
 * @returns ends 0 and the largest double before the first interim analysis that could say anything.
 * Source: as `anytimeMeanInterval`.
 */
export function anytimeRatio(
  logRatios: ArrayLike<number>,
  options: {
    readonly confidence: number;
    readonly conditions: readonly boolean[] | null;
    /** Typical when absent; of the total no value is moved, as rare slow runs are part of it. */
    readonly quantity?: JudgedQuantity;
  },
): AnytimeRatio {
  const { confidence, conditions, quantity } = options;
  const all = Float64Array.from(logRatios);
  const { values: settled, moved, centres, inflation } = settleValues(all, conditions);
  const values = quantity === 'total' ? all : settled;
  const log = widen(
    anytimeMeanInterval(values, { confidence, ...(conditions === null ? {} : { conditions }) }),
    inflation,
  );
  const spread = variance(moved.map((value, i) => value - centres[i]!));
  return {
    estimate: Math.exp(log.mean),
    low: Math.exp(log.low),
    high: Math.min(Math.exp(log.high), Number.MAX_VALUE),
    level: confidence,
    kind: 'anytime-t',
    replicates: 0,
    log: { ...log, moved: { mean: mean(moved), standardDeviation: Math.sqrt(inflation * spread) } },
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
    readonly quantity: JudgedQuantity;
    readonly method: Method;
    readonly times: JudgedTimes;
    readonly units: ResamplingUnits;
  },
): AnytimeRatio {
  const { confidence, quantity, times, units } = options;
  const conditions =
    units.unit === 'traded-block' ? runs.map(({ trial }) => trial.sides.A.cpu < trial.sides.B.cpu) : null;
  const logRatios =
    quantity === 'total'
      ? totalLogRatios({ A: meansOf(times.A), B: meansOf(times.B) })
      : logRatiosOfRuns(runs, options);
  const ratio = anytimeRatio(logRatios, { confidence, conditions, quantity });
  if (!isWithoutScatter(ratio.log)) return ratio;
  const { low, high } = locationOfRounded(ratio.log.mean, { times, confidence }).location;
  return { ...ratio, low: Math.exp(low), high: Math.exp(high), log: { ...ratio.log, low, high } };
}

/**
 * The logarithm of every run's ratio B / A: of a duet the mean over its pairs, of sequential runs that of the sides' mean times.
 */
export function logRatiosOfRuns(
  runs: readonly UsableRun[],
  { method, times }: { readonly method: Method; readonly times: JudgedTimes },
): Float64Array {
  if (methodFacts[method].pairs !== 'none') {
    const pairs = pairedTimes(runs, times);
    return runLogRatios(pairs.B, pairs.A);
  }
  return Float64Array.from(runs, (_, r) => Math.log(mean(times.B.at(r)!) / mean(times.A.at(r)!)));
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
const wanderLevel = 0.35;
/** The interval is made for a correlation so many standard errors above the one that is seen, since those analyses err that see too little of it; by simulation, decision 10. */
const errorsAbove = 0.6;

/**
 * The variance of a mean of values of an AR(1) process of the rank correlation of neighbours over that of independent ones; 1 where neighbours do not
 * resemble each other.
 */
function inflationOf(series: Float64Array): number {
  if (series.length < fewestNeighbours) return 1;
  const { ratio, p } = rankVonNeumann(series);
  if (p > wanderLevel) return 1;
  const n = series.length;
  // The estimate of a correlation is too small by about 1 / n, and has a standard error of 1 / sqrt(n).
  const likely = 1 - ratio / 2 + 1 / n + errorsAbove / Math.sqrt(n);
  return inflationBy(Math.max(0, likely));
}

/** Values as the interval that holds at every interim analysis takes them. */
interface SettledValues {
  readonly values: Float64Array;
  /** The same with every far value moved. */
  readonly moved: Float64Array;
  /** For every value the median of its condition. */
  readonly centres: Float64Array;
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
  const inflation = inflationOf(residuals);
  const reach = far * normal * medianAbsoluteDeviation(residuals);
  const above = residuals.reduce((count, value) => count + (value > reach ? 1 : 0), 0);
  const below = residuals.reduce((count, value) => count + (value < -reach ? 1 : 0), 0);
  const count = above + below;
  const isSettled =
    reach === 0 ||
    count === 0 ||
    binomialCdf(count, values.length, mode) > chanceOfMode ||
    binomialSf(Math.max(above, below) - 1, count, 0.5) <= lopsidedLevel;
  const moved = values.map((value, i) => {
    const residual = residuals[i]!;
    return reach > 0 && Math.abs(residual) > reach ? centres[i]! + Math.sign(residual) * reach : value;
  });
  return { values: isSettled ? values : moved, moved, centres, inflation };
}

/** `decideVerdict` by an anytime interval; `undecided` where there are too few runs for an interval that excludes anything. */
export function anytimeVerdict(ratio: AnytimeRatio, margin: number): Verdict {
  return isBoundless(ratio) ? 'undecided' : decideVerdict(ratio, margin);
}

/** A ratio of a run that is this far from 1, on the log scale, beyond the margin ... */
const large = Math.log(1.25);
/** ... is had by at most this share of the runs of equal programs on either side. */
const mostLarge = 1 / 3;
/** Share of the level that is spent on large differences. */
const spentOnLarge = 1 / 6;

/** Smallest number of runs after which a large difference may be claimed, at least 5. */
export function runsForLarge(confidence: number): number {
  return Math.max(5, Math.ceil(Math.log((spentOnLarge * (1 - confidence)) / 2) / Math.log(mostLarge)));
}

/**
 * The side to which every run so far differs by more than a quarter; `undecided` where one does not, and before `runsForLarge`. What holds after n runs held
 * after each number before, so that it is one look however often it is asked: equal programs of which at most a third of the runs are that far off to one side
 * are called different with a probability of at most a sixth of the level. Tails may be as heavy as they like.
 *
 * @param logRatios natural logarithm of the ratio of every run.
 */
export function largeDifference(
  logRatios: Float64Array,
  { confidence, margin }: Pick<ExperimentConfig, 'confidence' | 'margin'>,
): Verdict {
  if (logRatios.length < runsForLarge(confidence)) return 'undecided';
  const edge = Math.log1p(margin) + large;
  if (logRatios.every((log) => log > edge)) return 'slower';
  return logRatios.every((log) => log < -edge) ? 'faster' : 'undecided';
}

/**
 * True if more runs, up to `mostRuns` in all, would hardly decide any more. With n of N runs the final mean lies within
 * c(n) s (1/n - 1/N)^(1/2) of the present one, c(n) the critical value of the interval: the means of a growing sample, seen from
 * its end, are means of samples drawn from it without replacement, whose variance that is. The measurement is futile when no
 * final mean within that range would be decided by an interval of the final width.
 *
 * Giving up changes no verdict. How often something is given up that would have been decided is simulated
 * (docs/decisions/0004-early-verdicts.md).
 *
 * @param ratio after n runs.
 * @param options.mostRuns runs that the limits allow in all; Infinity without a limit.
 */
export function isFutile(
  ratio: AnytimeRatio,
  options: { readonly margin: number; readonly mostRuns: number },
): boolean {
  const { log, level } = ratio;
  const { margin, mostRuns } = options;
  if (isBoundless(ratio) || mostRuns === Infinity) return false;
  const final = Math.max(mostRuns, log.size);
  const critical = anytimeTCritical({ size: log.size, degrees: log.degrees, confidence: level });
  const drift = critical * log.standardDeviation * Math.sqrt(1 / log.size - 1 / final);
  const reach = anytimeReach(ratio, final);
  const bound = Math.log1p(deadHeatBound(margin));
  const distance = Math.abs(log.mean);
  const couldDiffer = distance + drift > Math.log1p(margin) + reach;
  const couldBeInside = reach <= bound && distance - drift <= bound - reach;
  return !couldDiffer && !couldBeInside;
}

/**
 * Confidence at which a gain that is still possible is judged: of the gains that the limits would have shown, about one in twenty is given up.
 */
export const givingUp = 0.95;

/**
 * True if B would hardly be called faster by more runs, up to `mostRuns` in all: no final mean that is within reach of the present one at the
 * confidence `givingUp` would be, by an interval of the final width. Giving up makes no verdict, so that it needs no higher confidence.
 *
 * @param ratio after n runs, at the confidence of the verdict.
 * @param options as of `isFutile`.
 * Source: as `isFutile`; simulated by `npm run bench -- attempts`.
 */
export function isHardlyFaster(
  ratio: AnytimeRatio,
  { margin, mostRuns }: { readonly margin: number; readonly mostRuns: number },
): boolean {
  const { size, degrees } = ratio.log;
  const { mean: centre, standardDeviation } = ratio.log.moved;
  if (mostRuns === Infinity || degrees + 1 < fewestAnytimeValues(givingUp)) return false;
  const final = Math.max(mostRuns, size);
  if (final < fewestAnytimeValues(ratio.level)) return true;
  const critical = anytimeTCritical({ size, degrees, confidence: givingUp });
  const drift = critical * standardDeviation * Math.sqrt(1 / size - 1 / final);
  const reach = anytimeReach({ level: ratio.level, log: { ...ratio.log, standardDeviation } }, final);
  return centre - drift > -Math.log1p(margin) - reach;
}

/**
 * The smallest number of runs with which the interval reaches no further than `reach` to each side, if runs scatter as they do.
 *
 * @param reach on the log scale.
 * @returns `null` for more than a million, and for a reach of nothing.
 */
export function runsUntil(ratio: Pick<AnytimeRatio, 'log' | 'level'>, reach: number): number | null {
  if (!(reach > 0)) return null;
  const enough = (runs: number): boolean => anytimeReach(ratio, runs) <= reach;
  return smallestCount(enough, fewestAnytimeValues(ratio.level));
}

/** The number of runs that would decide if the estimate stayed where it is; `null` as of `runsUntil`, so where it lies on the edge. */
export function runsUntilDecided(ratio: AnytimeRatio, margin: number): number | null {
  return runsUntil(ratio, reachToDecide(ratio.log.mean, margin));
}

const power = 0.8;

/**
 * The smallest true slowdown of B that would by now have been called `slower` with a probability of 80 %, by the interval that
 * holds at every interim analysis; the largest double where no slowdown would.
 */
export function detectableAnytime(ratio: AnytimeRatio, margin: number): number {
  if (isBoundless(ratio)) return Number.MAX_VALUE;
  const { log, level } = ratio;
  const { size, degrees, standardDeviation } = log;
  const critical = anytimeTCritical({ size, degrees, confidence: level });
  // The interval of another experiment is widened for a skewness that is chance: (6 / n)^(1/2) is its standard error in normal values.
  const widening = anytimeSkewnessShift({ critical, skewness: Math.sqrt(6 / size), size });
  const errors = critical + widening + studentTQuantile(power, degrees);
  const slowdown = (1 + margin) * Math.exp((errors * standardDeviation) / Math.sqrt(size)) - 1;
  return Math.min(slowdown, Number.MAX_VALUE);
}

/** Up to this many runs there is an interim analysis after every run or block of two; then after every hundredth more. */
const closeAnalyses = 200;
const growth = 1.01;

/**
 * The confidence at which one of several comparisons is to be decided so that it counts among all of them: Holm's correction
 * and Benjamini and Hochberg's count every p value up to the level over their number (Bonferroni's bound).
 *
 * @param comparisons how many there are, at least 1.
 */
export function familyConfidence(confidence: number, comparisons: number): number {
  return 1 - (1 - confidence) / Math.max(1, comparisons);
}

type Schedule = Pick<ExperimentConfig, 'stop' | 'swap' | 'method' | 'confidence'>;

/** Runs that belong together: two where the sides trade cores at every pair; a tandem has no cores to trade. */
export function runsOfBlock({ swap, method }: Pick<ExperimentConfig, 'swap' | 'method'>): 1 | 2 {
  return swap === 'pair' && methodFacts[method].cpus !== 'one-shared' ? 2 : 1;
}

/** The numbers of runs after which there is an interim analysis, in order and without end; none for rules that have none. */
function* interimAnalyses({ stop, confidence, ...rest }: Schedule): Generator<number, void> {
  const { interim } = stopRuleOf(stop);
  if (interim === null) return;
  const step = runsOfBlock(rest);
  const whole = (runs: number): number => step * Math.ceil(runs / step);
  const least = interim.only === undefined ? confidence : Math.min(confidence, givingUp);
  let next = whole(Math.max(interim.from, fewestAnytimeValues(least)));
  while (true) {
    yield next;
    next = next < closeAnalyses ? next + step : whole(next * growth);
  }
}

/**
 * The number of interim analyses up to `runs` runs: each of them could have ended the measurement. They are fixed
 * beforehand, after whole blocks where the sides trade cores at every pair.
 */
export function countInterimAnalyses(runs: number, schedule: Schedule): number {
  let count = 0;
  for (const next of interimAnalyses(schedule)) {
    if (next > runs) break;
    count++;
  }
  return count;
}

/** True if there is an interim analysis after `runs` runs, or before the first of them a look for a large difference alone, which counts as none. */
export function isInterimAnalysis(runs: number, schedule: Schedule): boolean {
  const { interim } = stopRuleOf(schedule.stop);
  const looks = interim?.asksVerdict === true && runs >= interim.from && runs % runsOfBlock(schedule) === 0;
  if (looks && runs >= runsForLarge(schedule.confidence) && runs < fewestAnytimeValues(schedule.confidence))
    return true;
  for (const next of interimAnalyses(schedule)) if (next >= runs) return next === runs;
  return false;
}
