import {
  methodFacts,
  isResourceMetric,
  resourcesOf,
  stopRuleOf,
  type Benchmark,
  type ExperimentConfig,
  type Method,
  type Metric,
} from '@deadheat/model';
import { noCpuTime } from '../analysis-error.ts';
import { anytimeRatioOfRuns } from '../anytime/anytime-ratio.ts';
import { chooseDeciding, metricFacts, type MetricChoice, type MetricFacts } from '../metric/choose-metric.ts';
import { judgedTimes, type JudgedTimes } from '../metric/iteration-times.ts';
import { isHardlyOverlapping } from '../pairing/overlaps.ts';
import type { Selection } from '../pairing/select-runs.ts';
import { estimateOf, typicalOf, type JudgeSetup } from './estimate.ts';
import { judgeFixed, refuseVerdict, type Judgement, type Judging, judgeAnytime, type Pace } from './judging.ts';
import { unlessCachesDecide, type cacheSharing } from './shared-caches.ts';
import { carryInterval, judgeOverHosts, type HostGroup } from './over-hosts.ts';

/** The metrics that are reported beside the one that decides. */
function othersOf(
  deciding: Metric,
  { method, config }: { readonly method: Method; readonly config: ExperimentConfig },
): readonly Metric[] {
  const resources = resourcesOf(config).filter((metric) => metric !== deciding);
  return [...otherTimesOf(deciding, method), ...resources];
}

function otherTimesOf(deciding: Metric, method: Method): readonly Metric[] {
  // The wall time of a side in a tandem is that of both sides together, and on a core that others want theirs as well.
  if (methodFacts[method].ownTime === 'cpu') return isResourceMetric(deciding) ? ['cpu'] : [];
  return deciding === 'cpu' ? ['time'] : deciding === 'time' ? ['cpu'] : ['time', 'cpu'];
}

/** The words of a report on why this metric decides. */
function reasonOf({ metric, reason }: MetricChoice, { chosen }: Pick<Benchmark, 'chosen'>): string {
  if (chosen === null || metric === 'cpu' || isResourceMetric(metric)) return reason;
  return `wall time${metric === 'time' ? '' : ' without waiting for a CPU'}, by what the pilot runs showed`;
}

/** Judgement of a benchmark: by its stop rule's interim analyses, and by the number of hosts. */
function chooseJudging({ config, hosts, sharing }: Pick<JudgeInput, 'config' | 'hosts' | 'sharing'>): Judging {
  const { interim } = stopRuleOf(config.stop);
  const judgeRuns = interim === null ? judgeFixed(config) : judgeAnytime(config, interim);
  const judge = hosts === null || !carryInterval(hosts) ? judgeRuns : judgeOverHosts(judgeRuns, { hosts, config });
  return unlessCachesDecide(judge, { sharing, config });
}

interface JudgeInput {
  readonly benchmark: Benchmark;
  readonly config: ExperimentConfig;
  readonly setup: JudgeSetup;
  /** The machines, or layouts, that runs were made with; `null` where there is one. */
  readonly hosts: readonly HostGroup[] | null;
  readonly sharing: ReturnType<typeof cacheSharing>;
  readonly pace: Pace;
}

/** The results of all metrics of a benchmark. */
export interface JudgedMetrics {
  readonly facts: MetricFacts;
  readonly deciding: Judgement;
  readonly metricReason: string;
  readonly others: readonly Judgement[];
}

/** The metric that decides, and A's typical time in it, ns. */
export function decidingTimeOfA(
  runs: Selection['runs'],
  { asked, setup }: { readonly asked: ExperimentConfig['metric']; readonly setup: JudgeSetup },
): { readonly metric: Metric; readonly typicalNs: number } {
  const { metric } = chooseDeciding(asked, { facts: metricFacts(runs), runs });
  const times = judgedTimes(runs, metric, !setup.takesTurns) ?? judgedTimes(runs, 'time', !setup.takesTurns);
  return { metric, typicalNs: times === null ? Infinity : typicalOf(times.A, setup) };
}

/**
 * Judges the metric that decides, and those that are reported beside it.
 *
 * @throws AnalysisError `NO_CPU_TIME` for a tandem without.
 */
export function judgeMetrics(selection: Selection, input: JudgeInput): JudgedMetrics {
  const { method, runs } = selection;
  const { benchmark, config, setup, pace } = input;
  const times = (metric: Metric): JudgedTimes | null => judgedTimes(runs, metric, !setup.takesTurns);
  const time = times('time');
  if (time === null) throw new RangeError('an iteration has no wall time: its start and end are not numbers');
  if (methodFacts[method].ownTime === 'cpu' && times('cpu') === null) throw noCpuTime(benchmark.name);
  const facts = metricFacts(runs);
  const choice = chooseDeciding(config.metric, { facts, runs });
  const judge = (metric: Metric, judged: JudgedTimes): Judgement => {
    // A margin of time says nothing about a resource.
    const margin = config.marginNs != null && isResourceMetric(metric) ? 0 : config.margin;
    const judging = chooseJudging({ ...input, config: { ...config, margin } });
    const found = judging(estimateOf({ ...setup, margin }, { metric, times: judged }), {
      pace,
      anytimeAt: (confidence, quantity) =>
        anytimeRatioOfRuns(runs, { method, quantity, times: judged, units: setup.units, confidence }),
    });
    return isHardlyOverlapping(selection) ? refuseVerdict(found) : found;
  };
  return {
    facts,
    deciding: judge(choice.metric, times(choice.metric) ?? time),
    metricReason: reasonOf(choice, benchmark),
    others: othersOf(choice.metric, { method, config }).flatMap((metric) => {
      const judged = times(metric);
      return judged === null ? [] : [judge(metric, judged)];
    }),
  };
}
