import type { Client } from 'pg';
import { machineSchema, type FleetWorker } from '@deadheat/model';

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
const holdsLock: string = `exists (select from pg_catalog.pg_locks l where l.locktype = 'advisory' and l.granted
  and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
  and l.classid = ${lockClass} and l.objid = w.number and l.objsubid = 2)`;

/** A worker as the database knows it. */
export interface KnownWorker extends FleetWorker {
  readonly number: number;
  /** Whether it ended in order. */
  readonly left: boolean;
}

interface Row {
  readonly id: string;
  readonly number: number;
  readonly machine: unknown;
  readonly labels: Record<string, string>;
  readonly tool_version: string;
  readonly seen_at: Date;
  readonly left: boolean;
  readonly alive: boolean;
  readonly experiment: string | null;
}

/** All workers that ever enrolled, by id; whether they live is asked now. */
export async function readWorkers(client: Client): Promise<readonly KnownWorker[]> {
  const { rows } = await client.query<Row>(
    `select w.id, w.number, w.machine, w.labels, w.tool_version, w.seen_at, w.left_at is not null as left, ${holdsLock} as alive,
       (select r.experiment from deadheat_fleet.run r where r.worker = w.id and r.state = 'active' limit 1) as experiment
     from deadheat_fleet.worker w order by w.id`,
  );
  return rows.map(
    ({ id, number, machine, labels, tool_version: toolVersion, seen_at: seenAt, left, alive, experiment }) => ({
      id,
      number,
      machine: machineSchema.parse(machine),
      labels,
      toolVersion,
      state: alive ? (experiment === null ? 'idle' : 'busy') : 'gone',
      seenAt: seenAt.toISOString(),
      left,
      experiment: alive ? experiment : null,
    }),
  );
}

/** Whether two versions of this tool understand each other's experiments: while the format grows, those of one minor version. */
export function isSameVersion(one: string, other: string): boolean {
  function part(version: string): string {
    return version.split('.').slice(0, 2).join('.');
  }

  return part(one) === part(other);
}
