import {
  checkExports,
  choice,
  type Command,
  count,
  defineCommand,
  exitCodes,
  exportOption,
  flag,
  group,
  option,
  plaintextOptions,
  reportStream,
  resolveTerminalStyle,
  share,
  styleOptions,
  text,
  UsageError,
  withPlaintext,
  writeExport,
} from '@deadheat/cli/kit';
import { methodSchema, nearestWord } from '@deadheat/model';
import { alignCells, countOf, printable } from '@deadheat/report';
import { isCanary } from '../changes/canaries.ts';
import type { SeriesQuantity } from '../changes/levels.ts';
import { seriesLevels, usualLeastChange } from '../changes/series-levels.ts';
import type { History, HistoryPoint, StoredRecording } from '../history.ts';
import { openHistory } from '../open-history.ts';
import { isAgainst, groupBy, seriesKey } from '../points.ts';
import {
  commitName,
  historyCsv,
  type HistoryDocument,
  type HistorySeries,
  renderCanaries,
  renderChanges,
  renderHistory,
} from '../render-history.ts';
import { fromOption } from './place-options.ts';

const quantities: readonly SeriesQuantity[] = ['ratio', 'pairs', 'time', 'value'];

/** `deadheat history show`: changes of performance, and verdicts over commits. */
export const show: Command = defineCommand({
  description:
    'Shows what changed in a history: the changes of performance of all benchmarks, the newest first, with the commits between which they came. For the benchmarks that are named it shows the verdicts in the order of the commits, too. False alarms are limited: at most one in 20 series without a real change shows a change within its first 300 comparisons.',
  args: { '[benchmarks...]': 'names of benchmarks' },
  options: {
    ...group('What to show:', {
      from: fromOption,
      project: option('--project <NAME>', { help: 'show only recordings of this project', parse: text('a name') }),
      method: option('--method <METHOD>', {
        help: 'show only comparisons made with this method',
        parse: choice(methodSchema.options),
      }),
      metric: option('--metric <NAME>', {
        help: 'follow this metric instead of the time, such as cpu, rss or allocs/op: every metric that reports hold',
        parse: text('the name of a metric'),
      }),
      against: option('--against <COMMIT>', {
        help: 'show only comparisons whose side A is this commit, such as a release that is used as the reference',
        parse: text('a commit'),
      }),
      of: option('--of <QUANTITY>', {
        help: 'quantity in which changes are searched: ratio (B / A), pairs (B / A of each two commits), or time (the mean time of B; value of another metric)',
        parse: choice(quantities),
        fallback: 'ratio if all comparisons have the same A, else time',
      }),
      leastChange: option('--least-change <SHARE>', {
        help: 'smallest change of performance to show, such as 1%',
        parse: share({ zero: 'allowed', example: '1%' }),
        fallback: `${100 * usualLeastChange}%`,
      }),
      all: flag('--all', { help: 'print the verdicts of every benchmark, as for those that are named' }),
      recordings: flag('--recordings', {
        help: 'list the recordings with their ids instead',
        only: ['from', 'export', 'allowPlaintext'],
        why: 'lists every recording',
      }),
    }),
    ...group('Output:', {
      last: option('--last <N>', {
        help: 'number of newest changes to print, and of newest comparisons for each benchmark',
        parse: count(1),
        default: 20,
      }),
      export: exportOption({ json: 'all comparisons', csv: 'a line for each comparison' }),
      ...plaintextOptions(),
      ...styleOptions,
    }),
  },
  act: async (values, { benchmarks }, terminal) => {
    const { from, export: exports, last, style: styleName, all, recordings, against } = values;
    if (recordings && exports.csv !== undefined) {
      throw new UsageError('CONFLICT', '--recordings lists every recording, which has no form as CSV', {
        hint: 'Export it as JSON: --export json:FILE.',
      });
    }
    checkExports(exports);
    const history = await openHistory(from, { forWriting: false, variables: withPlaintext(values, terminal).env });
    try {
      const stream = terminal[reportStream(exports)];
      if (recordings) {
        const found = await history.list();
        stream.write(renderRecordings(found, history.place));
        const document = { schema: 'deadheat.recordings/1', place: history.place, recordings: found };
        writeExport(exports.json, { content: `${JSON.stringify(document, null, 2)}\n`, terminal });
        return exitCodes.done;
      }
      const leastChange = values.leastChange ?? usualLeastChange;
      const points = (await readPoints(history, { ...values, benchmarks })).filter(
        (point) => against === null || isAgainst(point, against),
      );
      const document = historyDocument(points, { place: history.place, quantity: values.of, leastChange });
      const style = resolveTerminalStyle(styleName, { stream, variables: terminal.env });
      const isWhole = all || benchmarks.length > 0 || document.series.length === 1 || document.series.every(isCanary);
      if (!style.quiet) stream.write((isWhole ? renderHistory : renderChanges)(document, { last, style }));
      if (!style.quiet && !isWhole) stream.write(renderCanaries(points, last));
      writeExport(exports.csv, { content: historyCsv(document), terminal });
      writeExport(exports.json, { content: `${JSON.stringify(document, null, 2)}\n`, terminal });
      return exitCodes.done;
    } finally {
      await history.close();
    }
  },
  examples: `
Examples:
  deadheat history show
      what changed lately?

  deadheat history show parse-large --against v2.0
      how much has the performance changed since the release?

  deadheat history show --from postgres://ci@db.example.org/deadheat --export json:-`,
});

