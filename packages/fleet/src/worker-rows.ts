import type { FleetWorker } from '@deadheat/model';
import { machineSchema } from '@deadheat/model';
import type { Client } from 'pg';
import { holdsLock } from './database/worker-lock.ts';

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
