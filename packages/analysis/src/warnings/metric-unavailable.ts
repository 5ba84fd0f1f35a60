import type { ExperimentConfig, Metric, Warning } from '@deadheat/model';

/** METRIC_UNAVAILABLE: CPU time was asked for and is not there. */
export const metricUnavailable = (asked: ExperimentConfig['metric'], used: Metric): Warning[] =>
  asked !== 'cpu' || used === 'cpu'
    ? []
    : [
        {
          code: 'METRIC_UNAVAILABLE',
          message:
            'CPU time was asked for but not measured for every execution, so wall time decides; ' +
            'pass --metric time, or run where the tool can launch the processes itself (Linux)',
        },
      ];
