import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EnvironmentError } from '../../errors/environment-error.ts';

const packageName = '@duckdb/node-api';

/** What is used of a result of DuckDB. */
interface DuckdbResult {
  deduplicatedColumnNames: () => readonly string[];
  /** Values as JSON has them; a number that JSON cannot hold as text. */
  getRowsJson: () => readonly (readonly unknown[])[];
}

/** What is used of DuckDB. */
export interface Duckdb {
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
export async function openDuckdb(cwd: string): Promise<Duckdb> {
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
