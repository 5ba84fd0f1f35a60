import { verdictOrder } from '@deadheat/report';
import { seriesKey, triageStateSchema, type HistoryPoint } from '@deadheat/history';
import type { ServerContext } from './context.ts';
import { directionOf } from './source/change-search.ts';

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The contents of a history and a fleet as metrics for Prometheus.
 *
 * Source: Prometheus, "Exposition formats", version 0.0.4.
 */
export async function metricsText(context: ServerContext): Promise<string> {
  const { toolVersion, fleet } = context;
  const catalog = await context.catalog.now();
  const { changes, pending } = await context.changes.of(catalog);
  const triage = await context.triage.view();
  const { canaries } = catalog;
  const alarms = await catalog.canaryAlarms();
  const decided = changes.map((change) => ({
    direction: directionOf(change),
    state: triage.of(change)[0]?.state ?? 'new',
  }));
  const state = fleet === null ? null : await fleet.feed.read();
  const gauges: readonly Gauge[] = [
    gauge('build_info', 'The version that answers.', [{ labels: { version: toolVersion }, value: 1 }]),
    gauge('history_recordings', 'Recordings in the history.', [plain(catalog.recordings.length)]),
    gauge('history_comparisons', 'Comparisons in all recordings.', [plain(catalog.comparisonCount)]),
    gauge(
      'history_verdicts',
      'Series by the verdict of their newest comparison.',
      catalog.projects.flatMap(({ project, verdicts }) =>
        verdictOrder.map((verdict) => ({ labels: { project, verdict }, value: verdicts[verdict] })),
      ),
    ),
    gauge(
      'history_newest_experiment_timestamp_seconds',
      'When the newest experiment of a project began.',
      catalog.projects.map(({ project, measuredAt }) => ({
        labels: { project },
        value: Date.parse(measuredAt) / 1000,
      })),
    ),
    gauge(
      'changes',
      'Changes of level that are found now, by direction and decision.',
      (['slower', 'faster'] as const).flatMap((direction) =>
        triageStateSchema.options.map((option) => ({
          labels: { direction, state: option },
          value: decided.filter((one) => one.direction === direction && one.state === option).length,
        })),
      ),
    ),
    gauge(
      'canary_level_seconds',
      'Time of the workload in the newest canary of a host.',
      canaries.map((point) => ({ labels: canaryLabels(point), value: point.meanNs.B / 1e9 })),
    ),
    gauge(
      'canary_newest_timestamp_seconds',
      'When the newest canary of a host began.',
      canaries.map((point) => ({ labels: canaryLabels(point), value: Date.parse(point.startedAt) / 1000 })),
    ),
    gauge(
      'canary_alarms',
      'How often a workload differed from itself on a host, and how often the level of its time changed.',
      canaries.flatMap((point) =>
        (['differs', 'level'] as const).map((kind) => ({
          labels: { ...canaryLabels(point), kind },
          value: alarms.filter((alarm) => alarm.kind === kind && seriesKey(alarm.name) === seriesKey(point)).length,
        })),
      ),
    ),
    gauge('changes_pending_series', 'Series in which changes are still being searched.', [plain(pending)]),
    ...(state === null
      ? []
      : [
          gauge('fleet_workers', 'Machines of the fleet.', byState(['idle', 'busy', 'gone'], state.workers)),
          gauge(
            'fleet_experiments',
            'The newest experiments of the fleet.',
            byState(['running', 'done', 'failed', 'cancelled'], state.experiments),
          ),
        ]),
  ];
  return gauges.map(textOf).join('');
}

function canaryLabels({ params, benchmark, method }: HistoryPoint): Readonly<Record<string, string>> {
  return { host: params['host'] ?? '', workload: benchmark, method };
}

function gauge(name: string, help: string, samples: readonly Sample[]): Gauge {
  return { name: `deadheat_${name}`, help, samples };
}

function plain(value: number): Sample {
  return { labels: {}, value };
}

function byState<State extends string>(
  states: readonly State[],
  things: readonly { readonly state: State }[],
): readonly Sample[] {
  return states.map((state) => ({ labels: { state }, value: things.filter((thing) => thing.state === state).length }));
}

function textOf({ name, help, samples }: Gauge): string {
  const lines = samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}
