import type { Client } from 'pg';
import { HistoryError } from '../history-error.ts';
import { inTransaction, migrations as own, makeSteps, schemaVersion, type Migration } from './migrations.ts';

/** Key of the lock that is held while the schema is read and changed; the bytes of "deadheat". */
const lock = '7234298766068114804';

const schema = 'deadheat';

/**
 * Brings a database to this version of the schema, in one transaction. When several processes try, one of them does it.
 *
 * @throws HistoryError `NEWER_SCHEMA`
 */
export async function migrate(
  client: Client,
  { place, migrations = own }: { readonly place: string; readonly migrations?: readonly Migration[] },
): Promise<void> {
  if ((await schemaVersion(client, schema)) === migrations.length) return;
  await inTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock($1::bigint)', [lock]);
    const version = await schemaVersion(client, schema);
    refuseNewer(version, { place, migrations });
    await makeSteps(client, schema, { version, migrations });
  });
}

/**
 * Refuses a database that is not of this version; for callers that only read.
 *
 * @throws HistoryError `NO_SCHEMA`, `OLDER_SCHEMA`, `NEWER_SCHEMA`
 */
export async function checkSchema(
  client: Client,
  { place, migrations = own }: { readonly place: string; readonly migrations?: readonly Migration[] },
): Promise<void> {
  const version = await schemaVersion(client, schema);
  refuseNewer(version, { place, migrations });
  if (version === 0) {
    throw new HistoryError(
      'NO_SCHEMA',
      `${place} holds no history. The first push makes one: deadheat history push RECORDING --to ${place}`,
    );
  }
  if (version < migrations.length) {
    throw new HistoryError(
      'OLDER_SCHEMA',
      `${place} has version ${version} of the history's schema, and this deadheat reads version ${migrations.length}. A push of ` +
        'this deadheat brings it forward, after which older ones refuse it; nothing was changed.',
    );
  }
}

function refuseNewer(
  version: number,
  { place, migrations }: { readonly place: string; readonly migrations: readonly Migration[] },
): void {
  if (version <= migrations.length) return;
  throw new HistoryError(
    'NEWER_SCHEMA',
    `${place} has version ${version} of the history's schema; this deadheat knows up to version ${migrations.length}. Update ` +
      'deadheat; nothing was read or written.',
  );
}
