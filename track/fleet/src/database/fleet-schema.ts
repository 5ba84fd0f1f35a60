import { createSchema, databaseFailure, hasSchema, HistoryError, leaseSql } from '@deadheat/history';
import { methodSchema, runPhaseSchema } from '@deadheat/model';
import type { Client } from 'pg';
import { FleetError } from '../fleet-error.ts';

/** Most bytes of what one side recorded in a run, packed and not. */
export const recordLimits = { packed: 32 << 20, unpacked: 128 << 20 };

/** Where attempts are no longer counted. */
export const mostAttempts = 1_000_000;

/** Ids are names of folders, too; that of an experiment ends the name of a channel, which has at most 63 letters. */
function idOf(column: string, mostLetters: number): string {
  return `check (${column} ~ '^[A-Za-z0-9_-]{1,${mostLetters}}$')`;
}

function oneOf(words: readonly string[]): string {
  return `in (${words.map((word) => `'${word}'`).join(', ')})`;
}

function jsonOf(column: string, kind: 'object' | 'array', mostBytes: number): string {
  return `check (json_typeof(${column}::json) = '${kind}' and octet_length(${column}::text) <= ${mostBytes})`;
}

/**
 * The schema of a fleet. Every column has the values alone that some deadheat may write, whoever the login is. Submitters and workers write through functions alone, which run as the schema's
 * owner: those of workers check the token of the attempt, so that one that was given up cannot write, and those of submitters choose neither
 * tokens nor who brought a result.
 */
