import {
  methodFacts,
  sides,
  type Benchmark,
  type Comparison,
  type ExperimentConfig,
  type MeasuredRun,
  type Method,
  type Metric,
} from '@deadheat/model';
import { autocorrelation } from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import { anytimeRatioOfRuns, type AnytimeRatio } from '../anytime/anytime-ratio.ts';
import { anytimeOutlook, anytimeVerdict, detectableAnytime } from '../anytime/anytime-verdict.ts';
import { anytimePValues, sequentialResult, toSequentialRatio } from '../anytime/sequential-result.ts';
import {
  fewestHosts,
  fewHosts,
  hostEffects,
  hostGroups,
  outlookOverHosts,
  overHosts,
  ratioOverHosts,
  widenByHosts,
} from './over-hosts.ts';
import { at } from '../internal/at.ts';
import { chooseMetric, metricFacts } from '../metric/choose-metric.ts';
import { judgedTimes, type JudgedTimes, type SplitRun } from '../metric/iteration-times.ts';
import { fewerRuns, selectRuns, type Selection } from '../pairing/select-runs.ts';
import { stabilityOfRuns } from '../stopping/apart-stability.ts';
import { decideVerdict, minimalDetectableSlowdown, planOutlook, relativeHalfWidth } from '../verdict/decide-verdict.ts';
import { coarseCpuTime, metricsDisagree, metricUnavailable, veryShort } from '../warnings/metric-warnings.ts';
import { notDecided } from '../warnings/not-decided.ts';
import {
  failedRunsIgnored,
  fewRuns,
  invocationsDiffer,
  lowOverlap,
  runFarOff,
  runsCorrelated,
} from '../warnings/run-warnings.ts';
import { slowWarning } from '../warnings/slow-now-and-then.ts';
import { estimateOf, judgeSetup } from './estimate.ts';
import { sideSummary } from './side-summary.ts';

function timesOf(
  selection: Selection,
  splitRun: SplitRun | undefined,
): {
  readonly time: JudgedTimes;
  readonly cpu: JudgedTimes | null;
  readonly undelayed: JudgedTimes | null;
} {
  const time = judgedTimes(selection.runs, 'time', splitRun);
  if (time === null) throw new RangeError('an iteration has no wall time: its start and end are not numbers');
  return {
    time,
    cpu: judgedTimes(selection.runs, 'cpu', splitRun),
    undelayed: judgedTimes(selection.runs, 'undelayed', splitRun),
  };
}

/** Fewer units say nothing of how neighbours resemble each other. */
const fewestNeighbours = 10;

function neighbourCorrelation(logRatios: Float64Array): number | null {
  if (logRatios.length < fewestNeighbours) return null;
  const correlation = autocorrelation(logRatios);
  return Number.isNaN(correlation) ? null : correlation;
}

/** The metrics that are told beside the one that decides. */
function othersOf(deciding: Metric, method: Method): readonly Metric[] {
  // The wall time of a side in a tandem is that of both sides together.
  if (method === 'tandem') return [];
  return deciding === 'cpu' ? ['time'] : deciding === 'time' ? ['cpu'] : ['time', 'cpu'];
}

function noCpuTime(benchmark: string): AnalysisError {
  return new AnalysisError(
    'NO_CPU_TIME',
    `${benchmark} ran as a tandem, which is judged by CPU time, and CPU time was not measured for every execution; ` +
      'measure with --method sync-duet, or have the program record it',
    { benchmark },
  );
}

/** What the runs cost, pilot and warm-up runs too: tandems share the time with those of other lanes, a duet keeps two cores. */
function timeOf(runs: readonly MeasuredRun[], lanes: number): Comparison['time'] {
  let wallNs = 0;
  let machineNs = 0;
  for (const { trial } of runs) {
    wallNs += trial.method === 'tandem' ? trial.wallNs / lanes : trial.wallNs;
    machineNs += methodFacts[trial.method].cpus === 'one-each' ? 2 * trial.wallNs : trial.wallNs;
  }
  return { wallNs: Math.round(wallNs), machineNs };
}

/** What is judged. */
export interface ComparisonInput {
  /** Every run of this benchmark, in any order; warm-up runs and failed ones are sorted out. */
  readonly runs: readonly MeasuredRun[];
  readonly benchmark: Benchmark;
  /** As it counts for this benchmark (`configOf`). */
  readonly config: ExperimentConfig;
  /**
   * Whether a run of `sequential` counts for the side that has iterations when the other has none, as in files that hold
   * one side each; `false` when absent. `runs` of the result is then that of the side with fewer.
   */
  readonly keepOneSided?: boolean;
  /** The sides whose runs are the parts of a single one. */
  readonly splitRun?: SplitRun;
}

/**
 * Judges one benchmark: from its runs to the ratio, the verdict, and everything a reader needs to weigh them.
 *
 * `discarded.warmup` counts an iteration of both sides once, `outliers` and `unpaired` count the times of one side.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` with fewer than two usable runs; `NO_CPU_TIME` for a tandem without; as `overlaps` for `async-duet`.
 *
 * The result depends on the input alone: all resampling is seeded from `config.seed` and the benchmark.
 */
