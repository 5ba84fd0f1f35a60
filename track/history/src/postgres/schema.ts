import type { Client } from 'pg';
import { HistoryError } from '../history-error.ts';

/** A schema that deadheat creates in a database. */
export interface DatabaseSchema {
  readonly name: string;
  /** Its name in messages. */
  readonly title: string;
  /** Key of the advisory lock that is held while it is created: eight letters as a number. */
  readonly lock: string;
  /** The statements that create its tables. A change of them is a new version. */
  readonly sql: string;
  /** The error for a database with a version that this deadheat does not know. */
  readonly newer: (message: string) => Error;
}

/** Version of every schema, as its table `schema_version` has it. */
const knownVersion = 1;

interface SchemaAt {
  readonly schema: DatabaseSchema;
  /** URL of the database, for messages. */
  readonly place: string;
}

/**
 * The table of leases of a schema and its functions: `hold_lease` takes a lease that is free, over or one's own, `keep_lease` renews one's
 * own while nobody else has taken it. Both give `true` where the holder has it then. A lease lasts for a day at most.
 */
export function leaseSql(schema: string): string {
  const end = 'now() + make_interval(secs => least(p_ms, 86400000) / 1000)';
  return `
create table ${schema}.lease (
  name text primary key,
  holder text not null,
  renewed_at timestamptz not null,
  until timestamptz not null
);
create function ${schema}.hold_lease(p_name text, p_holder text, p_ms double precision) returns boolean
language sql set search_path = pg_catalog, pg_temp as $$
  with held as (
    insert into ${schema}.lease as l (name, holder, renewed_at, until) values (p_name, p_holder, now(), ${end})
    on conflict (name) do update set holder = excluded.holder, renewed_at = excluded.renewed_at, until = excluded.until
    where l.holder = excluded.holder or l.until <= now() returning 1
  ) select exists (select from held)
$$;
create function ${schema}.keep_lease(p_name text, p_holder text, p_ms double precision) returns boolean
language sql set search_path = pg_catalog, pg_temp as $$
  with held as (
    update ${schema}.lease set renewed_at = now(), until = ${end} where name = p_name and holder = p_holder returning 1
  ) select exists (select from held)
$$;
`;
}

/** The schema of a history; its lock is the bytes of "deadheat". */
export const historySchema: DatabaseSchema = {
  name: 'deadheat',
  title: "the history's schema",
  lock: '7234298766068114804',
  newer: (message) => new HistoryError('NEWER_SCHEMA', message),
  sql: `
create table deadheat.recording (
  id text primary key,
  project text not null,
  started_at timestamptz not null,
  hostname text not null,
  tool_version text not null,
  commit_a jsonb,
  commit_b jsonb,
  comparisons integer not null,
  pushed_at timestamptz not null default now()
);
create table deadheat.comparison (
  recording text not null references deadheat.recording (id) on delete cascade,
  position integer not null,
  project text not null,
  benchmark text not null,
  params text not null,
  method text not null,
  metric text not null,
  verdict text not null,
  estimate double precision not null,
  low double precision not null,
  high double precision not null,
  confidence double precision not null,
  margin double precision not null,
  minimal_detectable_slowdown double precision not null,
  runs integer not null,
  mean_ns_a double precision not null,
  mean_ns_b double precision not null,
  ordered_at timestamptz not null,
  primary key (recording, position)
);
create index comparison_series on deadheat.comparison (benchmark, project, method, params, ordered_at);
create table deadheat.trial (
  recording text not null references deadheat.recording (id) on delete cascade,
  trial integer not null,
  benchmark text not null,
  method text not null,
  run integer not null,
  phase text not null,
  started_first text not null,
  status text not null,
  wall_ns double precision not null,
  cpu_a integer not null,
  cpu_b integer not null,
  primary key (recording, trial)
);
create table deadheat.iterations (
  started_at timestamptz not null,
  recording text not null references deadheat.recording (id) on delete cascade,
  position integer not null,
  trial integer not null,
  benchmark text not null,
  params text not null,
  method text not null,
  run integer not null,
  side text not null,
  is_warmup boolean not null,
  first_iteration integer not null,
  start_ns bigint[] not null,
  duration_ns bigint[] not null,
  invocations bigint[],
  cpu_ns double precision[],
  run_delay_ns double precision[],
  involuntary_switches double precision[],
  metric_names text[],
  metric_values double precision[]
) partition by range (started_at);
create index iterations_of_recording on deadheat.iterations (recording, position);
create table deadheat.file (
  recording text not null references deadheat.recording (id) on delete cascade,
  path text not null,
  part integer not null,
  content bytea not null,
  primary key (recording, path, part)
);
alter table deadheat.file alter column content set storage external;
comment on table deadheat.iterations is 'Arrays of iterations that follow each other; the view iteration has a row for each.';
comment on table deadheat.file is 'The files of a recording, gzip, in parts; the rows of the other tables are made from them.';
create view deadheat.iteration as
select c.recording, c.started_at, c.trial, c.benchmark, c.params, c.method, c.run, c.side, c.is_warmup,
  (c.first_iteration + i.k - 1)::integer as iteration, i.start_ns, i.duration_ns,
  coalesce(i.invocations, 1) as invocations, i.cpu_ns, i.run_delay_ns, i.involuntary_switches
from deadheat.iterations c
cross join lateral unnest(c.start_ns, c.duration_ns, c.invocations, c.cpu_ns, c.run_delay_ns, c.involuntary_switches)
  with ordinality as i (start_ns, duration_ns, invocations, cpu_ns, run_delay_ns, involuntary_switches, k);
create table deadheat.triage (
  id bigint generated always as identity primary key,
  project text not null,
  benchmark text not null,
  params text not null,
  method text not null,
  experiment text not null,
  direction text not null,
  state text not null,
  ticket text,
  note text not null,
  decided_by text not null,
  decided_at timestamptz not null
);
-- The partition of a month. Only the owner of the table may make one; a role that may insert has it made by this function.
create function deadheat.make_month(p_time timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_from timestamp := date_trunc('month', p_time at time zone 'UTC');
begin
  if not has_table_privilege(session_user, 'deadheat.iterations', 'insert') then
    raise insufficient_privilege using message = 'permission denied for table iterations';
  end if;
  perform pg_advisory_xact_lock(hashtext('deadheat.iterations'));
  execute format('create table if not exists deadheat.%I partition of deadheat.iterations for values from (%L) to (%L)',
    'iterations_' || to_char(v_from, 'YYYY_MM'), v_from at time zone 'UTC', (v_from + interval '1 month') at time zone 'UTC');
end $$;
create table deadheat.metric (
  recording text not null,
  position integer not null,
  name text not null,
  unit text,
  mean_a double precision,
  mean_b double precision,
  estimate double precision,
  low double precision,
  high double precision,
  confidence double precision,
  verdict text not null,
  primary key (recording, position, name),
  foreign key (recording, position) references deadheat.comparison (recording, position) on delete cascade
);
create table deadheat.note (
  topic text not null,
  position bigint not null,
  noted_at timestamptz not null,
  content text not null,
  primary key (topic, position)
);
${leaseSql('deadheat')}`,
};

