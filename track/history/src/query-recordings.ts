import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DeadheatError, type HistoryPoint, recordingFiles } from '@deadheat/model';
import { openHistory } from './open-history.ts';
import { isDatabaseUrl } from './place-url.ts';
import { pointsOfRecording } from './recording/read-folder.ts';

/** A query of SQL over the files of recordings. */
export interface SqlRequest {
  readonly query: string;
  /** Folder of recordings, or one recording. */
  readonly from: string;
  /** Working directory, in whose project DuckDB is looked for as well. */
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** What a query found. */
export interface SqlResult {
  /** Of the columns, each once. */
  readonly names: readonly string[];
  /** Values as JSON has them; a number that JSON cannot hold as text. */
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Answers a query over the tables `iterations` and `comparisons` of recordings with DuckDB.
 *
 * @throws DeadheatError `CONFLICT` for a database, `BAD_VALUE` for a folder without a finished recording and for a query that DuckDB
 *   refuses, `ENVIRONMENT_REFUSED` where DuckDB is not installed
 */
export async function queryRecordings({ query, from, cwd, variables }: SqlRequest): Promise<SqlResult> {
  if (isDatabaseUrl(from)) {
    throw new DeadheatError(
      'CONFLICT',
      'deadheat sql reads the files of recordings, and a database answers SQL itself',
      {
        hint: 'Ask it with psql: the schema deadheat has the tables recording, comparison, trial and the view iteration.',
      },
    );
  }
  const tables = tablesBelow(from);
  const duckdb = await openDuckdb(cwd);
  try {
    await defineViews(duckdb, { tables, points: await pointsIn(from, variables) });
    const result = await ask(duckdb, query);
    return { names: result.deduplicatedColumnNames(), rows: result.getRowsJson() };
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
  throw new DeadheatError('BAD_VALUE', `${from} holds no finished recording`, {
    hint: 'Name a folder of recordings, or a recording: deadheat sql QUERY --from .deadheat',
  });
}

/** What the reports say. */
async function pointsIn(from: string, variables: SqlRequest['variables']): Promise<readonly HistoryPoint[]> {
  if (existsSync(join(from, recordingFiles.experiment))) return pointsOfRecording(from);
  const history = await openHistory(from, { forWriting: false, variables });
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

function literalsOf(point: HistoryPoint): readonly string[] {
  return [
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
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

async function ask(duckdb: Duckdb, query: string): ReturnType<Duckdb['runAndReadAll']> {
  try {
    return await duckdb.runAndReadAll(query);
  } catch (error) {
    throw new DeadheatError('BAD_VALUE', `DuckDB: ${error instanceof Error ? error.message : String(error)}`, {
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
 * @throws DeadheatError `ENVIRONMENT_REFUSED` where it is absent, or cannot be loaded here
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
    throw new DeadheatError(
      'ENVIRONMENT_REFUSED',
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