export function compareBenchmark(input: ComparisonInput): Comparison {
  const { benchmark, config } = input;
  const { keepOneSided = false } = input;
  const selection = selectRuns(input.runs, { ...config, workload: benchmark.workload, keepOneSided });
  refuseTooFew(selection, { benchmark, minimumOverlapRate: config.minimumOverlapRate });
  const { method, runs } = selection;
  const { confidence, margin } = config;
  const unpaired = method === 'sequential' && (config.unpaired || keepOneSided);
  const setup = judgeSetup(runs, { method, unpaired, takesTurns: !keepOneSided, benchmark, config });
  const { bothSided, units } = setup;

  const isWatched = config.stop.kind === 'decided' || config.stop.kind === 'precision';
  const times = timesOf(selection, input.splitRun);
  const facts = metricFacts(runs);
  const choice = chooseMetric(config.metric, facts);
  const anytimeOf = (judged: JudgedTimes, level: number) =>
    anytimeRatioOfRuns(runs, { method, times: judged, units, confidence: level });
  const hosts = hostGroups(bothSided, units);
  const pooled = hosts !== null && hosts.length >= fewestHosts ? hosts : null;
  const judge = (metric: Metric, judged: JudgedTimes) => {
    const overRuns = estimateOf(setup, { metric, times: judged });
    const estimate = pooled === null ? overRuns : overHosts(overRuns, { hosts: pooled, confidence });
    const watch = isWatched ? anytimeOf(judged, confidence) : null;
    const anytime = watch === null || pooled === null ? watch : widenByHosts(watch, estimate.ratio);
    const found = anytime === null ? decideVerdict(estimate.ratio, margin) : anytimeVerdict(anytime, margin);
    const verdict = found === 'dead-heat' && estimate.slow !== null ? 'undecided' : found;
    return { metric, ...estimate, anytime, verdict, outliers: judged.outliers };
  };
  const decidingTimes = times[choice.metric] ?? times.time;
  const deciding = judge(choice.metric, decidingTimes);
  if (method === 'tandem' && times.cpu === null) throw noCpuTime(benchmark.name);
  const others = othersOf(choice.metric, method).flatMap((metric) => {
    const judged = times[metric];
    return judged === null ? [] : [judge(metric, judged)];
  });

  const iterations = runs.reduce((sum, run) => sum + run.iterations.A.length + run.iterations.B.length, 0);
  const sideRuns = sides.reduce((sum, side) => sum + runs.filter((run) => run.iterations[side].length > 0).length, 0);
  const used = fewerRuns(runs);
  const time = timeOf(input.runs, config.lanes);
  const { count } = deciding.madeOf;
  const watched = deciding.anytime;
  const stability = stabilityOfRuns(input.runs, { benchmark, config });
  const sequential = watched === null ? null : sequentialResult(watched, { config, runs: runs.length });
  const detectable = (): number =>
    minimalDetectableSlowdown({ standardDeviation: deciding.standardDeviation, units: count, confidence, margin });
  const watchedAt = (level: number): AnytimeRatio => {
    const watch = anytimeOf(decidingTimes, level);
    const { unitLogRatios } = deciding;
    return pooled === null ? watch : widenByHosts(watch, ratioOverHosts(pooled, { unitLogRatios, confidence: level }));
  };
  const lanes = method === 'tandem' ? config.lanes : 1;
  const pace = {
    verdict: deciding.verdict,
    margin,
    runs: used,
    timeNsPerRun: runs.reduce((sum, { trial }) => sum + trial.wallNs, 0) / runs.length / lanes,
    step: units.unit === 'traded-block' ? 2 : 1,
  };
  return {
    benchmark: benchmark.name,
    ...(benchmark.controlOf === null ? {} : { controlOf: benchmark.controlOf }),
    params: benchmark.params,
    method,
    methodReason: benchmark.chosen?.reason ?? null,
    metric: deciding.metric,
    metricReason:
      benchmark.chosen === null || choice.metric === 'cpu'
        ? choice.reason
        : choice.metric === 'time'
          ? 'wall time, by what the pilot runs showed'
          : 'wall time without waiting for a CPU, by what the pilot runs showed',
    ratio: deciding.ratio,
    meanRatio: deciding.meanRatio,
    rankRatio: deciding.rankRatio,
    sequential,
    decidedBy: watched === null ? 'fixed' : 'sequential',
    otherMetrics: others.map(({ metric, ratio, anytime, verdict }) => ({
      metric,
      ratio,
      sequential: anytime === null ? null : toSequentialRatio(anytime),
      verdict,
    })),
    difference: deciding.difference(),
    verdict: deciding.verdict,
    margin,
    pValues: watched === null ? deciding.pValues(margin) : anytimePValues(watchedAt, margin),
    planned:
      config.plannedHalfWidth === null
        ? null
        : { halfWidth: config.plannedHalfWidth, achieved: relativeHalfWidth(sequential ?? deciding.ratio) },
    minimalDetectableSlowdown:
      watched === null
        ? detectable()
        : Math.max(detectableAnytime(watched, margin), pooled === null ? 0 : detectable()),
    pairingGain: deciding.pairingGain(),
    outlook:
      pooled !== null
        ? outlookOverHosts(deciding.ratio, { ...pace, hosts: pooled.length })
        : watched === null
          ? planOutlook(deciding.ratio, pace)
          : anytimeOutlook(watched, pace),
    runs: used,
    pairs: method === 'sequential' && !unpaired ? runs.length : runs.reduce((sum, { pairs }) => sum + pairs.length, 0),
    resampled: deciding.madeOf,
    neighbourCorrelation: unpaired ? null : neighbourCorrelation(deciding.neighbours),
    ...(hosts === null
      ? {}
      : {
          hosts: hostEffects({
            hosts,
            unitLogRatios: deciding.unitLogRatios,
            times: decidingTimes,
            confidence,
            pooledOver: pooled === null ? 'runs' : 'hosts',
          }),
        }),
    iterationsPerRun: iterations / sideRuns,
    discarded: { warmup: selection.warmup, outliers: deciding.outliers, unpaired: selection.unpaired },
    stability: stability?.result ?? null,
    sides: {
      A: sideSummary(runs, { side: 'A', benchmark, random: setup.random }),
      B: sideSummary(runs, { side: 'B', benchmark, random: setup.random }),
    },
    time,
    warnings: [
      ...failedRunsIgnored({ failed: selection.failed, used }),
      ...fewHosts(hosts),
      ...(watched === null && pooled === null
        ? fewRuns(deciding.madeOf, { runs: used, asked: config.interval, used: deciding.ratio.interval })
        : []),
      // Runs that were not made together have no ratio of their own.
      ...(keepOneSided
        ? []
        : runFarOff({
            logRatios: deciding.unitLogRatios,
            runNumbers: units.members.map((members) => members.map((r) => at(bothSided, r).trial.run)),
          })),
      ...slowWarning(deciding.slow, {
        unit: deciding.madeOf.unit === 'traded-block' ? 'traded-block' : 'run',
        runs: used,
      }),
      ...runsCorrelated(deciding),
      ...veryShort({ ...facts, workload: benchmark.workload }),
      ...(keepOneSided ? [] : invocationsDiffer(runs)),
      ...(method === 'async-duet' ? lowOverlap(selection.measured, config.minimumOverlapRate) : []),
      ...(benchmark.chosen === null ? metricUnavailable(config.metric, choice.metric) : []),
      ...coarseCpuTime(facts, { asked: config.metric, used: choice.metric }),
      ...metricsDisagree(deciding, others),
      ...(stability?.warnings ?? []),
      ...(watched !== null && pooled === null && config.stop.kind === 'decided' && sequential?.reached === false
        ? notDecided(watched, { config, ...pace, spentNs: time.wallNs })
        : []),
    ],
  };
}