interface PointsRequest {
  /** Names; none = all. */
  readonly benchmarks: readonly string[];
  readonly project: string | null;
  readonly method: HistoryPoint['method'] | null;
  /** `null` = the metric that decided each comparison. */
  readonly metric: string | null;
}

async function readPoints(history: History, request: PointsRequest): Promise<readonly HistoryPoint[]> {
  const { benchmarks, project, method, metric } = request;
  const series = { ...(project === null ? {} : { project }), ...(method === null ? {} : { method }) };
  const filter = { ...series, ...(metric === null ? {} : { metric }) };
  if (benchmarks.length === 0) {
    const all = await history.series(filter);
    if (all.length === 0 && metric !== null) throw await unknownMetric(metric, history);
    return all;
  }
  const points: HistoryPoint[] = [];
  for (const benchmark of benchmarks) {
    const found = await history.series({ ...filter, benchmark });
    if (found.length === 0) {
      const isKnown = metric !== null && (await history.latest({ ...series, benchmark })).length > 0;
      throw isKnown ? await unknownMetric(metric, history) : await unknownBenchmark(benchmark, history);
    }
    points.push(...found);
  }
  return points;
}

async function unknownBenchmark(name: string, history: History): Promise<UsageError> {
  const names = [...new Set((await history.latest()).map(({ benchmark }) => benchmark))];
  const nearest = nearestWord(name, names);
  const some = names.slice(0, 10).join(', ');
  return new UsageError('BAD_VALUE', `${history.place} holds no comparison of ${name} that fits`, {
    hint:
      nearest === null
        ? names.length === 0
          ? 'It holds none at all: deadheat history push RECORDING adds them.'
          : `There are ${some}${names.length > 10 ? ', …' : ''}.`
        : `Did you mean ${nearest}?`,
  });
}

async function unknownMetric(name: string, history: History): Promise<UsageError> {
  const held = (await history.metrics({})).map((one) => one.name).join(', ');
  return new UsageError('BAD_VALUE', `${history.place} holds no comparison that fits and measured ${name}`, {
    hint: held === '' ? 'It holds none at all.' : `Its comparisons hold ${held}.`,
  });
}

interface SeriesRequest {
  readonly quantity: SeriesQuantity | null;
  readonly leastChange: number;
}

/** Points sorted into their series, in the order of their names, each with the changes of its level. */
function historyDocument(
  points: readonly HistoryPoint[],
  { place, ...options }: { readonly place: string } & SeriesRequest,
): HistoryDocument {
  const series = [...groupBy(points, seriesKey)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, members]) => toSeries(members, options));
  return { schema: 'deadheat.history/1', place, series };
}

function toSeries(points: readonly HistoryPoint[], options: SeriesRequest): HistorySeries {
  const { quantity, values, levels, changes } = seriesLevels(points, options);
  const { project, benchmark, params, method } = points[0] as HistoryPoint;
  return {
    project,
    benchmark,
    params,
    method,
    quantity,
    leastChange: options.leastChange,
    points: points.map((point, at) => ({ ...point, value: values[at] ?? 0, level: levels[at] ?? 0 })),
    changes,
  };
}

/** The recordings of a history, a line each; ends in a line break. */
function renderRecordings(recordings: readonly StoredRecording[], place: string): string {
  if (recordings.length === 0) return `${printable(place)} holds no recording.\n`;
  const rows = recordings.map(({ id, project, startedAt, commits, hostname, comparisons }) => [
    id,
    `${startedAt.slice(0, 16).replace('T', ' ')}Z`,
    printable(project),
    `${commitName(commits.A)} -> ${commitName(commits.B)}`,
    countOf(comparisons, 'comparison'),
    printable(hostname),
  ]);
  return `${alignCells(rows).join('\n')}\n`;
}
