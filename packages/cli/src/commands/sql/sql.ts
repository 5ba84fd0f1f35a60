import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openHistory, pointsOfRecording } from '@deadheat/history';
import { recordingFiles, type HistoryPoint } from '@deadheat/model';
import { countOf, printable } from '@deadheat/report';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { UsageError } from 'deadheat/settings';
import { openDuckdb, type Duckdb } from './open-duckdb.ts';
import { alignCells } from '../../terminal/align-cells.ts';
import { checkExports, writeExport } from '../../experiment/finish.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface SqlRequest {
  readonly query: string;
  /** Folder of recordings, or one recording. */
  readonly from: string;
  readonly json: string | null;
}

/** `deadheat sql`. Returns the exit code. */
export async function askSql({ query, from, json }: SqlRequest, terminal: Terminal): Promise<ExitCode> {
  checkExports({ json });
  if (/^postgres(?:ql)?:/i.test(from)) {
    throw new UsageError('CONFLICT', 'deadheat sql reads the files of recordings, and a database answers SQL itself', {
      hint: 'Ask it with psql: the schema deadheat has the tables recording, comparison, trial and the view iteration.',
    });
  }
  const tables = tablesBelow(from);
  const duckdb = await openDuckdb(process.cwd());
  try {
    await defineViews(duckdb, { tables, points: await pointsIn(from, terminal) });
    const result = await ask(duckdb, query);
    const names = result.deduplicatedColumnNames();
    const rows = result.getRowsJson();
    const stream = terminal[json === '-' ? 'stderr' : 'stdout'];
    const cells = rows.map((row) => row.map((value) => (value === null ? '-' : printable(textOf(value)))));
    stream.write(`${alignCells([names.map(printable), ...cells]).join('\n')}\n\n${countOf(rows.length, 'row')}\n`);
    const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    writeExport(json, { content: `${JSON.stringify(objects, null, 2)}\n`, terminal });
    return exitCodes.done;
  } finally {
    duckdb.closeSync();
  }
}

/** Tables of iterations: of one recording, or of all in a folder. */
function tablesBelow(from: string): readonly string[] {
  const own = join(from, recordingFiles.iterations);
  if (existsSync(own)) return [resolve(own)];
  const folders = existsSync(from) ? readdirSync(from, { withFileTypes: true }) : [];
  const tables = folders
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => resolve(from, name, recordingFiles.iterations))
    .filter((path) => existsSync(path));
  if (tables.length > 0) return tables;
  throw new UsageError('BAD_VALUE', `${from} holds no finished recording`, {
    hint: 'Name a folder of recordings, or a recording: deadheat sql QUERY --from .deadheat',
  });
}

/** What the reports say. */
async function pointsIn(from: string, { env }: Terminal): Promise<readonly HistoryPoint[]> {
  if (existsSync(join(from, recordingFiles.experiment))) return pointsOfRecording(from);
  const history = await openHistory(from, { forWriting: false, variables: env });
  try {
    return await history.series({});
  } finally {
    await history.close();
  }
}

async function defineViews(
  duckdb: Duckdb,
  { tables, points }: { readonly tables: readonly string[]; readonly points: readonly HistoryPoint[] },
): Promise<void> {
  const paths = tables.map(quoted).join(', ');
  await duckdb.run(`create view iterations as select * from read_parquet([${paths}], union_by_name = true)`);
  await duckdb.run(
    'create table comparisons (experiment text, started_at timestamptz, project text, benchmark text, params text, method text, ' +
      'metric text, commit_a text, commit_b text, hostname text, estimate double, low double, high double, confidence double, ' +
      'verdict text, margin double, minimal_detectable_slowdown double, runs integer, mean_ns_a double, mean_ns_b double)',
  );
  const rowsAtATime = 500;
  for (let from = 0; from < points.length; from += rowsAtATime) {
    const rows = points.slice(from, from + rowsAtATime).map((point) => `(${literalsOf(point).join(', ')})`);
    await duckdb.run(`insert into comparisons values ${rows.join(', ')}`);
  }
}

const literalsOf = (point: HistoryPoint): readonly string[] => [
  ...[
    point.experiment,
    point.startedAt,
    point.project,
    point.benchmark,
    JSON.stringify(point.params),
    point.method,
  ].map(quoted),
  quoted(point.metric),
  point.commits.A === null ? 'null' : quoted(point.commits.A.id),
  point.commits.B === null ? 'null' : quoted(point.commits.B.id),
  point.hostname === null ? 'null' : quoted(point.hostname),
  ...[point.ratio.estimate, point.ratio.low, point.ratio.high, point.ratio.confidence].map(String),
  quoted(point.verdict),
  ...[point.margin, point.minimalDetectableSlowdown, point.runs, point.meanNs.A, point.meanNs.B].map(String),
];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

async function ask(duckdb: Duckdb, query: string): ReturnType<Duckdb['runAndReadAll']> {
  try {
    return await duckdb.runAndReadAll(query);
  } catch (error) {
    throw new UsageError('BAD_VALUE', `DuckDB: ${error instanceof Error ? error.message : String(error)}`, {
      hint: 'There are iterations (docs/formats/recording.md) and comparisons (docs/history.md).',
    });
  }
}
