import { type History, openHistory, pointsBySeries, type StoredRecording } from '@deadheat/history';
import { type Method, methodSchema, nearestWord } from '@deadheat/model';
import { alignCells, countOf, printable } from '@deadheat/report';
import type { Command } from 'commander';
import { parseChoice, parseCount, parseShare, parseText, UsageError } from 'deadheat/settings';
import type { StyleChoice } from '../terminal/style.ts';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../terminal/plaintext-option.ts';
import { parseAge } from '../arguments/values/parse-age.ts';
import { addStyleOption } from '../arguments/output-options.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { checkExports, writeExport } from '../terminal/output.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';
import {
  isCanary,
  seriesLevels,
  type SeriesQuantity,
  usualLeastChange,
  type HistoryPoint,
  commitName,
  historyCsv,
  type HistoryDocument,
  type HistorySeries,
  renderCanaries,
  renderChanges,
  renderHistory,
} from '@deadheat/history';

interface RawHistoryOptions extends RawPlaintextOption {
  readonly from?: string;
  readonly project?: string;
  readonly method?: Method;
  readonly metric?: string;
  readonly against?: string;
  readonly of?: SeriesQuantity;
  readonly leastChange?: number;
  readonly last?: number;
  readonly all?: true;
  readonly recordings?: true;
  readonly exportCsv?: string;
  readonly exportJson?: string;
  readonly style?: StyleChoice;
}

const usualPlace = '.deadheat';
const usualLast = 20;
/** Options that `--recordings` refuses, by their names and as they are typed. */
const meaningless: ReadonlyMap<string, string> = new Map([
  ['project', '--project'],
  ['method', '--method'],
  ['metric', '--metric'],
  ['against', '--against'],
  ['of', '--of'],
  ['leastChange', '--least-change'],
  ['last', '--last'],
  ['all', '--all'],
  ['exportCsv', '--export-csv'],
  ['style', '--style'],
]);
const quantities: readonly SeriesQuantity[] = ['ratio', 'time', 'value'];