/**
 * Creates a schema in one transaction where a database has none. When several processes try, one of them does it.
 *
 * @throws the error `newer` of the schema
 */
export async function createSchema(client: Client, { schema, place }: SchemaAt): Promise<void> {
  if (await hasSchema(client, { schema, place })) return;
  await inTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock($1::bigint)', [schema.lock]);
    if (await hasSchema(client, { schema, place })) return;
    await client.query(
      `create schema if not exists ${schema.name};
       create table ${schema.name}.schema_version (version integer primary key, created_at timestamptz not null default now());
       insert into ${schema.name}.schema_version (version) values (${knownVersion});
       ${schema.sql}`,
    );
  });
}

/**
 * Checks whether a database has a schema, of the version that this deadheat knows.
 *
 * @throws the error `newer` of the schema
 */
export async function hasSchema(client: Client, { schema, place }: SchemaAt): Promise<boolean> {
  if (!(await hasTable(client, 'schema_version', schema.name))) return false;
  const { rows } = await client.query<{ readonly version: number }>(
    `select max(version)::integer as version from ${schema.name}.schema_version`,
  );
  const version = rows[0]?.version ?? null;
  if (version === knownVersion) return true;
  throw schema.newer(
    `${place} has version ${version} of ${schema.title}; this deadheat knows up to version ${knownVersion}. Update deadheat ` +
      'here; nothing was read or written.',
  );
}

/**
 * Checks whether a schema has a table. It reads the catalogue with the snapshot of the statement, so that a table that another
 * transaction has just created is seen once its lock is free; `to_regclass` would not see it.
 */
async function hasTable(client: Client, table: string, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ readonly found: boolean }>(
    'select exists (select from pg_catalog.pg_tables where schemaname = $1 and tablename = $2) as found',
    [schema, table],
  );
  return rows[0]?.found === true;
}

/** Executes work in a transaction of its own; nothing of it stays when it throws. */
export async function inTransaction<Value>(client: Client, work: () => Promise<Value>): Promise<Value> {
  await client.query('begin');
  try {
    const value = await work();
    await client.query('commit');
    return value;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Makes the partition of iterations for the month of a time when it is missing. It does so in a short transaction of
 * its own, because it locks the table for all users.
 */
export async function ensureMonth(client: Client, iso: string): Promise<void> {
  const month = new Date(iso).toISOString().slice(0, 7).replace('-', '_');
  if (!(await hasTable(client, `iterations_${month}`, historySchema.name)))
    await client.query('select deadheat.make_month($1)', [iso]);
}
