import { meetsOnOwnCores, workloadFacts, isResourceMetric, type Warning } from '@deadheat/model';
import { at } from '../internal/at.ts';
import { isHardlyOverlapping } from '../pairing/overlaps.ts';
import type { Selection } from '../pairing/select-runs.ts';
import {
  coarseCpuTime,
  metricsDisagree,
  metricUnavailable,
  resourcesUnavailable,
  veryShort,
} from '../warnings/metric-warnings.ts';
import {
  blockOrder,
  failedRunsIgnored,
  invocationsDiffer,
  lowOverlap,
  runFarOff,
  runsCorrelated,
} from '../warnings/run-warnings.ts';
import { sidesWaitInTurn } from '../warnings/sides-meet.ts';
import { slowWarning } from '../warnings/slow-now-and-then.ts';
import type { JudgeSetup } from './estimate.ts';
import type { JudgedMetrics } from './judge-metrics.ts';
import type { Pace } from './judging.ts';
import { fewHosts, type HostGroup } from './over-hosts.ts';
import type { ComparisonInput } from './usable-runs.ts';

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
  const { runs } = pace;
  return [
    ...failedRunsIgnored({ failed: selection.failed, used: runs }),
    ...fewHosts(hosts),
    ...deciding.intervalWarnings(pace),
    // Runs that were not made together have no ratio of their own; amounts of a resource may agree in most runs.
    ...(keepOneSided || isResourceMetric(metric)
      ? []
      : runFarOff({
          logRatios: deciding.unitLogRatios,
          runNumbers: setup.units.members.map((members) => members.map((r) => at(setup.bothSided, r).trial.run)),
        })),
    ...slowWarning(deciding.slow, {
      unit: deciding.madeOf.unit === 'traded-block' ? 'traded-block' : 'run',
      runs,
    }),
    ...runsCorrelated(deciding),
    ...(inBlocks ? [blockOrder(deciding.widenedForDrift)] : []),
    ...veryShort({ ...facts, workload: benchmark.workload }),
    ...(keepOneSided ? [] : invocationsDiffer(selection.runs)),
    ...(isHardlyOverlapping(selection) ? lowOverlap(selection.measured, config) : []),
    ...(benchmark.chosen === null ? metricUnavailable(config.metric, metric) : []),
    ...resourcesUnavailable(config, {
      found: [metric, ...others.map((other) => other.metric)],
      deciding: metric,
    }),
    ...coarseCpuTime(facts, { asked: config.metric, used: metric }),
    ...metricsDisagree(deciding, others, facts),
    ...(!workloadFacts[benchmark.workload].timesItself && meetsOnOwnCores(selection.method)
      ? sidesWaitInTurn(selection.runs)
      : []),
    ...(stability?.warnings ?? []),
    ...deciding.verdictWarnings(pace),
  ];
}
