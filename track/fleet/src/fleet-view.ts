import { machineSchema, type Machine } from '@deadheat/model';
import type { Client } from 'pg';
import { checkFleetSchema } from './database/fleet-schema.ts';
import { Link } from './database/link.ts';

/** A machine of a fleet as its worker describes it. */
export interface FleetWorker {
  readonly id: string;
  /** `null` = what it says of its machine cannot be read. */
  readonly machine: Machine | null;
  /** Labels that the worker was started with, such as instance type and region. */
  readonly labels: Readonly<Record<string, string>>;
  readonly toolVersion: string;
  /** `gone`: the worker ended, or its lease ran out. */
  readonly state: 'idle' | 'busy' | 'gone';
  /** True when it ended in order, or its operator forgot it; absent = not known. */
  readonly left?: boolean | undefined;
  /** True when it takes no more runs, because its operator said so. */
  readonly draining?: boolean | undefined;
  /** ISO 8601. */
  readonly seenAt: string;
  /** Id of the experiment of its current run; `null` = none. */
  readonly experiment: string | null;
}

/** An experiment that was submitted to a fleet. */
export interface FleetExperiment {
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly submittedAt: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Number of finished runs. */
  readonly runs: number;
  /** Number of runs that are planned so far; a stop rule may ask for more, and in the end it is the number of those that were made. */
  readonly plannedRuns: number;
  /** Number of runs that workers execute. */
  readonly inFlight: number;
  /** Workers that executed a run. */
  readonly hosts: readonly string[];
  /** Why it failed; `null` else. */
  readonly failure: string | null;
}

/** A read-only view of a fleet, which sends no notifications. Every method throws `HistoryError` or `FleetError`. */
export interface FleetView {
  workers(): Promise<readonly FleetWorker[]>;
  /** The newest first, at most `limit`. */
  experiments(limit: number): Promise<readonly FleetExperiment[]>;
  close(): Promise<void>;
}

/** The facts about a worker by which a submitter chooses. */
export interface KnownWorker extends Required<Omit<FleetWorker, 'machine' | 'seenAt' | 'experiment'>> {
  readonly number: number;
  readonly left: boolean;
  readonly draining: boolean;
  /** The most runs that it executes at the same time. */
  readonly lanes: number;
}

/**
 * Opens a read-only view of a fleet.
 *
 * @throws FleetError `BAD_URL`, `NO_SCHEMA`, `NEWER_SCHEMA`; HistoryError when the database cannot be
 *   reached or refuses
 */
export async function openFleetView(
  url: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<FleetView> {
  const closing = new AbortController();
  const link = await Link.open({
    url,
    variables,
    signal: closing.signal,
    onConnect: (client) => checkFleetSchema(client, url),
  });
  return {
    workers: async () => {
      const { rows } = await link.use((client) =>
        client.query<FleetWorker & { readonly machine: unknown }>(
          workersSql(`machine, ${isoTime('seen_at')} as "seenAt",
          case when alive then experiment end as experiment`),
        ),
      );
      return rows.map((row) => ({ ...row, machine: machineSchema.safeParse(row.machine).data ?? null }));
    },
    experiments: async (limit) => {
      const { rows } = await link.use((client) => client.query<FleetExperiment>(experimentsSql, [limit]));
      return rows;
    },
    close: async () => {
      closing.abort();
      await link.close();
    },
  };
}

/** All workers that ever enrolled, by id; whether they live is asked now. */
export async function readWorkers(client: Client): Promise<readonly KnownWorker[]> {
  return (await client.query<KnownWorker>(workersSql('number, lanes'))).rows;
}

/** A time as `Date.toISOString` writes it; the connection's zone is UTC. */
function isoTime(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * SQL for the workers, by id. A worker lives that has a lease and, unless a pooler hides it, the connection that it enrolled with. The
 * connection shows the end of a process at once, the lease that of one which hangs.
 */
function workersSql(more: string): string {
  return `
select id, labels, tool_version as "toolVersion", left_at is not null as left, is_draining as draining,
  case when not alive then 'gone' when experiment is null then 'idle' else 'busy' end as state, ${more}
from (
  select w.*, l.renewed_at as seen_at, l.until > now() and (w.backend is null or w.backend in
      (select pid from pg_catalog.pg_stat_activity where datname = current_database())) as alive,
    (select r.experiment from deadheat_fleet.run r where r.worker = w.id and r.state = 'active' limit 1) as experiment
  from (select id, number, labels, machine, tool_version, left_at, is_draining, lanes, backend from deadheat_fleet.worker) w
  join deadheat_fleet.lease l on l.name = w.id
) worker
order by id`;
}

const experimentsSql = `
select e.id, e.name, ${isoTime('e.submitted_at')} as "submittedAt", e.state, e.failure,
  greatest(e.planned_runs, count(*) filter (where r.state <> 'cancelled' and r.phase <> 'pilot'))::integer as "plannedRuns",
  (count(*) filter (where r.state in ('done', 'gathered') and r.phase <> 'pilot'))::integer as runs,
  (count(*) filter (where r.state = 'active'))::integer as "inFlight",
  coalesce(array_agg(distinct r.worker order by r.worker) filter (where r.state in ('done', 'gathered')), '{}') as hosts
from (select id, name, submitted_at, state, failure, planned_runs from deadheat_fleet.experiment order by submitted_at desc limit $1) e
left join deadheat_fleet.run r on r.experiment = e.id
group by e.id, e.name, e.submitted_at, e.state, e.failure, e.planned_runs
order by e.submitted_at desc`;
