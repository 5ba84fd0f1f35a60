import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startPostgres, whyNoPostgres, type PostgresServer } from '../../../bench/lib/postgres.js';
import type { HistoryError } from '../src/index.ts';

export { madeUpRecording } from '../../../bench/lib/made-up-recording.js';

/** Why tests of the database are skipped; `null` = they are not. */
export const noPostgres: string | null = whyNoPostgres();
if (noPostgres !== null) console.warn(`tests of PostgreSQL are skipped: ${noPostgres}`);

/** A folder that is removed after each test. */
export function useFolder(): { readonly path: (...names: readonly string[]) => string } {
  let folder: string | null = null;
  afterEach(() => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    folder = null;
  });
  return {
    path: (...names) => {
      folder ??= mkdtempSync(join(tmpdir(), 'deadheat-history-'));
      return join(folder, ...names);
    },
  };
}

/** A server for all tests of a `describe`. */
export function useServer(): { readonly get: () => PostgresServer; readonly newDatabase: () => string } {
  let server: PostgresServer | null = null;
  let databases = 0;
  beforeAll(() => {
    server = startPostgres();
  });
  afterAll(() => {
    server?.stop();
  });

  function get(): PostgresServer {
    if (server === null) throw new TypeError('the server has not been started');
    return server;
  }

  return {
    get,
    newDatabase: () => {
      databases += 1;
      get().sql(`create database test_${databases}`);
      return `test_${databases}`;
    },
  };
}

/** The error that something fails with. */
export async function failureOf(work: () => Promise<unknown>): Promise<HistoryError> {
  try {
    await work();
  } catch (error) {
    return error as HistoryError;
  }
  throw new TypeError('nothing failed');
}
