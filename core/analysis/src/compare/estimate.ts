import {
  methodFacts,
  type Benchmark,
  type Comparison,
  type ExperimentConfig,
  type Interval,
  intervalFacts,
  type Method,
  isOfMean,
  isResourceMetric,
  type Metric,
  type JudgedQuantity,
  type Side,
} from '@deadheat/model';
import {
  mean,
  median,
  rankSumShift,
  rankSumVariance,
  standardDeviation,
  studentTQuantile,
  type Random,
} from '@deadheat/stats';
import { analysisRandom } from '../analysis-random.ts';
import { joined, at, numbersOf, SingleValues, type Lists } from '../internal/lists.ts';
import { blockDrift, reachingTo, settledBlockDrift } from '../interval/block-drift.ts';
import {
  invertIntervals,
  isWithoutScatter,
  locationOfRounded,
  meanLocation,
  meansBesideRanks,
  tLocation,
  ratioOfLocation,
  type Ends,
  type Location,
  kindForUnits,
  meanProcedures,
} from '../interval/location.ts';
import { meanInterval, pairingGain, shuffledPairsWidth, shuffledWidth } from '../interval/paired-intervals.ts';
import {
  dependenceOf,
  dependentError,
  independent,
  locationOfShift,
  meanOfFew,
  rankLocations,
  type Dependence,
  type RankLocations,
  type RunDesign,
} from '../interval/rank-location.ts';
import { levelsOfRuns, locationOfLevels, type SideLevels } from '../interval/single-run.ts';
import { logErrorOf, sequentialRatioInterval, welchError } from '../interval/sequential-ratio-interval.ts';
import { pairedTimes, type JudgedTimes, type PairedTimes } from '../metric/iteration-times.ts';
import { meansOf, runLogRatios, runMeanDifferences, type RunMeans } from '../pairing/paired-ratios.ts';
import { lengthsOf, type UsableRun } from '../pairing/select-runs.ts';
import {
  coreAssignments,
  resamplingUnits,
  tradedBlocks,
  unitMeans,
  weightedUnits,
  type ResamplingUnits,
} from '../units/resampling-units.ts';
import { slowNowAndThen, slowOnce, type SlowNowAndThen } from '../warnings/slow-now-and-then.ts';
import { totalOfPairs } from './total-time.ts';

/** Of a side whose runs are the parts of a single one, how far runs of a program deviate; `null` = they are runs. */
export type SplitRun = Readonly<Record<Side, SideLevels['deviationOfRuns']>>;

/** Common part of the estimates of one benchmark's metrics. */
export interface JudgeSetup extends Pick<
  ExperimentConfig,
  'confidence' | 'margin' | 'judge' | 'replicates' | 'interval'
> {
  readonly method: Method;
  /** True if the runs of `sequential` are judged as two independent samples. */
  readonly unpaired: boolean;
  /** True if a run has executions of both sides, in the order in which runs were made; not so in files that hold one side each. */
  readonly takesTurns: boolean;
  /** True if all runs of A were executed before all of B, in the order that they have here. */
  readonly inBlocks: boolean;
  /** The sides whose runs are the parts of a single one; `null` = none is. */
  readonly splitRun: SplitRun | null;
  readonly runs: readonly UsableRun[];
  /** Those with iterations of both sides. */
  readonly bothSided: readonly UsableRun[];
  readonly units: ResamplingUnits;
  /** The same for rank procedures, which distinguish the cores. */
  readonly design: RunDesign;
  /** The random stream of a purpose. */
  readonly random: (purpose: string) => Random;
}

/**
 * Common part of all estimates of a benchmark's usable runs.
 *
 * @param options.unpaired whether the sides are independent samples, of which each may have runs of its own.
 */
