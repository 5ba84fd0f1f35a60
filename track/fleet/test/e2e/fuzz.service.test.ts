import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { connect } from '@deadheat/history';
import { createRandom } from '@deadheat/stats';
import type { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until, useScene } from '../../../../core/cli/test/e2e/support.ts';
import { initFleet } from '../fleet-index.ts';
import { draftOf, FleetScene, noPostgres } from '../support.ts';

/** Calls and writes of the fuzzer; a long test has `DEADHEAT_FUZZ_ROWS=100000`, and `--test-timeout 0` for vitest. */
const rowCount = Number(process.env['DEADHEAT_FUZZ_ROWS'] ?? 2000);
/** Rows that are asked for at the same time, and between two looks at the pages. */
const [batch, looks] = [100, 100 * Math.ceil(rowCount / 10_000)];
/** Stands in what nobody but one worker may read. */
const marker = 'for-one-worker';
const roles = ['submitter', 'worker', 'reader'] as const;
type Role = (typeof roles)[number];

interface Callable {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
}

describe.skipIf(noPostgres !== null)('whatever logins write into a fleet', () => {
  const fleet = new FleetScene();
  const scene = useScene();

  it('ends no worker and no page, and is credited to nobody else', async () => {
    await initFleet(fleet.url(), { roles: true, variables: {} });
    const database = fleet.sql('select current_database()');
    for (const role of roles) {
      fleet.sql(`create role ${role}_${database} login password '${role}' in role deadheat_${role}`);
    }
    const at = (role: Role): { readonly url: string; readonly variables: { readonly PGPASSWORD: string } } => ({
      url: fleet.url(`${role}_${database}`),
      variables: { PGPASSWORD: role },
    });
    const honest = fleet.worker('honest', at('worker'));
    await honest.until('ready');
    const id = fleet.sql('select id from deadheat_fleet.worker');
    const submitted = fleet.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 2 } }), at('submitter'));
    expect((await submitted).outcome).toEqual({ kind: 'done' });
    mkdirSync(scene.path('history'));
    const serve = ['history', 'serve', '--from', scene.path('history'), '--port', '0', '--fleet', at('reader').url];
    const server = scene.start(serve, { env: at('reader').variables });
    onTestFinished(() => void server.child.kill('SIGKILL'));
    await until(() => /http:\S+/.test(server.said) || server.child.exitCode !== null);
    const place = /http:\S+/.exec(server.said)?.[0] ?? '';

    const random = createRandom('grammar of a fleet');
    const clients = new Map<Role, Client>();
    for (const role of roles) {
      const client = await connect(at(role).url, at(role).variables);
      onTestFinished(() => client.end());
      clients.set(role, client);
    }
    /** Values of experiments and runs as deadheat writes them, which are changed in places. */
    const model = JSON.parse(
      fleet.sql(
        'select json_build_array(definition, code, wish, (select json_agg(json_build_array(trial, host)) from deadheat_fleet.run_result)) from deadheat_fleet.experiment',
      ),
    ) as readonly unknown[];
    const known = {
      experiments: Array.from({ length: 40 }, (_, number) => `e${number}`),
      workers: ['forger-1', 'forger-2'],
      tokens: Array.from({ length: 4 }, () => randomUUID()) as string[],
    };
    const [secret, session] = [randomUUID(), randomUUID()];

    function one<T>(of: readonly T[]): T {
      return of[random.int(of.length)] as T;
    }

    function json(depth: number): unknown {
      const leaf = [
        null,
        true,
        -1,
        0,
        2_147_483_648,
        1e308,
        '',
        '../e',
        'x'.repeat(300),
        '\u001b[2J',
        '=1+1',
        'measure',
        id,
      ];
      if (depth === 0 || random.next() < 0.3) return one(leaf);
      if (random.next() < 0.4) return Array.from({ length: random.int(4) }, () => json(depth - 1));
      const keys = [
        'forged',
        '__proto__',
        'config',
        'labels',
        'excluded',
        'pinned',
        'kind',
        'benchmark',
        'run',
        'id',
        '',
      ];
      return Object.fromEntries(Array.from({ length: random.int(5) }, () => [one(keys), json(depth - 1)]));
    }

    /** A part of a value replaced by another one. */
    function changed(value: unknown): unknown {
      if (value === null || typeof value !== 'object' || random.next() < 0.15) return json(2);
      const [key] = [one(['', ...Object.keys(value)])];
      if (key === '') return value;
      const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
      copy[key] = changed(copy[key]);
      return copy;
    }

    function forged(value: unknown): unknown {
      return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value, forged: true } : value;
    }

    function valueOf({ name, type }: Callable['args'][number], role: Role): unknown {
      const numbers = [-2_147_483_648, -1, 0, 1, 2, 99, 65_537, 2_147_483_647];
      const mostly = (right: unknown, wrong: readonly unknown[]): unknown =>
        random.next() < 0.85 ? right : one(wrong);
      const run = (): object => ({
        benchmark: mostly(0, numbers),
        phase: mostly('measure', ['pilot', 'warmup', 'loop', '']),
        run: mostly(random.int(50), numbers),
        method: mostly('sequential', ['tandem', 'duet', null, 'guess']),
        worker: mostly(one([id, ...known.workers]), ['nobody', '', null]),
        instead: mostly(null, [one(known.tokens), 'no uuid']),
      });
      const right: Readonly<Record<string, () => unknown>> = {
        p_experiment: () => one(known.experiments),
        // Draining and forgetting is what a submitter may do to every worker.
        p_id: () => one(role === 'worker' ? [...known.workers, ...known.workers, id] : known.experiments),
        p_name: () => 'fuzz',
        p_version: () => '0.1.0',
        p_lease_ms: () => 600_000,
        p_definition: () => JSON.stringify(random.next() < 0.5 ? model[0] : changed(model[0])),
        p_code: () => JSON.stringify(model[1]),
        p_wish: () => mostly(null, [JSON.stringify(changed({ hosts: null, labels: {}, excluded: [], pinned: [] }))]),
        p_planned_runs: () => 4,
        p_priority: () => random.int(3),
        p_runs: () => JSON.stringify(Array.from({ length: 1 + random.int(3) }, run)),
        p_notifies: () => true,
        p_tokens: () => [one(known.tokens)],
        p_token: () => one(known.tokens),
        p_secret: () => secret,
        p_session: () => session,
        p_machine: () => '{}',
        p_labels: () => '{}',
        p_is_direct: () => true,
        p_lanes: () => 1,
        p_held: () => [],
        p_ids: () => known.experiments,
        p_trial: () => JSON.stringify(forged(changed(model[3]))),
        p_host: () => JSON.stringify(forged(changed({ id, labels: {}, machine: {} }))),
        p_is_cut: () => false,
        p_warnings: () => '[]',
        p_record_a: () => null,
        p_record_b: () => null,
        p_is_draining: () => false,
        p_state: () => one(['cancelled', 'done', 'failed']),
        p_failure: () => 'no',
      };
      if (random.next() < 0.93) return right[name]?.();
      const values: Readonly<Record<string, () => unknown>> = {
        text: () =>
          one(['', '.', '..', '../e', 'a b', "it's", 'e', 'x'.repeat(300), '\u001b[2J', '😀', '0.1.0', '99.0.0', null]),
        uuid: () => one([...known.tokens, randomUUID(), null, 'no uuid']),
        integer: () => one([...numbers, null]),
        'double precision': () => one([0, -1, 1e-300, 60_000, 1e15, 'NaN', 'Infinity', null]),
        boolean: () => one([true, false, null]),
        bytea: () => one([null, Buffer.from('no gzip'), gzipSync('{"deadheat":1}\n'), Buffer.alloc(1000)]),
        'text[]': () => one([[], [one(known.experiments)], ['', 'x'.repeat(300)], null]),
        'uuid[]': () => one([[], [one(known.tokens)], null]),
        'timestamp with time zone': () => one(['-infinity', 'infinity', '2026-01-01', null]),
      };
      return (values[type] ?? (() => JSON.stringify(json(4))))();
    }

    const callables = new Map(
      roles.map((role) => {
        const text = fleet.sql(
          `select json_agg(json_build_object('name', proname, 'args', (select coalesce(json_agg(json_build_object('name', proargnames[place],
             'type', format_type(type, null)) order by place), '[]') from unnest(proargtypes::oid[]) with ordinality as a (type, place))))
           from pg_proc where pronamespace = 'deadheat_fleet'::regnamespace and has_function_privilege('deadheat_${role}', oid, 'execute')`,
        );
        return [role, (JSON.parse(text === '' ? 'null' : text) ?? []) as readonly Callable[]];
      }),
    );
    expect([...callables].map(([role, of]) => [role, of.length])).toEqual([
      ['submitter', 9],
      ['worker', 9],
      ['reader', 0],
    ]);
    const columns = JSON.parse(
      fleet.sql(
        `select json_agg(json_build_object('table', table_name, 'column', column_name, 'type', data_type))
         from information_schema.columns where table_schema = 'deadheat_fleet'`,
      ),
    ) as readonly { readonly table: string; readonly column: string; readonly type: string }[];

    /** A connection executes one query at a time. */
    const turns: Record<Role, Promise<unknown>> = {
      submitter: Promise.resolve(),
      worker: Promise.resolve(),
      reader: Promise.resolve(),
    };

    async function ask(
      role: Role,
      sql: string,
      values: readonly unknown[],
    ): Promise<readonly Record<string, unknown>[] | string> {
      const answer = turns[role].then(async () => {
        const { rows } = (await clients.get(role)?.query<Record<string, unknown>>(sql, [...values])) ?? { rows: [] };
        return rows;
      });
      turns[role] = answer.catch(() => undefined);
      return answer.catch((error: unknown) => (error as { readonly code?: string }).code ?? String(error));
    }

    const counts = { taken: 0, refused: 0, tables: 0, pages: 0, leaked: 0 };

    /** Draws a call or a write, and asks for it; the answer is checked. */
    async function draw(): Promise<void> {
      const role = random.next() < 0.1 ? 'reader' : one(['submitter', 'worker', 'worker'] as const);
      const callable = role === 'reader' || random.next() < 0.1 ? null : one(callables.get(role) ?? []);
      if (callable === null) {
        const { table, column, type } = one(columns);
        const value = valueOf({ name: column, type }, role);
        const sql = one([
          `update deadheat_fleet.${table} set ${column} = $1`,
          `insert into deadheat_fleet.${table} (${column}) values ($1)`,
        ]);
        counts.tables += 1;
        expect(await ask(role, sql, [value]), `${role}: ${sql}`).toMatch(/^(?:42501|428C9|22...|42804)$/);
        return;
      }
      const places = callable.args.map(({ type }, index) => `$${index + 1}::${type}`);
      const values = callable.args.map((arg) => valueOf(arg, role));
      const call = `select * from deadheat_fleet.${callable.name}(${places.join(', ')})`;
      const answer = await ask(role, call, values);
      if (typeof answer === 'string') {
        // What a value is not, what a constraint refuses, what is too large: nothing else.
        expect(answer, `${role}: ${call} ${JSON.stringify(values).slice(0, 2000)}`).toMatch(/^(?:22|23|54)...$/);
        counts.refused += 1;
        return;
      }
      counts.taken += 1;
      if (callable.name === 'describe') described.push(...answer.map((row) => JSON.stringify(row)));
      const token = answer[0]?.['token'];
      if (typeof token === 'string') known.tokens[random.int(4)] = token;
    }

    /** What workers were given of experiments. */
    const described: string[] = [];
    // An experiment for the honest worker alone, of which the others know the token of each run, as if it had leaked.
    const guarded = fleet.submit(draftOf({ A: `sleep 0.2 # ${marker}` }, { stop: { kind: 'runs', runs: rowCount } }), {
      ...at('submitter'),
      workers: [id],
      directory: fleet.path('guarded'),
    });
    guarded.catch(() => undefined);
    const pages = ['', 'fleet', 'workers', 'api/v1/fleet/experiments', 'api/v1/fleet/workers', 'experiments/e1'];
    for (let row = 0; row < rowCount; row += batch) {
      // The roles ask at the same time, and each does not wait between two of its questions.
      await Promise.all(Array.from({ length: batch }, draw));
      const leaked = fleet.sql(
        `select coalesce(min(token::text), '') from deadheat_fleet.run where worker = '${id}' and state = 'active'`,
      );
      if (leaked !== '') {
        known.tokens[3] = leaked;
        counts.leaked += 1;
      }
      if (row % looks >= batch) continue;
      for (const path of pages) {
        expect((await fetch(`${place}${path}`)).status, path).toBeLessThan(500);
        counts.pages += 1;
      }
    }
    const made =
      'select json_object_agg(state, count) from (select state, count(*) from deadheat_fleet.run group by state) run';
    console.log(
      `${rowCount} rows: ${JSON.stringify(counts)}; runs: ${fleet.sql(made)}; described: ${described.length}`,
    );
    expect(counts.leaked).toBeGreaterThan(0);
    expect(described.filter((text) => text.includes(marker))).toEqual([]);
    // Runs were taken, by forgers or by the honest worker: who is first is chance.
    expect(Number(fleet.sql("select count(*) from deadheat_fleet.run where state <> 'queued'"))).toBeGreaterThan(0);
    expect(counts.taken).toBeGreaterThan(rowCount / 20);
    // The honest worker goes on, and nobody else's results are its own.
    fleet.sql("update deadheat_fleet.experiment set state = 'cancelled' where state = 'running'");
    for (const forger of fleet
      .sql(`select string_agg(id, ' ') from deadheat_fleet.worker where id <> '${id}'`)
      .split(' ')) {
      fleet.sql(`select deadheat_fleet.forget('${forger}')`);
    }
    await guarded.catch(() => undefined);
    const after = fleet.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 2 } }), {
      ...at('submitter'),
      directory: fleet.path('after'),
    });
    expect((await after).outcome).toEqual({ kind: 'done' });
    expect(
      fleet.sql(`select count(*) from deadheat_fleet.run_result where worker = '${id}' and (host ->> 'forged' is not null
      or trial ->> 'forged' is not null)`),
    ).toBe('0');
    expect(server.child.exitCode).toBe(null);
  });
});
