import type { Client } from 'pg';
import { machineSchema } from '@deadheat/model';
import type { FleetWorker } from './view/fleet-view.ts';

/**
 * SQL for whether the worker `w` lives: it has a lease and, unless a pooler hides it, the connection that it enrolled with. The connection
 * shows the end of a process at once, the lease that of one which hangs.
 */
const isAlive = `(l.until > now() and (w.backend is null or w.backend in
  (select pid from pg_catalog.pg_stat_activity where datname = current_database())))`;

/** The requirements of a submitter for a worker. */
export interface KnownWorker extends Pick<FleetWorker, 'id' | 'labels' | 'toolVersion' | 'state'> {
  readonly number: number;
  /** True when it ended in order. */
  readonly left: boolean;
  /** True when it takes no more runs. */
  readonly draining: boolean;
  /** The most runs that it executes at the same time. */
  readonly lanes: number;
}

interface Row {
  readonly id: string;
  readonly number: number;
  readonly labels: Record<string, string>;
  readonly tool_version: string;
  readonly left: boolean;
  readonly draining: boolean;
  readonly lanes: number;
  readonly alive: boolean;
  readonly experiment: string | null;
}

interface ViewRow extends Row {
  readonly machine: unknown;
  readonly seen_at: Date;
}

const facts = `w.id, w.number, w.labels, w.tool_version, w.left_at is not null as left, w.is_draining as draining, w.lanes, ${isAlive} as alive,
  (select r.experiment from deadheat_fleet.run r where r.worker = w.id and r.state = 'active' limit 1) as experiment`;

const workers = 'deadheat_fleet.worker w join deadheat_fleet.lease l on l.name = w.id order by w.id';

/** All workers that ever enrolled, by id; whether they live is asked now. */
export async function readWorkers(client: Client): Promise<readonly KnownWorker[]> {
  const { rows } = await client.query<Row>(`select ${facts} from ${workers}`);
  return rows.map(toKnown);
}

/** As `readWorkers`, with their machines. */
export async function readMachines(client: Client): Promise<readonly FleetWorker[]> {
  const { rows } = await client.query<ViewRow>(`select ${facts}, w.machine, l.renewed_at as seen_at from ${workers}`);
  return rows.map((row) => {
    const { id, labels, toolVersion, state, left, draining } = toKnown(row);
    return {
      id,
      machine: machineSchema.parse(row.machine),
      labels,
      toolVersion,
      state,
      left,
      draining,
      seenAt: row.seen_at.toISOString(),
      experiment: row.alive ? row.experiment : null,
    };
  });
}

function toKnown({
  id,
  number,
  labels,
  tool_version: toolVersion,
  left,
  draining,
  lanes,
  alive,
  experiment,
}: Row): KnownWorker {
  return {
    id,
    number,
    labels,
    toolVersion,
    state: alive ? (experiment === null ? 'idle' : 'busy') : 'gone',
    left,
    draining,
    lanes,
  };
}

/** Checks whether two versions of this tool understand each other's experiments: while the format grows, those of one minor version. */
export function isSameVersion(one: string, other: string): boolean {
  function part(version: string): string {
    return version.split('.').slice(0, 2).join('.');
  }

  return part(one) === part(other);
}