export function judgeSetup(
  runs: readonly UsableRun[],
  options: {
    readonly method: Method;
    readonly unpaired: boolean;
    readonly takesTurns: boolean;
    /** `false` when absent. */
    readonly inBlocks?: boolean;
    /** `null` when absent. */
    readonly splitRun?: SplitRun | null;
    readonly benchmark: Pick<Benchmark, 'name' | 'params'>;
    readonly config: ExperimentConfig;
  },
): JudgeSetup {
  const { method, unpaired, takesTurns, inBlocks = false, splitRun = null, benchmark, config } = options;
  const { A, B } = lengthsOf(runs);
  const hasBoth = (_: UsableRun, r: number): boolean => at(A, r) > 0 && at(B, r) > 0;
  const bothSided = runs.every(hasBoth) ? runs : runs.filter(hasBoth);
  const units = resamplingUnits(bothSided, { swap: config.swap });
  return {
    method,
    unpaired,
    takesTurns,
    inBlocks,
    splitRun: (splitRun?.A ?? splitRun?.B ?? null) === null ? null : splitRun,
    runs,
    bothSided,
    units,
    design: {
      units,
      assignments: methodFacts[method].cpus === 'one-each' ? coreAssignments(bothSided) : null,
      blocks: units.unit === 'traded-block' ? units : tradedBlocks(bothSided),
    },
    confidence: config.confidence,
    margin: config.margin,
    judge: config.judge,
    replicates: config.replicates,
    interval: config.interval,
    random: (purpose) => analysisRandom(config.seed, benchmark, purpose),
  };
}

/** The times of all runs in one metric. */
interface Measured {
  readonly metric: Metric;
  readonly times: JudgedTimes;
}

/** One metric's ratio and what else follows from the same times. */
export interface Estimate extends Measured {
  /** The ratio of the quantity that decides, with the interval of a fixed number of runs. */
  readonly interval: Interval;
  /** Its logarithm. */
  readonly location: Location;
  /** Fields of `Comparison`. */
  readonly judge: JudgedQuantity;
  readonly total: Interval | null;
  readonly typical: Interval | null;
  readonly rankInterval: Interval | null;
  /** The logarithm of the quantity that does not decide. */
  readonly other: Location | null;
  /** Logarithm of `total`, and that of another confidence over other groups of runs than the units. */
  readonly totalLog: Location | null;
  readonly totalOver: (members: readonly (readonly number[])[], confidence: number) => Location | null;
  readonly difference: () => Comparison['difference'];
  /** Value of `Comparison.pairingGain`. */
  readonly pairingGain: () => number | null;
  /** Standard deviation of a unit's log ratio, as if the estimate were the mean of the units and had this interval. */
  readonly standardDeviation: number;
  /** Mean log ratio of every unit that is resampled. */
  readonly unitLogRatios: Float64Array;
  /** Log ratios of what the interval is made of, in the order of the runs, without what differs between two cores. */
  readonly neighbours: Float64Array;
  /** Mean difference B - A of every unit, ns; for duets of the paired times. */
  readonly unitDifferencesNs: () => Float64Array;
  /** Units of `interval`. */
  readonly madeOf: Comparison['resampled'];
  readonly slow: SlowNowAndThen | null;
  /** Value of `slowOnce`; `null` where the mean decides. */
  readonly slowOnce: Side | null;
  readonly dependence: Dependence;
  /** Factor by which the interval was widened where each side was measured in a block; `null` = not so, or nothing can be seen. */
  readonly widenedForDrift: number | null;
  /** Step of the times where they show no scatter and the interval is that of rounding, ns; else `null`. */
  readonly roundedToNs: number | null;
}

/** A difference in the form of a comparison. */
export function differenceOf({ estimate, low, high }: Ends & { readonly estimate: number }): Comparison['difference'] {
  return { estimateNs: estimate, lowNs: low, highNs: high };
}

/** The difference that a ratio makes of a time of A, ns. */
export function differenceBy({ estimate, low, high }: Interval, baseNs: number): Comparison['difference'] {
  return differenceOf({ estimate: baseNs * (estimate - 1), low: baseNs * (low - 1), high: baseNs * (high - 1) });
}

