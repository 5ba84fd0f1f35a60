import {
  isCount,
  isCounter,
  isResourceMetric,
  meetsOnOwnCores,
  metricKinds,
  resourcesOf,
  workloadFacts,
  type ExperimentConfig,
  type Metric,
  type ResourceMetric,
  type Warning,
  type Workload,
} from '@deadheat/model';
import type { MetricFacts } from '../metric/choose-metric.ts';
import { isHardlyOverlapping } from '../pairing/overlaps.ts';
import type { Selection } from '../pairing/select-runs.ts';
import {
  blockOrder,
  failedRunsIgnored,
  invocationsDiffer,
  lowOverlap,
  nonzeroExit,
  runFarOff,
  runsCorrelated,
} from '../warnings/run-warnings.ts';
import { layoutsIdentical, layoutSuspected } from './layout-warnings.ts';
import { sidesWaitInTurn } from '../warnings/sides-meet.ts';
import { slowWarning } from '../warnings/slow-now-and-then.ts';
import type { JudgeSetup } from './estimate.ts';
import type { JudgedMetrics } from './judge-metrics.ts';
import type { Judgement, Pace } from './judging.ts';
import { fewHosts, type HostGroup } from './over-hosts.ts';
import { percentChange, totalDiffers } from './total-time.ts';
import type { ComparisonInput } from './usable-runs.ts';
import { at } from '../internal/lists.ts';

/** All that a reader has to know to weigh a comparison, in the order of a report. */
export function comparisonWarnings(
  { benchmark, config, keepOneSided = false, inBlocks = false }: Omit<ComparisonInput, 'runs'>,
  found: {
    readonly selection: Selection;
    readonly setup: JudgeSetup;
    readonly judged: JudgedMetrics;
    readonly hosts: readonly HostGroup[] | null;
    readonly pace: Pace;
    /** `null` where the number of iterations was fixed. */
    readonly stability: { readonly warnings: readonly Warning[] } | null;
  },
): Warning[] {
  const { selection, setup, judged, hosts, pace, stability } = found;
  const { facts, deciding, others } = judged;
  const { metric } = deciding;
  const { runs, origin } = pace;
  return [
    ...failedRunsIgnored({ failed: selection.failed, used: runs }),
    ...(config.ignoreFailure ? nonzeroExit(selection.runs) : []),
    ...fewHosts(hosts),
    ...layoutsIdentical(benchmark),
    ...layoutSuspected(judged, { benchmark, config }),
    ...deciding.intervalWarnings,
    // Runs that were not made together have no ratio of their own; amounts of a resource may agree in most runs.
    ...(keepOneSided || isResourceMetric(metric)
      ? []
      : runFarOff(deciding.unitLogRatios, {
          numbersOf: (unit) => at(setup.units.members, unit).map((r) => at(setup.bothSided, r).trial.run),
          origin,
        })),
    ...slowWarning(deciding.slow, {
      unit: deciding.madeOf.unit === 'traded-block' ? 'traded-block' : 'run',
      runs,
      origin,
    }),
    ...runsCorrelated(deciding, config.confidence),
    ...(inBlocks ? [blockOrder(deciding.widenedForDrift)] : []),
    ...veryShort({ ...facts, workload: benchmark.workload }),
    ...(keepOneSided ? [] : invocationsDiffer(selection.runs)),
    ...(isHardlyOverlapping(selection) ? lowOverlap(selection.measured, config) : []),
    ...(benchmark.chosen === null ? metricUnavailable(config.metric, metric) : []),
    ...resourcesUnavailable(config, {
      found: [metric, ...others.map((other) => other.metric)],
      deciding: metric,
    }),
    ...coarseClock(deciding),
    ...coarseCpuTime(facts, { asked: config.metric, used: metric }),
    ...metricsDisagree(deciding, others, facts),
    ...(!workloadFacts[benchmark.workload].timesItself && meetsOnOwnCores(selection.method)
      ? sidesWaitInTurn(selection.runs)
      : []),
    ...(stability?.warnings ?? []),
    ...totalDiffers(deciding),
    ...deciding.verdictWarnings,
  ];
}

/** METRIC_UNAVAILABLE: a metric was asked for and is not there. */
function metricUnavailable(asked: ExperimentConfig['metric'], used: Metric): Warning[] {
  if (asked === 'auto' || asked === used || isResourceMetric(asked)) return [];
  if (asked === 'time') {
    return [
      {
        code: 'METRIC_UNAVAILABLE',
        message:
          'wall time was asked for, but on one core the wall time of a side is also that of others, in a tandem that of both sides, so CPU ' +
          'time decides; measure with --method sync-duet for wall time',
      },
    ];
  }
  if (asked === 'undelayed') {
    return [
      {
        code: 'METRIC_UNAVAILABLE',
        message:
          used === 'cpu'
            ? 'wall time without waiting for a CPU was asked for, but both sides are on one core, so CPU time decides; ' +
              'measure with --method sync-duet'
            : 'wall time without waiting for a CPU was asked for, but it is not known for every execution, with all processes that it ' +
              'started, how long it waited and that it did so for other programs, so plain wall time decides; pass --metric time',
      },
    ];
  }
  return [
    {
      code: 'METRIC_UNAVAILABLE',
      message:
        'CPU time was asked for but not measured for every execution, so wall time decides; ' +
        'pass --metric time, or run where the tool can launch the processes itself (Linux)',
    },
  ];
}