export const fleetSchema = {
  name: 'deadheat_fleet',
  title: "the fleet's schema",
  lock: '7235082719299200372',
  newer: (message: string) => new FleetError('NEWER_SCHEMA', message),
  sql: `
${leaseSql('deadheat_fleet')}
create table deadheat_fleet.worker (
  id text primary key ${idOf('id', 60)},
  number integer generated always as identity unique,
  machine json not null ${jsonOf('machine', 'object', 1 << 20)},
  labels jsonb not null ${jsonOf('labels', 'object', 1 << 16)}
    check (not jsonb_path_exists(labels, '$.* ? (@.type() != "string")')),
  tool_version text not null check (tool_version ~ '^[0-9A-Za-z.+-]{1,60}$'),
  enrolled_at timestamptz not null default now(),
  left_at timestamptz,
  secret bytea,
  backend integer,
  is_draining boolean not null default false,
  lanes integer not null default 1 check (lanes between 1 and 65536)
);
comment on column deadheat_fleet.worker.secret is 'SHA-256 of a value that only this worker knows; null = the worker was forgotten.';
comment on table deadheat_fleet.lease is 'A lease for each worker, held by its session; a worker counts as gone once it is over.';
comment on column deadheat_fleet.worker.backend is
  'Server process of its connection, whose end shows that of the worker early; null = behind a pooler, which hides it.';
comment on column deadheat_fleet.worker.lanes is 'The most runs that it executes at the same time.';
create table deadheat_fleet.experiment (
  id text primary key ${idOf('id', 40)},
  name text not null check (octet_length(name) <= 65536),
  submitted_at timestamptz not null default now(),
  submitted_by text not null default session_user,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  failure text check (octet_length(failure) <= 65536),
  tool_version text not null check (tool_version ~ '^[0-9A-Za-z.+-]{1,60}$'),
  definition json not null ${jsonOf('definition', 'object', 64 << 20)},
  code json not null ${jsonOf('code', 'object', 1 << 20)},
  planned_runs integer not null default 0 check (planned_runs >= 0),
  priority integer not null default 0,
  wish jsonb ${jsonOf('wish', 'object', 1 << 20)}
);
comment on column deadheat_fleet.experiment.wish is
  'The workers that may take over the runs of those that are lost; null = the submitter gives them to others.';
create index experiment_by_time on deadheat_fleet.experiment (submitted_at desc);
create table deadheat_fleet.run (
  experiment text not null references deadheat_fleet.experiment (id) on delete cascade,
  benchmark integer not null check (benchmark >= 0),
  phase text not null check (phase ${oneOf(runPhaseSchema.options)}),
  run integer not null check (run >= 0),
  state text not null check (state in ('queued', 'active', 'lost', 'done', 'gathered', 'refused', 'cancelled')),
  attempt integer not null default 1 check (attempt between 1 and ${mostAttempts}),
  token uuid not null unique,
  worker text not null references deadheat_fleet.worker (id),
  session uuid,
  failure text check (octet_length(failure) <= 65536),
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  method text check (method ${oneOf(methodSchema.options)}),
  notifies_submitter boolean not null default true,
  primary key (experiment, benchmark, phase, run)
);
comment on table deadheat_fleet.run is 'The attempt that counts of every run; the worker that holds its token may store the result.';
comment on column deadheat_fleet.run.method is 'The method of its measurement; null = a pilot run, which chooses the method of those that follow.';
comment on column deadheat_fleet.run.notifies_submitter is 'True = the submitter is notified when the result is stored; false = it asks.';
create index run_under_way on deadheat_fleet.run (experiment) where state <> 'gathered';
create index run_without_end on deadheat_fleet.run (worker, queued_at) where state in ('queued', 'active');
create table deadheat_fleet.run_result (
  experiment text not null,
  benchmark integer not null,
  phase text not null,
  run integer not null,
  token uuid not null unique,
  worker text not null,
  host json not null ${jsonOf('host', 'object', 1 << 20)},
  trial json not null ${jsonOf('trial', 'object', 64 << 20)},
  is_cut boolean not null,
  warnings json not null ${jsonOf('warnings', 'array', 1 << 20)},
  record_a bytea check (octet_length(record_a) <= ${recordLimits.packed}),
  record_b bytea check (octet_length(record_b) <= ${recordLimits.packed}),
  stored_at timestamptz not null default now(),
  primary key (experiment, benchmark, phase, run),
  foreign key (experiment, benchmark, phase, run) references deadheat_fleet.run on delete cascade
);
alter table deadheat_fleet.run_result alter column record_a set storage external, alter column record_b set storage external;
comment on column deadheat_fleet.run_result.worker is 'Who held the run, whatever the result says of its host.';
comment on column deadheat_fleet.run_result.record_a is 'Records that side A wrote itself, gzip.';

-- Submitters are notified of runs that are lost, refused, taken over or, unless they ask, stored. Viewers of the fleet ask, because a
-- notification wakes every connection that listens.
create function deadheat_fleet.notify_submitter() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('deadheat_experiment_' || new.experiment, '');
  return null;
end $$;
create trigger run_changed after update on deadheat_fleet.run for each row
when (new.state in ('lost', 'refused') or (new.state = 'done' and new.notifies_submitter)
  or (new.state = 'active' and new.worker <> old.worker))
execute function deadheat_fleet.notify_submitter();

-- Makes a worker known, or its new connection. Gives its number; 0 = another process has its lease, -1 = the secret is another.
-- Runs that an earlier process of it had in hand are lost.
create function deadheat_fleet.enroll(p_id text, p_secret uuid, p_session uuid, p_machine json, p_labels jsonb, p_version text,
  p_lease_ms double precision, p_is_direct boolean, p_lanes integer default 1)
returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_worker deadheat_fleet.worker;
  v_secret bytea := sha256(convert_to(p_secret::text, 'UTF8'));
begin
  insert into deadheat_fleet.worker (id, machine, labels, tool_version)
  values (p_id, p_machine, p_labels, p_version) on conflict (id) do nothing;
  select * into v_worker from deadheat_fleet.worker where id = p_id for update;
  if v_worker.secret is distinct from v_secret and v_worker.secret is not null then return -1; end if;
  -- The end of its connection shows that of an earlier process before its lease does.
  if v_worker.backend not in (select pid from pg_stat_activity where datname = current_database()) then
    update deadheat_fleet.lease set until = now() where name = p_id;
  end if;
  if not deadheat_fleet.hold_lease(p_id, p_session::text, p_lease_ms) then return 0; end if;
  update deadheat_fleet.worker set secret = v_secret, machine = p_machine, labels = p_labels,
    tool_version = p_version, enrolled_at = now(), left_at = null, lanes = p_lanes,
    backend = case when p_is_direct then pg_backend_pid() end
  where id = p_id;
  update deadheat_fleet.run set state = 'lost', session = null
  where worker = p_id and state = 'active' and session is distinct from p_session;
  return v_worker.number;
end $$;

-- Renews the lease of a worker; false where another process has become this worker, or the attempt does not count any more.
create function deadheat_fleet.renew(p_id text, p_session uuid, p_lease_ms double precision, p_token uuid)
returns boolean language sql security definer set search_path = pg_catalog, pg_temp as $$
  select case when deadheat_fleet.keep_lease(p_id, p_session::text, p_lease_ms)
    then p_token is null or exists (select from deadheat_fleet.run where token = p_token and worker = p_id and state in ('active', 'lost'))
    else false end
$$;

-- A run of a worker that is gone, drained or gave it back, which this worker may take over: of an experiment that says who may,
-- while that worker takes part in it or none lives that does.
create function deadheat_fleet.orphan(p_id text, p_labels jsonb, p_version text)
returns setof deadheat_fleet.run language sql security definer set search_path = pg_catalog, pg_temp as $$
  select r.* from deadheat_fleet.experiment e
    join deadheat_fleet.run r on r.experiment = e.id and r.state in ('queued', 'active', 'lost')
    join deadheat_fleet.worker h on h.id = r.worker
    left join deadheat_fleet.lease hl on hl.name = h.id
  where e.state = 'running' and e.wish is not null
    and (r.state = 'lost' or coalesce(hl.until, '-infinity') < now() - interval '3 seconds' or (r.state = 'queued' and h.is_draining))
    and split_part(e.tool_version, '.', 1) = split_part(p_version, '.', 1)
    and split_part(e.tool_version, '.', 2) = split_part(p_version, '.', 2)
    and p_labels @> (e.wish -> 'labels') and not (e.wish -> 'excluded') ? p_id
    and (e.wish -> 'pinned' = '[]' or (e.wish -> 'pinned') ? p_id)
    and (exists (select from deadheat_fleet.run o where o.experiment = e.id and o.worker = p_id)
      or not exists (select from deadheat_fleet.run o join deadheat_fleet.worker l on l.id = o.worker
        join deadheat_fleet.lease ll on ll.name = l.id where o.experiment = e.id and ll.until > now() and not l.is_draining))
  order by e.priority desc, r.queued_at
  limit 1 for update of r skip locked
$$;

-- Renews the lease of a worker, and takes its next run in hand, of several the one that it had already or that was lost elsewhere, but
-- none of those that it holds. Where it has none, one that it may take over from another, as a new attempt.
-- No row: there is none. is_worker is false where another process has become this worker.
create function deadheat_fleet.take(p_id text, p_session uuid, p_lease_ms double precision, p_held uuid[] default '{}')
returns table (is_worker boolean, token uuid, experiment text, benchmark integer, phase text, run integer, method text, attempt integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_worker deadheat_fleet.worker;
  v_run deadheat_fleet.run;
begin
  if not deadheat_fleet.keep_lease(p_id, p_session::text, p_lease_ms) then
    return query select false, null::uuid, null::text, null::integer, null::text, null::integer, null::text, null::integer;
    return;
  end if;
  select * into v_worker from deadheat_fleet.worker w where w.id = p_id;
  select r.* into v_run from deadheat_fleet.run r join deadheat_fleet.experiment e on e.id = r.experiment
  where r.worker = p_id and e.state = 'running'
    and ((r.state = 'queued' and not v_worker.is_draining)
      or (r.state = 'active' and r.session = p_session and r.token <> all(p_held)))
  order by r.state = 'active' desc, e.priority desc, r.attempt > 1 desc, r.queued_at
  limit 1 for update of r skip locked;
  if found then
    update deadheat_fleet.run r set state = 'active', session = p_session, started_at = coalesce(r.started_at, now())
    where r.token = v_run.token;
  elsif v_worker.is_draining then
    return;
  else
    select * into v_run from deadheat_fleet.orphan(p_id, v_worker.labels, v_worker.tool_version);
    if not found then return; end if;
    update deadheat_fleet.run r set state = 'active', worker = p_id, session = p_session, token = gen_random_uuid(),
      attempt = least(r.attempt + 1, ${mostAttempts}), started_at = now()
    where r.token = v_run.token returning * into v_run;
  end if;
  return query select true, v_run.token, v_run.experiment, v_run.benchmark, v_run.phase, v_run.run, v_run.method, v_run.attempt;
end $$;

-- Checks whether a process is the one that is this worker: the token of a run is no secret, its session is.
create function deadheat_fleet.is_worker(p_id text, p_session uuid) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from deadheat_fleet.lease where name = p_id and holder = p_session::text)
$$;

-- The definition of the experiment of the run with this token, which this worker has in hand.
create function deadheat_fleet.describe(p_id text, p_session uuid, p_token uuid)
returns table (name text, "toolVersion" text, definition json, code json)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select e.name, e.tool_version, e.definition, e.code
  from deadheat_fleet.run r join deadheat_fleet.experiment e on e.id = r.experiment
  where r.token = p_token and r.worker = p_id and r.session = p_session and r.state = 'active'
    and deadheat_fleet.is_worker(p_id, p_session)
$$;

-- The experiments with these ids that are running.
create function deadheat_fleet.running(p_ids text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select id from deadheat_fleet.experiment where id = any(p_ids) and state = 'running'
$$;

-- Stores the result of the attempt that counts, of the worker that it was given to; true also where it was stored before. What an
-- attempt before it brought was refused by the submitter.
create function deadheat_fleet.store(p_id text, p_session uuid, p_token uuid, p_host json, p_trial json, p_is_cut boolean, p_warnings json,
  p_record_a bytea, p_record_b bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_run deadheat_fleet.run;
begin
  if not deadheat_fleet.is_worker(p_id, p_session) then return false; end if;
  update deadheat_fleet.run set state = 'done', finished_at = now()
  where token = p_token and worker = p_id and state in ('active', 'lost') returning * into v_run;
  if not found then
    return exists (select from deadheat_fleet.run_result where token = p_token and worker = p_id);
  end if;
  insert into deadheat_fleet.run_result
    (experiment, benchmark, phase, run, token, worker, host, trial, is_cut, warnings, record_a, record_b)
  values (v_run.experiment, v_run.benchmark, v_run.phase, v_run.run, p_token, v_run.worker, p_host, p_trial, p_is_cut,
    p_warnings, p_record_a, p_record_b)
  on conflict (experiment, benchmark, phase, run) do update set token = excluded.token, worker = excluded.worker,
    host = excluded.host, trial = excluded.trial, is_cut = excluded.is_cut, warnings = excluded.warnings,
    record_a = excluded.record_a, record_b = excluded.record_b, stored_at = now();
  return true;
end $$;

-- Records the reason why a worker cannot execute a run, which no other worker executes then.
create function deadheat_fleet.refuse(p_id text, p_session uuid, p_token uuid, p_failure text)
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update deadheat_fleet.run set state = 'refused', failure = p_id || ': ' || left(p_failure, 4000), finished_at = now()
  where token = p_token and worker = p_id and state = 'active' and deadheat_fleet.is_worker(p_id, p_session)
$$;

-- Gives a run back that was not finished.
create function deadheat_fleet.give_back(p_id text, p_session uuid, p_token uuid)
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update deadheat_fleet.run set state = 'lost', session = null
  where token = p_token and worker = p_id and state = 'active' and deadheat_fleet.is_worker(p_id, p_session)
$$;

create function deadheat_fleet.leave(p_id text, p_session uuid)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update deadheat_fleet.lease set renewed_at = now(), until = '-infinity' where name = p_id and holder = p_session::text;
  if found then update deadheat_fleet.worker set left_at = now() where id = p_id; end if;
end $$;

-- Lets a worker take no more runs, or take runs again; false = there is no such worker.
create function deadheat_fleet.drain(p_id text, p_is_draining boolean)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_number integer;
begin
  update deadheat_fleet.worker set is_draining = p_is_draining where id = p_id returning number into v_number;
  if not found then return false; end if;
  perform pg_notify('deadheat_worker_' || v_number, 'job');
  return true;
end $$;

-- Ends the lease of a worker, and its right to this id where nothing is known of it but its name.
create function deadheat_fleet.forget(p_id text)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update deadheat_fleet.worker set secret = null, left_at = now(), is_draining = false where id = p_id;
  if not found then return false; end if;
  update deadheat_fleet.lease set holder = '', until = '-infinity' where name = p_id;
  delete from deadheat_fleet.worker w where w.id = p_id
    and not exists (select from deadheat_fleet.run r where r.worker = p_id);
  delete from deadheat_fleet.lease where name = p_id and not exists (select from deadheat_fleet.worker where id = p_id);
  return true;
end $$;

-- Puts an experiment into the fleet, once.
create function deadheat_fleet.submit(p_id text, p_name text, p_version text, p_definition json, p_code json, p_planned_runs integer,
  p_priority integer, p_wish jsonb)
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into deadheat_fleet.experiment (id, name, tool_version, definition, code, planned_runs, priority, wish)
  values (p_id, p_name, p_version, p_definition, p_code, p_planned_runs, p_priority, p_wish) on conflict (id) do nothing
$$;

-- Goes on with an experiment that was cancelled. Gives the state that it has then; null = there is none.
create function deadheat_fleet.reopen(p_id text)
returns text language sql security definer set search_path = pg_catalog, pg_temp as $$
  update deadheat_fleet.experiment set state = 'running' where id = p_id and state = 'cancelled';
  select state from deadheat_fleet.experiment where id = p_id
$$;

-- Inserts the runs of a JSON array, in its order, with tokens that nobody chooses. One that has an attempt to replace replaces that one,
-- unless its result has arrived in the meantime; else one that was cancelled.
create function deadheat_fleet.dispatch(p_experiment text, p_runs json, p_notifies boolean)
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  with given as (
    -- A run that is asked for twice is asked for once.
    select distinct on (1, 2, 3) (value->>'benchmark')::integer as benchmark, value->>'phase' as phase, (value->>'run')::integer as run,
      value->>'method' as method, value->>'worker' as worker, (value->>'instead')::uuid as instead,
      now() + place * interval '1 microsecond' as queued_at
    from json_array_elements(p_runs) with ordinality as element (value, place) order by 1, 2, 3, place
  ), again as (
    update deadheat_fleet.run r set state = 'queued', token = gen_random_uuid(), worker = g.worker, session = null,
      attempt = least(r.attempt + 1, ${mostAttempts}), queued_at = g.queued_at, started_at = null, notifies_submitter = p_notifies
    from given g
    where r.experiment = p_experiment and r.benchmark = g.benchmark and r.phase = g.phase and r.run = g.run and r.token = g.instead
      and r.state in ('queued', 'active', 'lost')
  )
  insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker, method, queued_at, notifies_submitter)
  select p_experiment, benchmark, phase, run, 'queued', gen_random_uuid(), worker, method, queued_at, p_notifies
  from given where instead is null
  on conflict (experiment, benchmark, phase, run) do update
  set state = 'queued', token = excluded.token, worker = excluded.worker, method = excluded.method, session = null,
    attempt = least(run.attempt + 1, ${mostAttempts}), queued_at = excluded.queued_at, started_at = null,
    notifies_submitter = excluded.notifies_submitter
  where run.state = 'cancelled'
$$;

-- Has a run whose result cannot be used made again, by others than its worker, which gets no more runs that others lose.
create function deadheat_fleet.reject(p_experiment text, p_token uuid)
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  with rejected as (
    update deadheat_fleet.run set state = 'lost', session = null
    where experiment = p_experiment and token = p_token and state = 'done' returning worker
  )
  update deadheat_fleet.experiment set wish = jsonb_set(wish, '{excluded}', (wish -> 'excluded') || to_jsonb(rejected.worker))
  from rejected where id = p_experiment and wish is not null
$$;

-- Marks results as stored on the submitter's disk.
create function deadheat_fleet.gather(p_experiment text, p_tokens uuid[])
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update deadheat_fleet.run set state = 'gathered' where experiment = p_experiment and token = any(p_tokens) and state = 'done'
$$;

-- Cancels the attempts with these tokens; null = all without a result. Those that are being executed are ended.
create function deadheat_fleet.cancel_runs(p_experiment text, p_tokens uuid[])
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  with cancelled as (
    update deadheat_fleet.run r set state = 'cancelled', finished_at = now() from deadheat_fleet.worker w
    where w.id = r.worker and r.experiment = p_experiment and r.state in ('queued', 'active', 'lost')
      and (p_tokens is null or r.token = any(p_tokens))
    returning r.token, r.session, w.number
  )
  select pg_notify('deadheat_worker_' || number, 'cancel ' || token) from cancelled where session is not null
$$;

-- Ends a running experiment and cancels its runs; false = it had ended already.
create function deadheat_fleet.finish(p_id text, p_state text, p_failure text)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_was_running boolean;
begin
  update deadheat_fleet.experiment set state = p_state, failure = p_failure,
    planned_runs = case when p_state <> 'done' then planned_runs else (select count(*) from deadheat_fleet.run
      where experiment = p_id and state in ('done', 'gathered') and phase <> 'pilot') end
  where id = p_id and state = 'running';
  v_was_running := found;
  perform deadheat_fleet.cancel_runs(p_id, null);
  perform pg_notify('deadheat_experiment_' || id, '') from deadheat_fleet.experiment where id = p_id;
  return v_was_running;
end $$;

revoke all on all functions in schema deadheat_fleet from public;
`,
};

