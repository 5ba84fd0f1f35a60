import type { ExperimentConfig, Metric, Warning } from '@deadheat/model';

/** METRIC_UNAVAILABLE: a metric was asked for and is not there. */
export const metricUnavailable = (asked: ExperimentConfig['metric'], used: Metric): Warning[] => {
  if (asked === 'auto' || asked === used) return [];
  if (asked === 'time') {
    return [
      {
        code: 'METRIC_UNAVAILABLE',
        message:
          'wall time was asked for, but in a tandem both sides share one core and the wall time of each is that of both, so CPU ' +
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
            ? 'wall time without waiting for a CPU was asked for, but in a tandem both sides share one core, so CPU time decides; ' +
              'measure with --method sync-duet'
            : 'wall time without waiting for a CPU was asked for, but it is not known for every execution how long it waited and that it did ' +
              'so for other programs, so plain wall time decides; pass --metric time',
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
};
