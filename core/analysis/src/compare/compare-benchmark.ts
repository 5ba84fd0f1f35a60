import {
  lanesOf,
  isResourceMetric,
  methodFacts,
  type Comparison,
  type ExperimentConfig,
  type MeasuredRun,
  workloadFacts,
  mostTimes,
  type Benchmark,
  type Side,
  type SideSummary,
  type TimeMetric,
} from '@deadheat/model';
import { autocorrelation, mean, coefficientOfVariation, median, standardDeviation, type Random } from '@deadheat/stats';
import { joined, joinedOf, at, type Lists } from '../internal/lists.ts';
import { fewerRuns, lengthsOf, type Selection, type UsableRun } from '../pairing/select-runs.ts';
import { fewestNeighbours } from '../interval/rank-location.ts';
import { confidenceOfStable, stabilityOfRuns } from '../stopping/run-stability.ts';
import { marginAsGiven, marginShare } from '../verdict/margin-share.ts';
import { relativeHalfWidth } from '../verdict/decide-verdict.ts';
import { judgeCounts, type JudgedCount } from './counted-work.ts';
import { comparisonWarnings } from './comparison-warnings.ts';
import { judgeSetup, typicalOf, type JudgeSetup } from './estimate.ts';
import { decidingTimeOfA, judgeMetrics } from './judge-metrics.ts';
import { cacheSharing } from './shared-caches.ts';
import { shiftFunction } from './shift-function.ts';
import type { Judgement, Pace } from './judging.ts';
import { hostEffects, hostGroups, levelOf } from './over-hosts.ts';
import { usableRuns, type ComparisonInput } from './usable-runs.ts';
import { areSingle, iterationTimes, timesOfAll } from '../metric/iteration-times.ts';

function neighbourCorrelation(logRatios: Float64Array): number | null {
  if (logRatios.length < fewestNeighbours) return null;
  const correlation = autocorrelation(logRatios);
  return Number.isNaN(correlation) ? null : correlation;
}

/** Cost of the runs, pilot and warm-up runs too: tandems share the time with those of other lanes, a duet keeps two cores. */
function timeOf(runs: readonly MeasuredRun[], lanes: number): Comparison['time'] {
  let wallNs = 0;
  let machineNs = 0;
  for (const { trial } of runs) {
    wallNs += trial.wallNs / lanesOf(trial.method, lanes);
    machineNs += methodFacts[trial.method].cpus === 'one-each' ? 2 * trial.wallNs : trial.wallNs;
  }
  return { wallNs: Math.round(wallNs), machineNs };
}

/** Cost of further runs. */
function paceOf(
  { method, runs }: Selection,
  { units, ...known }: Pick<JudgeSetup, 'units'> & Pick<Pace, 'spentNs' | 'origin'> & { readonly lanes: number },
): Pace {
  const wallNs = runs.reduce((sum, { trial }) => sum + trial.wallNs, 0);
  return {
    runs: fewerRuns(runs),
    timeNsPerRun: wallNs / runs.length / lanesOf(method, known.lanes),
    step: units.unit === 'traded-block' ? 2 : 1,
    spentNs: known.spentNs,
    origin: known.origin,
  };
}

/** The half-width that was planned beside that of the interval that decides. */
function plannedOf(
  { plannedHalfWidth }: ExperimentConfig,
  decides: Parameters<typeof relativeHalfWidth>[0],
): Comparison['planned'] {
  return plannedHalfWidth === null ? null : { halfWidth: plannedHalfWidth, achieved: relativeHalfWidth(decides) };
}

/** Pairs of iterations; of `sequential` runs that are judged as pairs, runs. */
function pairsOf({ method, runs }: Selection, unpaired: boolean): number {
  return methodFacts[method].pairs === 'none' && !unpaired
    ? runs.length
    : runs.reduce((sum, { pairs }) => sum + pairs.length, 0);
}

/** Mean number of measured iterations of a side in a run that has any. */
function iterationsPerRun({ runs }: Selection): number {
  const { A, B } = lengthsOf(runs);
  return mean(joined([A, B]).filter((length) => length > 0));
}

/**
 * Judges one benchmark: from its runs to the ratio, the verdict, and everything a reader needs to weigh them.
 *
 * Where runs ended since they were stable, the interval has a higher level than `config.confidence` (`confidenceOfStable`).
 *
 * `discarded.warmup` counts an iteration of both sides once, `outliers` and `unpaired` count the times of one side.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` with fewer than two usable runs; `NO_CPU_TIME` for a tandem without; as `overlaps` for `async-duet`.
 *
 * The result depends on the input alone: all resampling is seeded from `config.seed` and the benchmark.
 */