/** Fewest runs that make an interval. */
const fewestRuns = 2;

function describe({ name, params }: Pick<Benchmark, 'name' | 'params'>): string {
  const pairs = Object.entries(params).map(([parameter, value]) => `${parameter} = ${value}`);
  return pairs.length === 0 ? name : `${name} (${pairs.join(', ')})`;
}

/**
 * Says why a benchmark is left out of the comparisons.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` with fewer than two usable runs.
 */
function refuseTooFew(
  { runs, failed, measured, method }: Selection,
  options: { readonly benchmark: Pick<Benchmark, 'name' | 'params'>; readonly minimumOverlapRate: number },
): void {
  const usable = fewerRuns(runs);
  if (usable >= fewestRuns) return;
  const { benchmark, minimumOverlapRate } = options;
  const unpaired = measured.length - runs.length;
  const byOverlap = method === 'async-duet' && unpaired > 0;
  const why = byOverlap
    ? `in ${unpaired} no iteration of A overlapped one of B by a rate of more than ${minimumOverlapRate}`
    : `${unpaired} had nothing that pairs`;
  const lost = [...(failed > 0 ? [`${failed} failed`] : []), ...(unpaired > 0 ? [why] : [])];
  const advice = byOverlap
    ? 'so it is not compared: give a run more iterations (--iterations) or longer ones, or use sync-duet, which starts both together'
    : 'so let it run longer (--runs, --max-time) or look at what failed';
  throw new AnalysisError(
    'TOO_FEW_RUNS',
    `${describe(benchmark)}: ${usable} usable runs of ${method}${lost.length > 0 ? ` (${lost.join(', ')})` : ''}; ` +
      `a comparison needs at least ${fewestRuns}, ${advice}`,
    { benchmark: benchmark.name },
  );
}
