import type { Client } from 'pg';
import { HistoryError } from '../history-error.ts';
import { hasTable } from './has-table.ts';
import { migrations as own, type Migration } from './migrations.ts';

/** Held while the schema is looked at and changed; the bytes of "deadheat". */
const lock = '7234298766068114804';

/** Version of the schema in a database; 0 = there is none. */
export const schemaVersion = async (client: Client): Promise<number> => {
  if (!(await hasTable(client, 'schema_version'))) return 0;
  const { rows } = await client.query<{ readonly version: number }>(
    'select coalesce(max(version), 0)::integer as version from deadheat.schema_version',
  );
  return rows[0]?.version ?? 0;
};

/**
 * Brings a database to this version of the schema, in one transaction; of several that try, one does it.
 *
 * @throws HistoryError `NEWER_SCHEMA`
 */
export const migrate = async (
  client: Client,
  { place, migrations = own }: { readonly place: string; readonly migrations?: readonly Migration[] },
): Promise<void> => {
  if ((await schemaVersion(client)) === migrations.length) return;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1::bigint)', [lock]);
    const version = await schemaVersion(client);
    refuseNewer(version, { place, migrations });
    if (version === 0) {
      await client.query('create schema if not exists deadheat');
      await client.query(
        'create table deadheat.schema_version (version integer primary key, name text not null, ' +
          'applied_at timestamptz not null default now())',
      );
    }
    for (const [index, { name, sql }] of migrations.entries()) {
      if (index < version) continue;
      await client.query(sql);
      await client.query('insert into deadheat.schema_version (version, name) values ($1, $2)', [index + 1, name]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

/**
 * Refuses a database that is not of this version, for those who only read.
 *
 * @throws HistoryError `NO_SCHEMA`, `OLDER_SCHEMA`, `NEWER_SCHEMA`
 */
export const checkSchema = async (
  client: Client,
  { place, migrations = own }: { readonly place: string; readonly migrations?: readonly Migration[] },
): Promise<void> => {
  const version = await schemaVersion(client);
  refuseNewer(version, { place, migrations });
  if (version === 0) {
    throw new HistoryError(
      'NO_SCHEMA',
      `${place} holds no history. The first push makes one: deadheat push RECORDING --to ${place}`,
    );
  }
  if (version < migrations.length) {
    throw new HistoryError(
      'OLDER_SCHEMA',
      `${place} has version ${version} of the history's schema, and this deadheat reads version ${migrations.length}. A push of ` +
        'this deadheat brings it forward, after which older ones refuse it; nothing was changed.',
    );
  }
};

const refuseNewer = (
  version: number,
  { place, migrations }: { readonly place: string; readonly migrations: readonly Migration[] },
): void => {
  if (version <= migrations.length) return;
  throw new HistoryError(
    'NEWER_SCHEMA',
    `${place} has version ${version} of the history's schema; this deadheat knows up to version ${migrations.length}. Update ` +
      'deadheat; nothing was read or written.',
  );
};
