import { connect, databaseFailure } from '@deadheat/history';
import { checkFleetUrl } from './link.ts';
import { migrateFleet } from './migrate.ts';

/**
 * Makes the three roles of a fleet, of which logins become members, and grants each its rights. It can be executed
 * repeatedly. A worker has no right to write tables of the fleet: it writes through functions that check the token of
 * its attempt.
 */
export const rolesSql = `do $$
declare
  v_role text;
begin
  foreach v_role in array array['deadheat_submitter', 'deadheat_worker', 'deadheat_reader'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin', v_role);
    end if;
  end loop;
end $$;

grant usage on schema deadheat_fleet to deadheat_submitter, deadheat_worker, deadheat_reader;
grant usage on schema deadheat_queue to deadheat_submitter, deadheat_worker;
grant select on deadheat_queue.version to deadheat_submitter, deadheat_worker;
grant select on deadheat_fleet.schema_version to deadheat_submitter, deadheat_worker, deadheat_reader;

-- Who looks on: not what programs recorded, which tokens count, or what is executed.
grant select on deadheat_fleet.worker to deadheat_reader;
grant select (id, name, submitted_at, submitted_by, state, failure, tool_version, planned_runs)
  on deadheat_fleet.experiment to deadheat_reader;
grant select (experiment, benchmark, phase, run, state, attempt, worker, failure, queued_at, started_at, finished_at)
  on deadheat_fleet.run to deadheat_reader;

-- Who has runs made.
grant select on deadheat_fleet.worker, deadheat_fleet.run_result to deadheat_submitter;
grant select, insert, update on deadheat_fleet.experiment, deadheat_fleet.run to deadheat_submitter;
grant select on deadheat_queue.queue to deadheat_submitter;
grant select, insert, update on deadheat_queue.job to deadheat_submitter;

-- Who makes them.
grant select on deadheat_fleet.worker, deadheat_fleet.experiment, deadheat_fleet.run to deadheat_worker;
grant select, update on deadheat_queue.job to deadheat_worker;
grant execute on function
  deadheat_fleet.enroll(text, uuid, json, jsonb, text),
  deadheat_fleet.claim(uuid, text, uuid),
  deadheat_fleet.store(uuid, json, json, boolean, json, bytea, bytea),
  deadheat_fleet.refuse(uuid, text),
  deadheat_fleet.give_back(uuid),
  deadheat_fleet.leave(text, uuid)
  to deadheat_worker;
`;

/**
 * Makes a database a fleet, or brings it to this version; with `roles` also the three roles.
 *
 * @throws FleetError `BAD_URL`, `NEWER_SCHEMA`, `NO_SCHEMA`; HistoryError `NOT_ALLOWED` where the role may not make roles, and as `connect`
 */
export async function initFleet(
  url: string,
  { roles, variables }: { readonly roles: boolean; readonly variables: Readonly<Record<string, string | undefined>> },
): Promise<void> {
  checkFleetUrl(url);
  const client = await connect(url, variables);
  try {
    await migrateFleet(client, { place: url });
    if (roles) await client.query(rolesSql);
  } catch (error) {
    throw databaseFailure(error, url);
  } finally {
    await client.end().catch(() => undefined);
  }
}
