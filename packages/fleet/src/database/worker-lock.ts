import type { Client } from 'pg';

/** First key of the locks that living workers hold; the second is the worker's number. The bytes of "dhwk". */
const lockClass = 1684567915;

/**
 * Seconds after which the server asks a connection that is silent whether it is there, pause and number of further questions: a machine
 * that vanished without a word is given up after 14 s. The kernel of a living machine answers by itself.
 */
const keepalive = { idle: 10, interval: 2, count: 2 };

/**
 * Takes the lock that shows for as long as the connection lives that a worker does: the server frees it when the connection ends, however
 * that happens, so that nobody has to wake up while a program is timed.
 *
 * @returns whether it could be had
 */
export async function takeWorkerLock(client: Client, number: number): Promise<boolean> {
  await client.query(
    `set tcp_keepalives_idle = ${keepalive.idle}; set tcp_keepalives_interval = ${keepalive.interval}; ` +
      `set tcp_keepalives_count = ${keepalive.count}`,
  );
  const { rows } = await client.query<{ readonly taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
    lockClass,
    number,
  ]);
  return rows[0]?.taken === true;
}

/** SQL for whether the worker `w` holds its lock. */
export const holdsLock: string = `exists (select from pg_catalog.pg_locks l where l.locktype = 'advisory' and l.granted
  and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
  and l.classid = ${lockClass} and l.objid = w.number and l.objsubid = 2)`;