/** The location that decides, and what stands beside it. */
type Decided = Pick<Estimate, 'interval' | 'location' | 'rankInterval' | 'slow' | 'slowOnce'>;

export type PValues = Omit<Comparison['pValues'], 'gate'>;

/**
 * With those of a gate, which fails by either quantity, each at half the level (Bonferroni's bound).
 *
 * @param other those of the quantity that does not decide; `null` where the one that does fails a gate alone.
 */
export function withGate(own: PValues, other: Pick<PValues, 'slower' | 'faster'> | null): Comparison['pValues'] {
  const of = (key: 'slower' | 'faster'): number =>
    other === null ? own[key] : Math.min(1, 2 * Math.min(own[key], other[key]));
  return { ...own, gate: { slower: of('slower'), faster: of('faster') } };
}

/** One-sided p values at both edges of a margin, of the test whose interval is that of the ratio, and the least that they can be by ranks. */
export function pValuesOf(
  { location: log, other }: Pick<Estimate, 'location' | 'other'>,
  { margin, judge }: Pick<ExperimentConfig, 'margin' | 'judge'>,
): Comparison['pValues'] {
  const edge = Math.log1p(margin);
  const own = { slower: log.pAtMost(edge), faster: log.pAtLeast(-edge), least: log.leastP };
  const beside = other === null ? null : { slower: other.pAtMost(edge), faster: other.pAtLeast(-edge) };
  return withGate(own, judge === null ? beside : null);
}

/** Steps that halve the way between an estimate and an end of its interval. */
const halvings = 30;

/**
 * Both ends of a ratio, each by itself at this confidence: the values at which the one-sided p value of the test whose interval the location has is
 * 1 - confidence. They lie within the interval, of which each end has half of that.
 */
export function boundsOf(
  { estimate, low, high, pAtMost, pAtLeast }: Pick<Location, 'estimate' | 'low' | 'high' | 'pAtMost' | 'pAtLeast'>,
  confidence: number,
): Ends {
  const towards = (end: number, p: (edge: number) => number): number => {
    let [inside, outside] = [estimate, end];
    for (let step = 0; step < halvings; step++) {
      const middle = (inside + outside) / 2;
      if (p(middle) > 1 - confidence) inside = middle;
      else outside = middle;
    }
    return outside;
  };
  const capped = (log: number): number => Math.min(Math.exp(log), Number.MAX_VALUE);
  return { low: capped(towards(low, pAtMost)), high: capped(towards(high, pAtLeast)) };
}

/** True if ranks decide. */
function isOfRanks({ location }: Decided): boolean {
  return intervalFacts[location.kind].ofRanks;
}

/** The mean decides as it was asked to. */
export function decideByMean(log: Location, confidence: number): Decided {
  return {
    location: log,
    interval: ratioOfLocation(log, confidence),
    rankInterval: null,
    slow: null,
    slowOnce: null,
  };
}

/** False where a run has a lower quartile alone: a slow one holds turns of others on the core, and says nothing about the program. */
function hasTotal(method: Method): boolean {
  return methodFacts[method].valueOfRun === 'mean';
}

/** Ranks decide, unless there are too few units for them or the mean has to be heard. */
function decideByRank(
  { rank, mean, chosenMean, values }: Pick<RankLocations, 'rank' | 'mean' | 'chosenMean' | 'values'>,
  facts: Pick<JudgeSetup, 'confidence' | 'margin' | 'method'> & { readonly unitsOf: Readonly<Record<Side, number>> },
): Decided {
  const { confidence, margin, method, unitsOf } = facts;
  if (rank === null) return decideByMean(mean, confidence);
  if (!hasTotal(method)) return decideByMean(rank, confidence);
  const slow = slowNowAndThen(values, { rank, mean, margin, unitsOf });
  if (slow?.strength === 'decides') {
    return { ...decideByMean(chosenMean, confidence), rankInterval: ratioOfLocation(rank, confidence), slow };
  }
  return { ...decideByMean(rank, confidence), slow, slowOnce: slowOnce(values) };
}

