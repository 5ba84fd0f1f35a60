import type { ExperimentConfig, Metric, Warning } from '@deadheat/model';
import type { MetricFacts } from '../metric/metric-facts.ts';

/** COARSE_CPU_TIME: CPU time is told in steps that are large beside the executions. Who asked for wall time does not mind. */
export const coarseCpuTime = (
  { coarseStepNs }: Pick<MetricFacts, 'coarseStepNs'>,
  { asked, used }: { readonly asked: ExperimentConfig['metric']; readonly used: Metric },
): Warning[] =>
  coarseStepNs === null || (asked === 'time' && used === 'time')
    ? []
    : [
        {
          code: 'COARSE_CPU_TIME',
          message:
            `this machine tells CPU time in steps of ${coarseStepNs / 1e6} ms, ` +
            (used === 'cpu'
              ? 'and CPU time decides, so that small differences are lost in rounding; measure with --method sync-duet --metric time, or make an execution longer'
              : 'so wall time decides; make an execution longer, or measure on a machine with precise accounting'),
        },
      ];