/**
 * Creates the schema of a fleet where a database has none.
 *
 * @throws FleetError `NEWER_SCHEMA`; `NO_SCHEMA` where the role may not create it
 */
export async function createFleetSchema(client: Client, place: string): Promise<void> {
  try {
    await createSchema(client, { schema: fleetSchema, place });
  } catch (error) {
    const failure = databaseFailure(error, place);
    if (!(failure instanceof HistoryError) || failure.code !== 'NOT_ALLOWED') throw failure;
    throw new FleetError(
      'NO_SCHEMA',
      `${place} holds no fleet, and this role may not make one. Have its owner run: deadheat fleet init ${place}`,
      { cause: failure },
    );
  }
}

/**
 * Refuses a database without the schema of a fleet; for callers that only read.
 *
 * @throws FleetError `NO_SCHEMA`, `NEWER_SCHEMA`
 */
export async function checkFleetSchema(client: Client, place: string): Promise<void> {
  if (await hasSchema(client, { schema: fleetSchema, place })) return;
  throw new FleetError('NO_SCHEMA', `${place} holds no fleet. Its owner makes one: deadheat fleet init ${place}`);
}

const roleNames = ['deadheat_submitter', 'deadheat_worker', 'deadheat_reader'] as const;

/**
 * Gives the three roles their rights. Nobody may write to a table. A worker has no right to any: it reads and writes
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

-- A function without its arguments is the only one of its name.
grant select on deadheat_fleet.experiment, deadheat_fleet.run, deadheat_fleet.run_result to deadheat_submitter;
grant execute on function deadheat_fleet.submit, deadheat_fleet.reopen, deadheat_fleet.dispatch, deadheat_fleet.reject,
  deadheat_fleet.gather, deadheat_fleet.cancel_runs, deadheat_fleet.finish, deadheat_fleet.drain, deadheat_fleet.forget
  to deadheat_submitter;
grant execute on function deadheat_fleet.enroll, deadheat_fleet.renew, deadheat_fleet.take, deadheat_fleet.describe,
  deadheat_fleet.running, deadheat_fleet.store, deadheat_fleet.refuse, deadheat_fleet.give_back, deadheat_fleet.leave
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