/** The standard deviation of each of n values whose mean would have a t interval as wide as this one. */
function deviationBehind(
  { low, high }: Location,
  options: { readonly n: number; readonly confidence: number },
): number {
  const { n, confidence } = options;
  return (((high - low) / 2) * Math.sqrt(n)) / studentTQuantile((1 + confidence) / 2, n - 1);
}

/**
 * The estimate that fits how the runs were made. A resource has few distinct values, so that most runs may agree to the byte: a run that
 * differs from them is no sign of a disturbance.
 */
export function estimateOf(setup: JudgeSetup, measured: Measured): Estimate {
  const estimate = setup.unpaired
    ? estimateSingleRuns(setup, { measured, found: estimateSequential(setup, measured) })
    : estimateDuet(setup, measured);
  if (isResourceMetric(measured.metric)) {
    return decideQuantity({ ...estimate, ...measured, slow: null, slowOnce: null, roundedToNs: null }, setup);
  }
  return decideQuantity({ ...withRounding(estimate, { measured, setup }), ...measured }, setup);
}

/**
 * An estimate of typical runs, or as asked for with the total time in its place where that is known; the other quantity stands beside it.
 */
export function decideQuantity(
  estimate: Omit<Estimate, Beside>,
  {
    judge,
    confidence,
    splitRun = null,
  }: Pick<JudgeSetup, 'judge' | 'confidence'> & Partial<Pick<JudgeSetup, 'splitRun'>>,
): Estimate {
  const { totalLog: log } = estimate;
  const total = log === null ? null : ratioOfLocation(log, confidence);
  if (judge !== 'total' || log === null || total === null) {
    return { ...estimate, judge: 'typical', total, typical: null, other: splitRun === null ? log : null };
  }
  const { location, madeOf, times } = estimate;
  const typical = estimate.rankInterval ?? estimate.interval;
  const [centre, low, high] = [typical.estimate, typical.low, typical.high].map(Math.log) as [number, number, number];
  const base = mean(meansOf(times.A));
  return {
    ...estimate,
    ...decideByMean(log, confidence),
    judge: 'total',
    total,
    typical,
    other: { ...location, estimate: centre, low, high },
    difference: () => differenceBy(total, base),
    pairingGain: () => null,
    standardDeviation: deviationBehind(log, { n: madeOf.count, confidence }),
  };
}

/** The pairs of a run; of `sequential` the mean times of the two sides, one pair a run. */
function pairsOf({ method, runs }: JudgeSetup, times: JudgedTimes): PairedTimes {
  if (methodFacts[method].pairs !== 'none') return pairedTimes(runs, times);
  const means = (side: Lists): Lists =>
    side instanceof SingleValues ? side : new SingleValues(numbersOf(side, (run) => mean(run)));
  return { A: means(times.A), B: means(times.B) };
}

/** Fields that depend on the quantity that decides. */
type Beside = 'judge' | 'total' | 'typical' | 'other';

type Found = Omit<Estimate, keyof Measured | Beside | 'roundedToNs'>;

/** An estimate of times without scatter has the interval of their rounding. */
function withRounding(
  found: Found,
  { measured: { times }, setup: { confidence } }: { readonly measured: Measured; readonly setup: JudgeSetup },
): Found & Pick<Estimate, 'roundedToNs'> {
  if (!isWithoutScatter(found.location)) return { ...found, roundedToNs: null };
  const { stepNs, location } = locationOfRounded(found.location.estimate, { times, confidence });
  const decided = decideByMean(location, confidence);
  return {
    ...found,
    ...decided,
    totalLog: found.totalLog === null ? null : location,
    difference: () => differenceBy(decided.interval, mean(meansOf(times.A))),
    standardDeviation: deviationBehind(location, { n: found.madeOf.count, confidence }),
    roundedToNs: stepNs,
  };
}

