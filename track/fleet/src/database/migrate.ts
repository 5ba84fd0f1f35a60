import {
  databaseFailure,
  HistoryError,
  inTransaction,
  makeSteps,
  schemaVersion,
  type Migration,
} from '@deadheat/history';
import type { Client } from 'pg';
import { FleetError } from '../fleet-error.ts';
import { migrations as own } from './migrations.ts';
import { renewGrants } from './roles.ts';

/** Key of the lock that is held while the schema is read and changed; the bytes of "dh-fleet". */
const lock = '7235082719299200372';

interface Place {
  readonly place: string;
  readonly migrations?: readonly Migration[];
}

const schema = 'deadheat_fleet';

/**
 * Brings a database to this version of the fleet's schema. When several processes try, one of them does it. A database
 * of this version is not changed.
 *
 * @throws FleetError `NEWER_SCHEMA`; `NO_SCHEMA` or `OLDER_SCHEMA` where the role may not change it
 */
export async function migrateFleet(client: Client, { place, migrations = own }: Place): Promise<void> {
  const before = await schemaVersion(client, schema);
  refuseNewer(before, { place, migrations });
  if (before === migrations.length) return;
  try {
    await inTransaction(client, async () => {
      await client.query('select pg_advisory_xact_lock($1::bigint)', [lock]);
      const version = await schemaVersion(client, schema);
      refuseNewer(version, { place, migrations });
      await makeSteps(client, schema, { version, migrations });
      if (version > 0) await renewGrants(client);
    });
  } catch (error) {
    throw withoutRight(databaseFailure(error, place), { place, before, wanted: migrations.length });
  }
}

function withoutRight(
  error: unknown,
  { place, before, wanted }: { readonly place: string; readonly before: number; readonly wanted: number },
): unknown {
  if (!(error instanceof HistoryError) || error.code !== 'NOT_ALLOWED') return error;
  const advice = `Have its owner run: deadheat fleet init ${place}`;
  return before === 0
    ? new FleetError('NO_SCHEMA', `${place} holds no fleet, and this role may not make one. ${advice}`, {
        cause: error,
      })
    : new FleetError(
        'OLDER_SCHEMA',
        `${place} has version ${before} of the fleet's schema, and this deadheat needs version ${wanted}, which this role may not ` +
          `make. Nothing was changed. ${advice}`,
        { cause: error },
      );
}

/**
 * Refuses a database that is not of this version; for callers that only read.
 *
 * @throws FleetError `NO_SCHEMA`, `OLDER_SCHEMA`, `NEWER_SCHEMA`
 */
export async function checkFleetSchema(client: Client, { place, migrations = own }: Place): Promise<void> {
  const version = await schemaVersion(client, schema);
  refuseNewer(version, { place, migrations });
  if (version === migrations.length) return;
  throw version === 0
    ? new FleetError('NO_SCHEMA', `${place} holds no fleet. Its owner makes one: deadheat fleet init ${place}`)
    : new FleetError(
        'OLDER_SCHEMA',
        `${place} has version ${version} of the fleet's schema, and this deadheat reads version ${migrations.length}; nothing was ` +
          `changed. Its owner brings it forward: deadheat fleet init ${place}`,
      );
}

function refuseNewer(version: number, { place, migrations = own }: Place): void {
  if (version <= migrations.length) return;
  throw new FleetError(
    'NEWER_SCHEMA',
    `${place} has version ${version} of the fleet's schema; this deadheat knows up to version ${migrations.length}. Update ` +
      'deadheat here; nothing was read or written.',
  );
}