/** `deadheat history`: verdicts over commits. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('history')
    .description(
      'Shows what changed in a history: the changes of performance of all benchmarks, the newest first, with the commits between which they came. For the benchmarks that are named it shows the verdicts in the order of the commits, too. False alarms are limited: at most one in 20 series without a real change shows a change within its first 300 comparisons.',
    )
    .usage('[BENCHMARK...] [--from PLACE] [options]')
    .argument('[benchmarks...]')
    .action((benchmarks: readonly string[], raw: RawHistoryOptions) => {
      const { from = usualPlace, exportJson: json = null, exportCsv: csv = null } = raw;
      const { all = false, recordings, last = usualLast, style = 'auto' } = raw;
      const {
        project = null,
        method = null,
        metric = null,
        against = null,
        of: quantity = null,
        leastChange = usualLeastChange,
      } = raw;
      if (recordings === undefined) {
        const chosen = { benchmarks, project, method, metric, against, quantity, leastChange, last, all };
        const request = { ...chosen, from, json, csv, style };
        choose((terminal) => showHistory(request, withPlaintext(raw, terminal)));
        return;
      }
      const ignored = [...meaningless].find(([name]) => name in raw)?.[1];
      if (benchmarks.length > 0 || ignored !== undefined) {
        const what = ignored ?? 'a benchmark';
        throw new UsageError('CONFLICT', `--recordings lists every recording, and ${what} has no meaning with it`);
      }
      choose((terminal) => listRecordings({ from, json }, withPlaintext(raw, terminal)));
    });
  command
    .optionsGroup('What to show:')
    .option(
      '--from <PLACE>',
      `the history: a folder, or postgres://user@host/name (default: ${usualPlace})`,
      parseText('--from', 'a folder or a URL'),
    )
    .option('--project <NAME>', 'show only recordings of this project', parseText('--project', 'a name'))
    .option(
      '--method <METHOD>',
      'show only comparisons made with this method',
      parseChoice('--method', methodSchema.options),
    )
    .option(
      '--metric <NAME>',
      'follow this metric instead of the time, such as cpu, rss or allocs/op: every metric that reports hold',
      parseText('--metric', 'the name of a metric'),
    )
    .option(
      '--against <COMMIT>',
      'show only comparisons whose side A is this commit, such as a release that is used as the reference',
      parseText('--against', 'a commit'),
    )
    .option(
      '--of <QUANTITY>',
      'quantity in which changes are searched: ratio (B / A), or time (the mean time of B; value of another metric); default: ratio if all comparisons have the same A, else time',
      parseChoice('--of', quantities),
    )
    .option(
      '--least-change <SHARE>',
      `smallest change of performance to show, such as 1% (default: ${100 * usualLeastChange}%)`,
      parseShare('--least-change', { zero: 'allowed', example: '1%' }),
    )
    .option('--all', 'print the verdicts of every benchmark, as for those that are named')
    .option('--recordings', 'list the recordings with their ids instead');
  command
    .optionsGroup('Output:')
    .option(
      '--last <N>',
      `number of newest changes to print, and of newest comparisons for each benchmark (default: ${usualLast})`,
      parseCount('--last', 1),
    )
    .option(
      '--export-csv <FILE>',
      'write all comparisons as CSV, a line each (- = standard output)',
      parseText('--export-csv', 'the name of a file, or - for stdout'),
    )
    .option(
      '--export-json <FILE>',
      'write all comparisons as JSON (- = standard output)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    );
  addStyleOption(addPlaintextOption(command));
  command.addCommand(
    addPlaintextOption(create('prune'))
      .summary('remove old recordings from a history')
      .description(
        'Removes the recordings whose experiments began before a time from a history, each of them completely. In a folder, these are the folders of the recordings themselves. Nothing is removed unless this is called.',
      )
      .usage('--older-than TIME [--from PLACE] [--dry-run]')
      .option('--older-than <TIME>', 'age of the recordings to remove, such as 90d', parseAge('--older-than'))
      .option(
        '--from <PLACE>',
        `the history: a folder, or postgres://user@host/name (default: ${usualPlace})`,
        parseText('--from', 'a folder or a URL'),
      )
      .option('--dry-run', 'show what would be removed, and remove nothing')
      .helpOption('-h, --help', 'show this help')
      .action((raw: RawPruneOptions) => {
        const { olderThan, from = usualPlace, dryRun = false } = raw;
        if (olderThan === undefined) {
          throw new UsageError('MISSING_VALUE', 'history prune needs --older-than', {
            hint: 'Such as: --older-than 90d.',
          });
        }
        choose((terminal) => pruneHistory({ from, olderThan, dryRun }, withPlaintext(raw, terminal)));
      }),
  );
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat history
      what changed lately?

  deadheat history parse-large --against v2.0
      how much has the performance changed since the release?

  deadheat history --from postgres://ci@db.example.org/deadheat --export-json -`,
  );
}

interface HistoryRequest {
  /** Names; none = all. */
  readonly benchmarks: readonly string[];
  readonly from: string;
  readonly project: string | null;
  readonly method: Method | null;
  /** `null` = what decided each comparison. */
  readonly metric: string | null;
  /** Only comparisons with this commit as A: its hash, how that begins, or its label. */
  readonly against: string | null;
  /** `null` = what the series allows. */
  readonly quantity: SeriesQuantity | null;
  /** Smallest change of level that is shown, as a share. */
  readonly leastChange: number;
  /** Most changes that are printed, and most points of a series. */
  readonly last: number;
  /** Whether the points of every series are printed, also where none is named. */
  readonly all: boolean;
  readonly json: string | null;
  readonly csv: string | null;
  readonly style: StyleChoice;
}