/** Logarithm of the ratio of the total times of runs that have both sides. */
export function totals(
  { method, units, confidence }: Pick<JudgeSetup, 'method' | 'units' | 'confidence'>,
  times: JudgedTimes,
): Pick<Estimate, 'totalLog' | 'totalOver'> {
  if (!hasTotal(method)) return { totalLog: null, totalOver: () => null };
  const means = { A: meansOf(times.A), B: meansOf(times.B) };
  const totalOver: Estimate['totalOver'] = (members, level) => totalOfPairs(means, { members, confidence: level });
  return { totalLog: totalOver(units.members, confidence), totalOver };
}

/** The ratio by ranks, with the mean beside it. */
function estimateByRank(setup: JudgeSetup, { times }: Measured): Found {
  const { confidence, design, random } = setup;
  const { members } = setup.units;
  const pairs = pairsOf(setup, times);
  const logRatios = runLogRatios(pairs.B, pairs.A);
  const differences = runMeanDifferences(pairs.B, pairs.A);
  const locations = rankLocations(logRatios, design, confidence);
  const { units, dependence } = locations;
  const count = units.members.length;
  const decided = decideByRank(locations, { ...setup, unitsOf: { A: count, B: count } });
  /** Decided in the same way as the ratio, so that both agree. */
  const locate = (values: Float64Array): Location => {
    const { rank, mean: ofMean, chosenMean } = rankLocations(values, design, confidence);
    if (isOfRanks(decided)) return rank ?? ofMean;
    return decided.rankInterval === null ? ofMean : chosenMean;
  };
  return {
    ...decided,
    ...totals(setup, times),
    difference: () => differenceOf(locate(differences)),
    pairingGain: () =>
      pairingGain(shuffledWidth(pairs, { random: random('shuffled pairs'), endsOf: locate }), decided.interval),
    standardDeviation: deviationBehind(decided.location, { n: count, confidence }),
    unitLogRatios: unitMeans(logRatios, members),
    neighbours: locations.values,
    unitDifferencesNs: () => unitMeans(differences, members),
    madeOf: { unit: units.unit, count },
    dependence,
    widenedForDrift: null,
  };
}

/**
 * The ratio of runs in which both sides were executed, from their pairs. The ratio's kind of interval is the configured one; the
 * paired difference has the same, and BCa in `async-duet` where a bootstrap was asked for (Drozdik 2023, section 4.3.2).
 */
function estimateDuet(setup: JudgeSetup, measured: Measured): Found {
  const { confidence, replicates, random, interval } = setup;
  if (!isOfMean(interval)) return estimateByRank(setup, measured);
  const { members, unit } = setup.units;
  const pairs = pairsOf(setup, measured.times);
  const logRatios = runLogRatios(pairs.B, pairs.A);
  const differences = runMeanDifferences(pairs.B, pairs.A);
  const weighted = weightedUnits(logRatios, members);
  const kind = kindForUnits(interval, { units: members.length, confidence, samples: 1 });
  const optionsFor = (purpose: string) => ({ kind, confidence, replicates, random: random(purpose) });
  const decided = decideByMean(meanLocation(weighted, optionsFor(measured.metric)), confidence);
  return {
    ...decided,
    ...totals(setup, measured.times),
    difference: () => {
      const ofDifferences = methodFacts[setup.method].pairs === 'overlapping' ? 'bca' : kind;
      return differenceOf(
        meanInterval(weightedUnits(differences, members), { ...optionsFor('difference'), kind: ofDifferences }),
      );
    },
    pairingGain: () =>
      pairingGain(shuffledPairsWidth(pairs, { ...optionsFor('shuffled pairs'), members }), decided.interval),
    standardDeviation: standardDeviation(weighted),
    unitLogRatios: unitMeans(logRatios, members),
    neighbours: unitMeans(logRatios, members),
    unitDifferencesNs: () => unitMeans(differences, members),
    madeOf: { unit, count: members.length },
    dependence: independent,
    widenedForDrift: null,
  };
}