/** METRIC_UNAVAILABLE: resources were asked for that no ratio can be made of. */
function resourcesUnavailable(
  config: Pick<ExperimentConfig, 'metric' | 'also'>,
  { found, deciding }: { readonly found: readonly Metric[]; readonly deciding: Metric },
): Warning[] {
  return resourcesOf(config)
    .filter((metric) => !found.includes(metric))
    .map((metric) => ({
      code: 'METRIC_UNAVAILABLE',
      message:
        `${metric === 'rss' ? 'peak memory (rss)' : metricKinds[metric].name} ${whyUnavailable(metric)}` +
        (config.metric === metric ? `, so ${metricKinds[deciding].name} decides` : ', so no ratio is reported') +
        (isCount(metric) ? '; install valgrind, which counts in runs of their own' : '') +
        (isCounter(metric)
          ? '; deadheat doctor says what this machine counts'
          : isCount(metric)
            ? ''
            : '; measure with deadheat on Linux'),
    }));
}

function whyUnavailable(metric: ResourceMetric): string {
  if (isCount(metric) && !isCounter(metric)) return countObstacle;
  if (isCounter(metric)) return 'could not be counted: the kernel or the processor does not offer this counter here';
  return metric === 'rss' ? 'was not measured for every run' : 'was not measured, or is 0, in a run';
}

const countObstacle =
  'were not counted, or are 0: that is done beside time (--also), of plain commands of one runtime on Linux, by valgrind or the heap of Node or Java, and for runs on this machine alone';

/** CPU time above this share of the wall time takes more than one core. */
const oneCore = 1.1;

/**
 * METRICS_DISAGREE: one metric says slower and the other faster; or a difference in wall time is not one in CPU time, because a side
 * uses several cores at once.
 */
function metricsDisagree(
  deciding: Judgement,
  others: readonly Judgement[],
  { cpuShares }: Pick<MetricFacts, 'cpuShares'>,
): Warning[] {
  return others.flatMap((other): Warning[] => {
    if (isResourceMetric(other.metric) || isResourceMetric(deciding.metric)) return [];
    const isOpposed = [other.verdict, deciding.verdict].toSorted().join() === 'faster,slower';
    const isByCores = cpuShares !== null && Math.max(cpuShares.A, cpuShares.B) > oneCore;
    if (isByCores && other.metric === 'cpu' && isDecided(deciding) && other.verdict !== deciding.verdict) {
      return [
        {
          code: 'METRICS_DISAGREE',
          message:
            `B is ${deciding.verdict} by ${metricKinds[deciding.metric].name} (${percentChange(deciding.decides.estimate)}) and not by CPU time (${percentChange(other.decides.estimate)}): a side ` +
            `computes on several cores at once (CPU time over wall time: A ${cpuShares.A.toFixed(2)}, B ${cpuShares.B.toFixed(2)}), ` +
            'so the difference holds on a machine with as many free cores and not on a busy one; pass --metric cpu to compare the work done',
        },
      ];
    }
    if (!isOpposed) return [];
    return [
      {
        code: 'METRICS_DISAGREE',
        message:
          `B is ${deciding.verdict} by ${metricKinds[deciding.metric].name} and ${other.verdict} by ${metricKinds[other.metric].name}: one side waits or uses ` +
          `more cores; decide which of the two you care about and pass --metric ${deciding.metric} or --metric ${other.metric}`,
      },
    ];
  });
}

function isDecided({ verdict }: Judgement): boolean {
  return verdict === 'faster' || verdict === 'slower';
}

/** COARSE_CLOCK: times without scatter, of which rounding alone gives an interval. */
function coarseClock({ roundedToNs }: Pick<Judgement, 'roundedToNs'>): Warning[] {
  if (roundedToNs === null) return [];
  return [
    {
      code: 'COARSE_CLOCK',
      message:
        `all runs have one ratio, as times have that repeat exactly: they are known to steps of ${roundedToNs / 1e6} ms at best, and the interval is that of ` +
        'rounding, which more runs do not make smaller; print times with more digits, or make an execution longer',
    },
  ];
}

/** COARSE_CPU_TIME: CPU time is reported in steps that are large beside the executions. Who asked for wall time does not mind. */
function coarseCpuTime(
  { coarseStepNs }: Pick<MetricFacts, 'coarseStepNs'>,
  { asked, used }: { readonly asked: ExperimentConfig['metric']; readonly used: Metric },
): Warning[] {
  return coarseStepNs === null || (asked === 'time' && used === 'time')
    ? []
    : [
        {
          code: 'COARSE_CPU_TIME',
          message:
            `this machine reports CPU time in steps of ${coarseStepNs / 1e6} ms, ` +
            (used === 'cpu'
              ? 'and CPU time decides, so that small differences are lost in rounding; measure with --method sync-duet --metric time, or make an execution longer'
              : 'so wall time decides; make an execution longer, or measure on a machine with precise accounting'),
        },
      ];
}

const shortNs = 1_000_000;

/** VERY_SHORT: commands of less than 1 ms are mostly process start. Iterations inside a program start nothing and may be short. */
function veryShort(
  facts: Pick<MetricFacts, 'medianNs' | 'medianCpuNs' | 'isTandem'> & { readonly workload: Workload },
): Warning[] {
  // The wall time of a side in a tandem is that of both.
  const { A, B } = facts.isTandem ? (facts.medianCpuNs ?? facts.medianNs) : facts.medianNs;
  const shortest = Math.min(A, B);
  if (shortest >= shortNs || workloadFacts[facts.workload].timesItself) return [];
  return [
    {
      code: 'VERY_SHORT',
      message:
        `an execution takes ${(shortest / 1e6).toFixed(3)} ms, most of it the start of the process; ` +
        'repeat the work inside one execution, or time it inside the program with a harness',
    },
  ];
}
