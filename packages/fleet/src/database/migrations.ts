import type { Migration } from '@deadheat/history';

/**
 * The steps of the schema. Version N is the result of the first N steps. Existing steps are never changed; new ones are
 * added at the end.
 *
 * Workers write through functions alone: the functions run as the schema's owner and check the token of the attempt, so
 * that a worker needs no rights to tables, and an attempt that was given up cannot write.
 */
export const migrations: readonly Migration[] = [
  {
    name: 'workers, experiments, runs and their results',
    sql: `
create table deadheat_fleet.worker (
  id text primary key,
  number integer generated always as identity unique,
  session uuid not null,
  machine json not null,
  labels jsonb not null,
  tool_version text not null,
  enrolled_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  left_at timestamptz
);
create table deadheat_fleet.experiment (
  id text primary key,
  name text not null,
  submitted_at timestamptz not null default now(),
  submitted_by text not null default session_user,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  failure text,
  tool_version text not null,
  definition json not null,
  code json not null,
  planned_runs integer not null default 0
);
create index experiment_by_time on deadheat_fleet.experiment (submitted_at desc);
create table deadheat_fleet.run (
  experiment text not null references deadheat_fleet.experiment (id) on delete cascade,
  benchmark integer not null,
  phase text not null,
  run integer not null,
  state text not null check (state in ('queued', 'active', 'lost', 'done', 'gathered', 'refused', 'cancelled')),
  attempt integer not null default 1,
  token uuid not null unique,
  worker text not null references deadheat_fleet.worker (id),
  session uuid,
  failure text,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (experiment, benchmark, phase, run)
);
create index run_under_way on deadheat_fleet.run (experiment) where state <> 'gathered';
create index run_of_worker on deadheat_fleet.run (worker) where state in ('queued', 'active');
create table deadheat_fleet.run_result (
  experiment text not null,
  benchmark integer not null,
  phase text not null,
  run integer not null,
  token uuid not null unique,
  worker text not null,
  host json not null,
  trial json not null,
  is_cut boolean not null,
  warnings json not null,
  record_a bytea,
  record_b bytea,
  stored_at timestamptz not null default now(),
  primary key (experiment, benchmark, phase, run),
  foreign key (experiment, benchmark, phase, run) references deadheat_fleet.run on delete cascade
);
alter table deadheat_fleet.run_result alter column record_a set storage external, alter column record_b set storage external;
comment on table deadheat_fleet.run is 'The attempt that counts of every run; who holds its token may bring the result.';
comment on column deadheat_fleet.run_result.record_a is 'What side A recorded itself, gzip.';

create function deadheat_fleet.tell(p_experiment text) returns void
language plpgsql as $$
begin
  perform pg_notify('deadheat_experiment_' || p_experiment, '');
  perform pg_notify('deadheat_fleet', '');
end $$;

-- Makes a worker known, with a queue of its own; what an earlier process of it had in hand is lost.
create function deadheat_fleet.enroll(p_id text, p_session uuid, p_machine json, p_labels jsonb, p_version text)
returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_number integer;
  v_experiment text;
begin
  insert into deadheat_fleet.worker (id, session, machine, labels, tool_version)
  values (p_id, p_session, p_machine, p_labels, p_version)
  on conflict (id) do update set session = excluded.session, machine = excluded.machine, labels = excluded.labels,
    tool_version = excluded.tool_version, enrolled_at = now(), seen_at = now(), left_at = null
  returning number into v_number;
  if not exists (select from deadheat_queue.queue where name = 'worker-' || p_id) then
    -- Two that make a queue at the same time would wait for each other.
    perform pg_advisory_xact_lock(7235082719299200372);
    perform deadheat_queue.create_queue('worker-' || p_id, '{"policy": "standard", "expireInSeconds": 86400, "retryLimit": 0}'::json);
  end if;
  for v_experiment in
    with lost as (
      update deadheat_fleet.run set state = 'lost', session = null
      where worker = p_id and state = 'active' and session is distinct from p_session
      returning experiment
    ) select distinct experiment from lost
  loop
    perform deadheat_fleet.tell(v_experiment);
  end loop;
  perform pg_notify('deadheat_fleet', '');
  return v_number;
end $$;

-- Takes a run in hand; null where its attempt does not count any more.
create function deadheat_fleet.claim(p_token uuid, p_worker text, p_session uuid)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update deadheat_fleet.run r set state = 'active', session = p_session, started_at = coalesce(r.started_at, now())
  from deadheat_fleet.experiment e
  where r.token = p_token and r.worker = p_worker and e.id = r.experiment and e.state = 'running'
    and (r.state = 'queued' or (r.state = 'active' and r.session = p_session));
  if not found then return false; end if;
  update deadheat_fleet.worker set seen_at = now() where id = p_worker;
  perform pg_notify('deadheat_fleet', '');
  return true;
end $$;

-- Stores the result of the attempt that counts; true also where it was stored before.
create function deadheat_fleet.store(p_token uuid, p_host json, p_trial json, p_is_cut boolean, p_warnings json,
  p_record_a bytea, p_record_b bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_run deadheat_fleet.run;
begin
  update deadheat_fleet.run set state = 'done', finished_at = now()
  where token = p_token and state in ('active', 'lost') returning * into v_run;
  if not found then
    return exists (select from deadheat_fleet.run_result where token = p_token);
  end if;
  insert into deadheat_fleet.run_result
    (experiment, benchmark, phase, run, token, worker, host, trial, is_cut, warnings, record_a, record_b)
  values (v_run.experiment, v_run.benchmark, v_run.phase, v_run.run, p_token, v_run.worker, p_host, p_trial, p_is_cut,
    p_warnings, p_record_a, p_record_b);
  update deadheat_fleet.worker set seen_at = now() where id = v_run.worker;
  perform deadheat_fleet.tell(v_run.experiment);
  return true;
end $$;

-- Says that a run cannot be made by this worker, and why; it is made nowhere then.
create function deadheat_fleet.refuse(p_token uuid, p_failure text)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_experiment text;
begin
  update deadheat_fleet.run set state = 'refused', failure = p_failure, finished_at = now()
  where token = p_token and state = 'active' returning experiment into v_experiment;
  if found then perform deadheat_fleet.tell(v_experiment); end if;
end $$;

-- Gives a run back that was not finished.
create function deadheat_fleet.give_back(p_token uuid)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_experiment text;
begin
  update deadheat_fleet.run set state = 'lost', session = null
  where token = p_token and state = 'active' returning experiment into v_experiment;
  if found then perform deadheat_fleet.tell(v_experiment); end if;
end $$;

create function deadheat_fleet.leave(p_id text, p_session uuid)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update deadheat_fleet.worker set left_at = now(), seen_at = now() where id = p_id and session = p_session;
  perform pg_notify('deadheat_fleet', '');
end $$;

revoke all on all functions in schema deadheat_fleet from public;
revoke all on function deadheat_queue.create_queue(text, json), deadheat_queue.delete_queue(text) from public;
`,
  },
  {
    name: 'the method of a run',
    sql: `
alter table deadheat_fleet.run add column method text;
comment on column deadheat_fleet.run.method is 'By which it is made; null = a pilot run, which chooses the method of those that follow.';
`,
  },
];
