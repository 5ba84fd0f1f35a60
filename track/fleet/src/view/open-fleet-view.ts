import { Link } from '../database/link.ts';
import { checkFleetSchema } from '../database/fleet-schema.ts';
import { readMachines } from '../worker-rows.ts';
import type { FleetExperiment, FleetView } from './fleet-view.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly submitted_at: Date;
  readonly state: FleetExperiment['state'];
  readonly failure: string | null;
  readonly planned_runs: number;
  readonly runs: number;
  readonly in_flight: number;
  readonly hosts: readonly string[];
}

/** Time after which viewers read again, ms: no notifications are sent to them. */
const lookPauseMs = 1000;

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
  const watching = new Set<() => void>();
  const link = await Link.open({
    url,
    variables,
    signal: closing.signal,
    onConnect: (client) => checkFleetSchema(client, url),
  });
  return {
    workers: () => link.use(readMachines),
    experiments: async (limit) => {
      const { rows } = await link.use((client) => client.query<Row>(experimentsSql, [limit]));
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        submittedAt: row.submitted_at.toISOString(),
        state: row.state,
        runs: row.runs,
        plannedRuns: row.planned_runs,
        inFlight: row.in_flight,
        hosts: row.hosts,
        failure: row.failure,
      }));
    },
    watch: async (onChange) => {
      const timer = setInterval(onChange, lookPauseMs);
      timer.unref();

      function end(): void {
        clearInterval(timer);
        watching.delete(end);
      }

      watching.add(end);
      return end;
    },
    close: async () => {
      for (const end of watching) end();
      closing.abort();
      await link.close();
    },
  };
}

const experimentsSql = `
select e.id, e.name, e.submitted_at, e.state, e.failure,
  greatest(e.planned_runs, count(*) filter (where r.state <> 'cancelled' and r.phase <> 'pilot'))::integer as planned_runs,
  (count(*) filter (where r.state in ('done', 'gathered') and r.phase <> 'pilot'))::integer as runs,
  (count(*) filter (where r.state = 'active'))::integer as in_flight,
  coalesce(array_agg(distinct r.worker order by r.worker) filter (where r.state in ('done', 'gathered')), '{}') as hosts
from (select id, name, submitted_at, state, failure, planned_runs from deadheat_fleet.experiment order by submitted_at desc limit $1) e
left join deadheat_fleet.run r on r.experiment = e.id
group by e.id, e.name, e.submitted_at, e.state, e.failure, e.planned_runs
order by e.submitted_at desc`;