export function compareBenchmark(asked: ComparisonInput): Comparison {
  const { benchmark, keepOneSided = false, inBlocks = false, origin = 'experiment' } = asked;
  const stability = stabilityOfRuns(asked.runs, asked);
  const confidence = confidenceOfStable(asked.config.confidence, stability?.result.overRuns ?? null);
  const atLevel = { ...asked.config, confidence };
  const selection = usableRuns(asked);
  const { method, runs } = selection;
  const unpaired = methodFacts[method].pairs === 'none' && (atLevel.unpaired || keepOneSided);
  const common = judgeSetup(runs, {
    method,
    unpaired,
    takesTurns: !keepOneSided,
    splitRun: asked.splitRun ?? null,
    inBlocks,
    benchmark,
    config: atLevel,
  });
  const margin = marginShare(atLevel, () => decidingTimeOfA(runs, { asked: atLevel.metric, setup: common }));
  const config = { ...atLevel, margin };
  const setup = { ...common, margin };
  const input = { ...asked, config };
  const hosts = hostGroups(setup.bothSided, setup.units);
  const time = timeOf(input.runs, config.lanes);
  const pace = paceOf(selection, { units: setup.units, lanes: config.lanes, spentNs: time.wallNs, origin });
  const sharing = cacheSharing(input.runs, { benchmark, method, confidence });
  const counts = judgeCounts(input.runs, { benchmark, config });
  const counted = new Set(counts.map(({ judgement }) => judgement.metric));
  const byRuns = judgeMetrics(selection, { benchmark, config, setup, hosts, sharing, pace });
  const others = byRuns.others.filter(({ metric }) => !counted.has(metric));
  const judged = { ...byRuns, others: [...others, ...counts.map(({ judgement }) => judgement)] };
  const { deciding } = judged;
  const looked = deciding.interim !== null && deciding.interim.analyses > 0;
  return {
    benchmark: benchmark.name,
    ...(benchmark.controlOf === null ? {} : { controlOf: benchmark.controlOf }),
    params: benchmark.params,
    method,
    methodReason: benchmark.chosen?.reason ?? null,
    metric: deciding.metric,
    metricReason: judged.metricReason,
    judge: deciding.judge,
    interval: deciding.decides,
    fixedInterval: deciding.fixedInterval,
    total: deciding.total,
    typical: deciding.typical,
    rankInterval: deciding.rankInterval,
    interim: deciding.interim,
    otherMetrics: judged.others.map(({ metric, decides, fixedInterval, verdict }) => ({
      metric,
      interval: decides,
      fixedInterval,
      verdict,
      ...countingOf(counts, metric),
    })),
    decided: { A: centreOf(deciding.times.A, setup), B: centreOf(deciding.times.B, setup) },
    ...resourcesFound([deciding, ...judged.others]),
    difference: deciding.difference(),
    verdict: deciding.verdict,
    opposition: deciding.opposition,
    margin,
    ...marginAsGiven(config),
    pValues: deciding.pValues,
    bounds: deciding.bounds(),
    planned: plannedOf(config, deciding.decides),
    minimalDetectableSlowdown: deciding.detectable,
    pairingGain: deciding.pairingGain(),
    shift:
      keepOneSided || hosts !== null || looked || isResourceMetric(deciding.metric)
        ? null
        : shiftFunction(deciding.times, { ...deciding, confidence, random: setup.random('shift function') }),
    outlook: deciding.outlook,
    runs: pace.runs,
    pairs: pairsOf(selection, unpaired),
    resampled: deciding.madeOf,
    neighbourCorrelation: unpaired ? null : neighbourCorrelation(deciding.neighbours),
    ...(hosts === null
      ? {}
      : {
          [levelOf(hosts) === 'host' ? 'hosts' : 'layouts']: hostEffects({
            hosts,
            estimate: deciding,
            times: deciding.times,
            confidence,
          }),
        }),
    iterationsPerRun: iterationsPerRun(selection),
    discarded: { warmup: selection.warmup, outliers: deciding.times.outliers, unpaired: selection.unpaired },
    stability: stability?.result ?? null,
    sides: {
      A: sideSummary(runs, { side: 'A', benchmark, random: setup.random }),
      B: sideSummary(runs, { side: 'B', benchmark, random: setup.random }),
    },
    time,
    warnings: comparisonWarnings(input, { selection, setup, judged, hosts, pace, stability }),
  };
}

/** The counting runs behind a metric; nothing where the judged runs brought it. */
function countingOf(
  counts: readonly JudgedCount[],
  metric: Judgement['metric'],
): Pick<Comparison['otherMetrics'][number], 'counting'> {
  const found = counts.find(({ judgement }) => judgement.metric === metric);
  if (found === undefined) return {};
  const { runs, repeats, unit } = found;
  return { counting: { runs, repeats, ...(unit === null ? {} : { unit }) } };
}

