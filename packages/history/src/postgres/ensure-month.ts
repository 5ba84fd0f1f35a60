import type { Client } from 'pg';
import { hasTable } from './has-table.ts';

/** The partition of iterations for a month, and the month that begins then and the next one; in UTC. */
const monthOf = (iso: string): { readonly table: string; readonly from: string; readonly to: string } => {
  const time = new Date(iso);
  const from = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1)).toISOString();
  const to = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)).toISOString();
  return { table: `iterations_${from.slice(0, 7).replace('-', '_')}`, from, to };
};

/**
 * Makes the partition of iterations for the month of a time where it is not there; in a short transaction of its own, since it locks
 * the table for everybody.
 */
export const ensureMonth = async (client: Client, iso: string): Promise<void> => {
  const { table, from, to } = monthOf(iso);
  if (await hasTable(client, table)) return;
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('deadheat.iterations'))");
    if (!(await hasTable(client, table))) {
      await client.query(
        `create table deadheat.${table} partition of deadheat.iterations for values from ('${from}') to ('${to}')`,
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};
