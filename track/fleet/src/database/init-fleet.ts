import { connect, databaseFailure } from '@deadheat/history';
import { createFleetSchema } from './fleet-schema.ts';
import { checkFleetUrl } from './link.ts';

const roleNames = ['deadheat_submitter', 'deadheat_worker', 'deadheat_reader'] as const;

/**
 * Gives the three roles their rights. A worker has no right to any table: it reads and writes
 * through functions that check its session and the token of its attempt, so that it cannot learn those of others.
 */
const grantsSql = `
revoke all on all tables in schema deadheat_fleet from ${roleNames.join(', ')};
revoke all on all functions in schema deadheat_fleet from ${roleNames.join(', ')};
grant usage on schema deadheat_fleet to ${roleNames.join(', ')};
grant select on deadheat_fleet.schema_version to ${roleNames.join(', ')};

-- Readers: no records of programs, no tokens that count, no definitions.
grant select (id, number, machine, labels, tool_version, enrolled_at, left_at, backend, is_draining, lanes)
  on deadheat_fleet.worker to deadheat_submitter, deadheat_reader;
grant select (name, renewed_at, until) on deadheat_fleet.lease to deadheat_submitter, deadheat_reader;
grant select (id, name, submitted_at, submitted_by, state, failure, tool_version, planned_runs, priority)
  on deadheat_fleet.experiment to deadheat_reader;
grant select (experiment, benchmark, phase, run, method, state, attempt, worker, failure, queued_at, started_at, finished_at)
  on deadheat_fleet.run to deadheat_reader;

-- Submitters.
grant select on deadheat_fleet.run_result to deadheat_submitter;
grant select, insert, update on deadheat_fleet.experiment, deadheat_fleet.run to deadheat_submitter;
grant execute on function deadheat_fleet.drain(text, boolean), deadheat_fleet.forget(text) to deadheat_submitter;

-- Workers.
grant execute on function
  deadheat_fleet.enroll(text, uuid, uuid, json, jsonb, text, double precision, boolean, integer),
  deadheat_fleet.renew(text, uuid, double precision, uuid),
  deadheat_fleet.take(text, uuid, double precision, uuid[]),
  deadheat_fleet.describe(uuid),
  deadheat_fleet.running(text[]),
  deadheat_fleet.store(uuid, json, json, boolean, json, bytea, bytea),
  deadheat_fleet.refuse(uuid, text),
  deadheat_fleet.give_back(uuid),
  deadheat_fleet.leave(text, uuid)
  to deadheat_worker;
`;

/** Makes the three roles of a fleet, of which logins become members, and grants each its rights. It can be executed repeatedly. */
export const rolesSql: string = `do $$
declare
  v_role text;
begin
  foreach v_role in array array[${roleNames.map((name) => `'${name}'`).join(', ')}] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin', v_role);
    end if;
  end loop;
end $$;
${grantsSql}`;

/**
 * Makes a database a fleet; with `roles` also the three roles.
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
    await createFleetSchema(client, url);
    if (roles) await client.query(rolesSql);
  } catch (error) {
    throw databaseFailure(error, url);
  } finally {
    await client.end().catch(() => undefined);
  }
}