function centreOf(runs: Lists, setup: JudgeSetup): { readonly typical: number; readonly mean: number } {
  return { typical: typicalOf(runs, setup), mean: mean(joined(runs)) };
}

/** Use of each judged resource by the sides, an execution. */
function resourcesFound(judged: readonly Judgement[]): Pick<Comparison, 'resources'> {
  const resources = judged.flatMap(({ metric, times }) =>
    isResourceMetric(metric) ? [{ metric, A: mean(joined(times.A)), B: mean(joined(times.B)) }] : [],
  );
  return resources.length === 0 ? {} : { resources };
}

const nsPerSecond = 1e9;

interface SummaryOptions {
  readonly side: Side;
  readonly benchmark: Pick<Benchmark, 'commands' | 'workload' | 'chosen'>;
  /** The random stream of a purpose. */
  readonly random: (purpose: string) => Random;
}

/** Mean CPU times of one execution, s, and peak memory; the processes' times are of all executions of a run, warm-up included. */
function usageOf(
  runs: readonly UsableRun[],
  { side, timesItself }: { readonly side: Side; readonly timesItself: boolean },
): Pick<SideSummary, 'user' | 'system' | 'maxRssBytes'> {
  let [user, system, executions] = [0, 0, 0];
  let most: number | null = null;
  for (const { trial } of runs) {
    const { userNs, systemNs, maxRssBytes, iterations } = trial.sides[side];
    user += userNs ?? Number.NaN;
    system += systemNs ?? Number.NaN;
    executions += iterations.length;
    if (maxRssBytes !== null) most = Math.max(most ?? maxRssBytes, maxRssBytes);
  }
  const seconds = (ns: number): number | null =>
    timesItself || Number.isNaN(ns) ? null : ns / executions / nsPerSecond;
  return { user: seconds(user), system: seconds(system), maxRssBytes: most };
}

/**
 * One side over all measured iterations of at least one usable run: wall times, of tandems CPU times, in seconds an invocation, as measured
 * (nothing moved), in the order of the runs. Of more than `mostTimes` a seeded sample of this size is listed, in the same
 * order; all figures are of all of them.
 *
 * An execution of a command carries the exit code of its run; of a program that holds its iterations there is one exit code a
 * run, and no user and system time: what its process used includes its start and warm-up, and an iteration's own CPU time
 * (`c`) is not divided into the two.
 */
export function sideSummary(runs: readonly UsableRun[], options: SummaryOptions): SideSummary {
  const { side, benchmark, random } = options;
  const command = benchmark.commands[side];
  const { timesItself } = workloadFacts[benchmark.workload];
  const metric: TimeMetric = runs[0] === undefined ? 'time' : methodFacts[runs[0].trial.method].ownTime;
  const inNs = timesOfAll(runs, { side, metric }) ?? joinedOf(runs, (run) => iterationTimes(run, side, metric) ?? []);
  const times = (inNs ?? new Float64Array(0)).map((ns) => ns / nsPerSecond);
  const aloneNs = benchmark.chosen?.aloneNs?.[side] ?? null;
  const exitCodeOf = ({ trial }: UsableRun): number | null => trial.sides[side].exitCode;
  const { user, system, maxRssBytes } = usageOf(runs, { side, timesItself });
  const executions =
    timesItself || areSingle(runs, side)
      ? runs
      : runs.flatMap((run) => Array.from({ length: run.iterations[side].length }, () => run));
  const shown = times.length > mostTimes ? sampleRows(times.length, mostTimes, random(`times ${side}`)) : null;
  const several = times.length > 1;
  return {
    command: command.commandLine,
    name: command.name,
    metric,
    alone: aloneNs === null ? null : aloneNs / nsPerSecond,
    mean: mean(times),
    stddev: several ? standardDeviation(times) : null,
    median: median(times),
    min: times.reduce((least, time) => Math.min(least, time)),
    max: times.reduce((most, time) => Math.max(most, time)),
    user,
    system,
    cv: several ? coefficientOfVariation(times) : null,
    times: shown === null ? Array.from(times) : Array.from(shown, (row) => at(times, row)),
    exitCodes: (shown === null || timesItself ? executions : Array.from(shown, (row) => at(executions, row))).map(
      exitCodeOf,
    ),
    maxRssBytes,
  };
}

/**
 * A random sample of rows without repeats, in their order; every set of `size` rows is equally likely.
 *
 * @param rows how many there are.
 * @param size how many are wanted, at most `rows`.
 * Source: D. Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm S. O(rows).
 */
export function sampleRows(rows: number, size: number, random: Random): Int32Array {
  const sample = new Int32Array(size);
  let taken = 0;
  for (let row = 0; taken < size; row++) {
    if (random.int(rows - row) < size - taken) sample[taken++] = row;
  }
  return sample;
}
