import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openHistory, pointsOfRecording } from '@deadheat/history';
import { type HistoryPoint, recordingFiles } from '@deadheat/model';
import { countOf, printable, alignCells } from '@deadheat/report';
import type { Command } from 'commander';
import { parseText, UsageError } from 'deadheat/settings';
import { EnvironmentError } from '../errors/environment-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { checkExports, writeExport } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawSqlOptions {
  readonly from?: string;
  readonly exportJson?: string;
}

/** `deadheat sql`: DuckDB over the files of recordings. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('sql')
    .description(
      'Executes an SQL query over recordings with DuckDB. The package @duckdb/node-api must be installed beside deadheat. There are two tables, iterations and comparisons.',
    )
    .usage("'QUERY' [--from FOLDER] [options]")
    .argument('<query>')
    .action((query: string, raw: RawSqlOptions) => {
      const { from = '.deadheat', exportJson: json = null } = raw;
      choose((terminal) => askSql({ query, from, json }, terminal));
    });
  return command
    .option(
      '--from <FOLDER>',
      'a recording, or a folder of recordings (default: .deadheat)',
      parseText('--from', 'a folder'),
    )
    .option(
      '--export-json <FILE>',
      'write the rows as JSON (- = standard output)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat sql 'select benchmark, side, median(duration_ns) from iterations group by all order by all'
  deadheat sql 'select commit_b, estimate, verdict from comparisons order by started_at' --from /srv/deadheat`,
    );
}

interface SqlRequest {
  readonly query: string;
  /** Folder of recordings, or one recording. */
  readonly from: string;
  readonly json: string | null;
}

/** `deadheat sql`. Returns the exit code. */
async function askSql({ query, from, json }: SqlRequest, terminal: Terminal): Promise<ExitCode> {
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

const packageName = '@duckdb/node-api';

/** What is used of a result of DuckDB. */
interface DuckdbResult {
  deduplicatedColumnNames: () => readonly string[];
  /** Values as JSON has them; a number that JSON cannot hold as text. */
  getRowsJson: () => readonly (readonly unknown[])[];
}

/** What is used of DuckDB. */
interface Duckdb {
  run: (sql: string) => Promise<unknown>;
  runAndReadAll: (sql: string) => Promise<DuckdbResult>;
  closeSync: () => void;
}

interface DuckdbModule {
  readonly DuckDBInstance: { create: () => Promise<{ connect: () => Promise<Duckdb> }> };
}

/**
 * A database of DuckDB in memory. The package is a peer that may be absent; it is looked for beside deadheat and then in the project of
 * the working directory.
 *
 * @throws EnvironmentError where it is absent, or cannot be loaded here
 */
async function openDuckdb(cwd: string): Promise<Duckdb> {
  const { DuckDBInstance } = await load(cwd);
  return (await DuckDBInstance.create()).connect();
}

async function load(cwd: string): Promise<DuckdbModule> {
  try {
    return (await import(find(cwd))) as DuckdbModule;
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    const why = isAbsent
      ? 'is not installed'
      : `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
    throw new EnvironmentError(
      `deadheat sql asks DuckDB, and its package ${packageName} ${why}. It is left to you because of its 70 MB: ` +
        `npm install ${packageName}`,
    );
  }
}

function find(cwd: string): string {
  const places = [import.meta.url, pathToFileURL(join(cwd, 'package.json'))];
  const [first, second] = places.map((place) => createRequire(place));
  try {
    return pathToFileURL(first?.resolve(packageName) ?? '').href;
  } catch {
    return pathToFileURL(second?.resolve(packageName) ?? '').href;
  }
}