/** `deadheat history`. Returns the exit code. */
async function showHistory(request: HistoryRequest, terminal: Terminal): Promise<ExitCode> {
  const { from, json, csv, last, quantity, leastChange, benchmarks, all } = request;
  checkExports({ json, csv });
  const history = await openHistory(from, { forWriting: false, variables: terminal.env });
  try {
    const points = await readPoints(history, request);
    const document = historyDocument(points, { place: history.place, quantity, leastChange });
    const stream = terminal[json === '-' || csv === '-' ? 'stderr' : 'stdout'];
    const style = resolveTerminalStyle(request.style, { stream, variables: terminal.env });
    const isWhole = all || benchmarks.length > 0 || document.series.length === 1 || document.series.every(isCanary);
    if (!style.quiet) stream.write((isWhole ? renderHistory : renderChanges)(document, { last, style }));
    if (!style.quiet && !isWhole) stream.write(renderCanaries(points, last));
    writeExport(csv, { content: historyCsv(document), terminal });
    writeExport(json, { content: `${JSON.stringify(document, null, 2)}\n`, terminal });
    return exitCodes.done;
  } finally {
    await history.close();
  }
}

interface RawPruneOptions extends RawPlaintextOption {
  /** ns. */
  readonly olderThan?: number;
  readonly from?: string;
  readonly dryRun?: true;
}

/** `deadheat history prune`. Returns the exit code. */
async function pruneHistory(
  { from, olderThan, dryRun }: { readonly from: string; readonly olderThan: number; readonly dryRun: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const before = new Date(Date.now() - olderThan / 1e6).toISOString();
  const history = await openHistory(from, { forWriting: true, variables: terminal.env });
  try {
    const removed = await history.prune(before, { dryRun });
    for (const { id, project, startedAt } of removed) {
      terminal.stdout.write(`${startedAt} ${printable(project)} ${id}\n`);
    }
    const what = dryRun ? 'would be removed' : 'removed';
    terminal.stderr.write(`deadheat: ${countOf(removed.length, 'recording')} ${what} from ${history.place}\n`);
    return exitCodes.done;
  } finally {
    await history.close();
  }
}

/** `deadheat history --recordings`. Returns the exit code. */
async function listRecordings(
  { from, json }: Pick<HistoryRequest, 'from' | 'json'>,
  terminal: Terminal,
): Promise<ExitCode> {
  checkExports({ json });
  const history = await openHistory(from, { forWriting: false, variables: terminal.env });
  try {
    const recordings = await history.list();
    terminal[json === '-' ? 'stderr' : 'stdout'].write(renderRecordings(recordings, history.place));
    const document = { schema: 'deadheat.recordings/1', place: history.place, recordings };
    writeExport(json, { content: `${JSON.stringify(document, null, 2)}\n`, terminal });
    return exitCodes.done;
  } finally {
    await history.close();
  }
}

async function readPoints(history: History, request: HistoryRequest): Promise<readonly HistoryPoint[]> {
  const { benchmarks, project, method, metric, against } = request;
  const series = { ...(project === null ? {} : { project }), ...(method === null ? {} : { method }) };
  const filter = { ...series, ...(metric === null ? {} : { metric }) };
  if (benchmarks.length === 0) {
    const all = await history.series(filter);
    if (all.length === 0 && metric !== null) throw await unknownMetric(metric, history);
    return all.filter(isAgainst(against));
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
  return points.filter(isAgainst(against));
}

function isAgainst(against: string | null): (point: HistoryPoint) => boolean {
  return ({ commits: { A } }) =>
    against === null ||
    (A !== null && (A.label === against || A.id.startsWith(against.toLowerCase()) || A.id === against));
}

async function unknownBenchmark(name: string, history: History): Promise<UsageError> {
  const names = [...new Set((await history.latest()).map(({ benchmark }) => benchmark))];
  const nearest = nearestWord(name, names);
  const some = names.slice(0, 10).join(', ');
  return new UsageError('BAD_VALUE', `${history.place} holds no comparison of ${name} that fits`, {
    hint:
      nearest === null
        ? names.length === 0
          ? 'It holds none at all: deadheat push RECORDING adds them.'
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
  const series = [...pointsBySeries(points)]
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

/** What a history holds, a line a recording; ends in a line break. */
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
