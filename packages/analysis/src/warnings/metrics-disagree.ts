import type { Metric, Verdict, Warning } from '@deadheat/model';

interface Judged {
  readonly metric: Metric;
  readonly verdict: Verdict;
}

const names: Readonly<Record<Metric, string>> = {
  time: 'wall time',
  cpu: 'CPU time',
  undelayed: 'wall time without waiting for a CPU',
};

/** METRICS_DISAGREE: one metric says slower and the other faster. */
export const metricsDisagree = (deciding: Judged, others: readonly Judged[]): Warning[] =>
  others
    .filter(({ verdict }) => [verdict, deciding.verdict].toSorted().join() === 'faster,slower')
    .map(({ metric, verdict }) => ({
      code: 'METRICS_DISAGREE',
      message:
        `B is ${deciding.verdict} by ${names[deciding.metric]} and ${verdict} by ${names[metric]}: one side waits or uses ` +
        `more cores; decide which of the two you care about and pass --metric ${deciding.metric} or --metric ${metric}`,
    }));