/**
 * A variance of the rank sum this many times that of equal spreads shows that they differ: 20 normal runs a side with equal spreads hardly ever reach it
 * (docs/decisions/0010-rank-estimates.md).
 */
const unequalSpreads = 1.15;

/** Finding of either sample on rare slow runs: logs less their medians, those of A turned round. */
function deviations(a: Float64Array, b: Float64Array): Float64Array {
  const [centreA, centreB] = [median(a), median(b)];
  return joined([a.map((value) => centreA - value), b.map((value) => value - centreB)]);
}

/**
 * A time a run that has any: its mean, or where its neighbours in time are of the same side alone and nobody asks for means, its median, which is the
 * program's as long as others disturb fewer than half of its iterations.
 */
export function locationsOfRuns(
  runs: Lists,
  { takesTurns, interval }: Pick<JudgeSetup, 'takesTurns' | 'interval'>,
): Float64Array {
  if (takesTurns || isOfMean(interval)) return meansOf(runs);
  return Float64Array.from(
    [...runs].filter(({ length }) => length > 0),
    median,
  );
}

/** The typical time of a side: the median of its runs', of the parts of a single run of its iterations. */
export function typicalOf(runs: Lists, setup: JudgeSetup): number {
  return median(setup.splitRun === null ? locationsOfRuns(runs, setup) : joined(runs));
}

/**
 * The ratio of two sides of which one has a single run at least, by its iterations (`locationOfLevels`), in the place of one by the groups that they were dealt into.
 */
function estimateSingleRuns(setup: JudgeSetup, { measured, found }: { measured: Measured; found: Found }): Found {
  const { splitRun, interval, confidence } = setup;
  if (splitRun === null || isOfMean(interval)) return found;
  const levelsOf = (side: Side): SideLevels => {
    const times = measured.times[side];
    const runs = splitRun[side] === null ? [...times].filter(({ length }) => length > 0) : [joined(times)];
    return levelsOfRuns(runs, splitRun[side]);
  };
  const levels = { A: levelsOf('A'), B: levelsOf('B') };
  const decided = decideByMean(locationOfLevels(levels.A, levels.B, confidence), confidence);
  return {
    ...found,
    ...decided,
    difference: () => differenceBy(decided.interval, Math.exp(levels.A.centre.log)),
    standardDeviation: deviationBehind(decided.location, { n: found.madeOf.count, confidence }),
    dependence: independent,
    widenedForDrift: null,
  };
}

/**
 * The ratio of two sides that were measured independently, over a time a run: by ranks of their logarithms, or by the standard method. A run
 * counts for the sides that it has iterations of.
 */
