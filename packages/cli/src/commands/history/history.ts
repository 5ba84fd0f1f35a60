import type { SeriesQuantity } from '@deadheat/analysis';
import { openHistory, type History } from '@deadheat/history';
import type { HistoryPoint, Method } from '@deadheat/model';
import { nearestWord, UsageError } from 'deadheat/settings';
import type { StyleChoice } from '../../arguments/invocation.ts';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { historyDocument } from './history-document.ts';
import { renderHistory, renderRecordings } from './render-history.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import { checkExports, writeExport } from '../../experiment/finish.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface HistoryRequest {
  /** Names; none = all. */
  readonly benchmarks: readonly string[];
  readonly from: string;
  readonly project: string | null;
  readonly method: Method | null;
  /** Only comparisons with this commit as A: its hash, how that begins, or its label. */
  readonly against: string | null;
  /** `null` = what the series allows. */
  readonly quantity: SeriesQuantity | null;
  /** Smallest change of level that is shown, as a share. */
  readonly leastChange: number;
  /** Most points of a series that are printed. */
  readonly last: number;
  readonly json: string | null;
  readonly style: StyleChoice;
}

/** `deadheat history`. Returns the exit code. */
export async function showHistory(request: HistoryRequest, terminal: Terminal): Promise<ExitCode> {
  const { from, json, last, quantity, leastChange } = request;
  checkExports({ json });
  const history = await openHistory(from, { forWriting: false, variables: terminal.env });
  try {
    const points = await readPoints(history, request);
    const document = historyDocument(points, { place: history.place, quantity, leastChange });
    const stream = terminal[json === '-' ? 'stderr' : 'stdout'];
    const style = resolveTerminalStyle(request.style, { stream, variables: terminal.env });
    if (!style.quiet) stream.write(renderHistory(document, { last, style }));
    writeExport(json, { content: `${JSON.stringify(document, null, 2)}\n`, terminal });
    return exitCodes.done;
  } finally {
    await history.close();
  }
}

/** `deadheat history --recordings`. Returns the exit code. */
export async function listRecordings(
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
  const { benchmarks, project, method, against } = request;
  const filter = { ...(project === null ? {} : { project }), ...(method === null ? {} : { method }) };
  if (benchmarks.length === 0) return (await history.series(filter)).filter(isAgainst(against));
  const points: HistoryPoint[] = [];
  for (const benchmark of benchmarks) {
    const found = await history.series({ ...filter, benchmark });
    if (found.length === 0) throw await unknownBenchmark(benchmark, history);
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