function estimateSequential(setup: JudgeSetup, measured: Measured): Found {
  const { confidence, replicates, random, interval } = setup;
  const A = locationsOfRuns(measured.times.A, setup);
  const B = locationsOfRuns(measured.times.B, setup);
  const { members } = setup.units;
  const isRank = !isOfMean(interval);
  const kind = isRank ? 't' : kindForUnits(interval, { units: Math.min(A.length, B.length), confidence, samples: 2 });
  const { ratio, difference, standardError, logParts, logEndsAt } = sequentialRatioInterval(A, B, {
    kind,
    confidence,
    replicates,
    random: random(measured.metric),
  });
  const unitLogRatios = Float64Array.from(members, (_, r) => Math.log(at(B, r) / at(A, r)));
  // The part that both sides of a run share cancels in their ratio, as it does in the two samples where sides take turns.
  const logs = { A: A.map(Math.log), B: B.map(Math.log) };
  const drift = setup.inBlocks ? blockDrift(logs.A, logs.B, confidence) : null;
  const dependence = isRank && setup.takesTurns && drift === null ? dependenceOf(unitLogRatios) : independent;
  const error = dependentError({ mean: Math.log(ratio.estimate), ...welchError(logParts) }, dependence);
  const byRanks = isRank ? rankSumShift(logs.B, logs.A) : null;
  const { mean: t, chosenMean } = meansBesideRanks(error, { confidence, leastP: byRanks?.leastP ?? 0 });
  const means = { A: meansOf(measured.times.A), B: meansOf(measured.times.B) };
  const rankSum = { scale: 1, confidence, kind: 'rank-sum', dependence, n: A.length + B.length - 1 } as const;
  /** By ranks of two samples, studentised where they scatter differently and runs do not depend on each other. */
  const byRankSum = (a: Float64Array, b: Float64Array, shift = rankSumShift(b, a)): Location | null => {
    if (dependence.degrees < Infinity) return locationOfShift(shift, rankSum);
    const studentised = rankSumVariance(
      b.map((value) => value - shift.estimate),
      a,
    );
    if (studentised.ratio <= unequalSpreads) return locationOfShift(shift, rankSum);
    return locationOfShift(rankSumShift(b, a, { studentised }), { ...rankSum, kind: 'placement-t' });
  };
  /** @param settled of typical runs. */
  const decide = (under: Location | null, settled = under): Decided => {
    const reaching = (location: Location): Location => reachingTo(location, under);
    if (byRanks === null) {
      const found =
        meanProcedures[kind].ends === null
          ? t
          : { ...t, ...logEndsAt(confidence), ...invertIntervals(logEndsAt, { confidence, replicates, t }) };
      const direct = { ...found, kind: ratio.kind, replicates: ratio.replicates };
      return under === null
        ? { ...decideByMean(direct, confidence), interval: ratio }
        : decideByMean(reaching(direct), confidence);
    }
    const rank = byRankSum(logs.A, logs.B, byRanks);
    return decideByRank(
      {
        rank: rank === null ? null : reachingTo(rank, settled),
        mean: reaching(rank === null ? meanOfFew(t, byRanks, rankSum) : t),
        chosenMean: reaching(chosenMean),
        values: deviations(logs.A, logs.B),
      },
      { ...setup, unitsOf: { A: A.length, B: B.length } },
    );
  };
  const decided = decide(drift, drift === null || !isRank ? drift : settledBlockDrift(logs.A, logs.B, confidence));
  return {
    ...decided,
    totalLog: reachingTo(isRank && !setup.takesTurns ? tOfMeans(means, confidence) : t, drift),
    totalOver: (members, level) => totalOfPairs(means, { members, confidence: level }),
    difference: () => {
      // Decided as the ratio is, whose interval reaches further than that of a shift.
      if (drift !== null) return differenceBy(decided.interval, mean(A));
      const shift = isOfRanks(decided) ? byRankSum(A, B) : null;
      return shift === null ? difference : differenceOf(shift);
    },
    pairingGain: () => null,
    standardDeviation:
      isOfRanks(decided) || drift !== null
        ? deviationBehind(decided.location, { n: Math.min(A.length, B.length), confidence })
        : standardError * Math.sqrt(members.length),
    unitLogRatios,
    neighbours: unitLogRatios,
    unitDifferencesNs: () => Float64Array.from(members, (_, r) => at(B, r) - at(A, r)),
    madeOf: { unit: 'run', count: members.length },
    dependence,
    widenedForDrift: drift === null ? null : widthOf(decided) / widthOf(decide(null)),
  };
}

/** The logarithm of the ratio of two means, by Welch's t. */
function tOfMeans({ A, B }: RunMeans, confidence: number): Location {
  return tLocation({ mean: Math.log(mean(B) / mean(A)), ...welchError([A, B].map(logErrorOf)) }, confidence);
}

function widthOf({ location: { low, high } }: Decided): number {
  return high - low;
}
