import { randomUUID } from 'node:crypto';
import { readOwnMachine } from '@deadheat/engine';
import { connect } from '@deadheat/history';
import type { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFleetSchema } from '../src/database/fleet-schema.ts';
import { initFleet, openFleetView, runWorker } from './fleet-index.ts';
import { draftOf, failureOf, FleetScene, noPostgres } from './support.ts';

describe.skipIf(noPostgres !== null)("a fleet's database", () => {
  const scene = new FleetScene();

  async function open(role: string, password = role): Promise<Client> {
    const client = await connect(scene.url(role), role === 'postgres' ? {} : { PGPASSWORD: password });
    onTestFinished(() => client.end());
    return client;
  }

  const secret = randomUUID();
  const enroll = "select deadheat_fleet.enroll('w', $1, $2, $3, '{}', '0.1.0', 10000, true) as number";

  /** A worker's row and a run that it has in hand, without a worker. */
  async function withRun(
    client: Client,
  ): Promise<{ readonly token: string; readonly store: (token: string) => Promise<boolean> }> {
    const token = randomUUID();
    const session = randomUUID();
    const machine = JSON.stringify((await readOwnMachine({ cpus: null, ownCpu: null })).machine);
    const enrolled = await client.query<{ readonly number: number }>(enroll, [secret, session, machine]);
    expect(enrolled.rows[0]?.number).toBeGreaterThan(0);
    scene.sql(`insert into deadheat_fleet.experiment (id, name, tool_version, definition, code)
      values ('e', 'e', '0.1.0', '{}', '{}') on conflict do nothing;
      insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker)
      values ('e', 0, 'measure', 0, 'queued', '${token}', 'w')`);
    const { rows } = await client.query<{ readonly token: string }>(
      "select token from deadheat_fleet.take('w', $1, 1000)",
      [session],
    );
    expect(rows).toEqual([{ token }]);

    async function store(of: string): Promise<boolean> {
      const stored = await client.query<{ readonly stored: boolean }>(
        `select deadheat_fleet.store('w', $1, $2, '{}', $3, false, '[]', null, null) as stored`,
        [session, of, JSON.stringify({ of })],
      );
      return stored.rows[0]?.stored ?? false;
    }

    return { token, store };
  }

  it('takes a result only with the token of the attempt that counts, and only once', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const client = await open('postgres');
    const { token, store } = await withRun(client);
    // The run was given to another worker meanwhile.
    const next = randomUUID();
    scene.sql(`update deadheat_fleet.run set state = 'active', token = '${next}', attempt = 2`);
    expect(await store(token)).toBe(false);
    expect(scene.sql('select count(*) from deadheat_fleet.run_result')).toBe('0');
    expect(await store(next)).toBe(true);
    // Its answer was lost on the way, so that it comes again.
    expect(await store(next)).toBe(true);
    expect(scene.sql(`select count(*), min(trial->>'of') = '${next}' from deadheat_fleet.run_result`)).toBe('1|t');
    expect(await store(token)).toBe(false);
  });

  it('tells who submitted of the runs that end, unless they ask, and nobody else', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const client = await open('postgres');
    const heard: string[] = [];
    client.on('notification', ({ channel }) => heard.push(channel));
    await client.query('listen deadheat_experiment_e');
    const { store } = await withRun(client);
    await client.query('listen deadheat_fleet');
    scene.sql(`insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker)
      select 'e', 0, 'measure', run, 'queued', gen_random_uuid(), 'w' from generate_series(1, 2) as run`);

    async function storeNext(notifies: boolean): Promise<readonly string[]> {
      const { rows } = await client.query<{ readonly token: string }>(
        `update deadheat_fleet.run set notifies_submitter = ${notifies}, state = 'active'
         where run = (select min(run) from deadheat_fleet.run where state in ('queued', 'active')) returning token`,
      );
      expect(await store(rows[0]?.token ?? '')).toBe(true);
      // What was notified is there before the answer to what is asked next.
      await client.query('select');
      return heard.splice(0);
    }

    expect(await storeNext(true)).toEqual(['deadheat_experiment_e']);
    expect(await storeNext(false)).toEqual([]);
    expect(scene.sql("select count(*) from pg_proc where prosrc like '%pg_notify(''deadheat_fleet''%'")).toBe('0');
  });

  it('takes the result of a worker that was thought dead, while nobody else was asked', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const { token, store } = await withRun(await open('postgres'));
    scene.sql("update deadheat_fleet.run set state = 'lost'");
    expect(await store(token)).toBe(true);
  });

  it('gives runs of the highest priority first, then what was lost elsewhere, then in the order of dispatch', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const client = await open('postgres');
    const session = randomUUID();
    await client.query(enroll, [secret, session, '{}']);
    scene.sql(`insert into deadheat_fleet.experiment (id, name, tool_version, definition, code, priority)
      values ('low', 'e', '0.1.0', '{}', '{}', 0), ('high', 'e', '0.1.0', '{}', '{}', 1);
      insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker, attempt, queued_at)
      select experiment, 0, 'measure', run, 'queued', gen_random_uuid(), 'w', attempt, now() + run * interval '1 s'
      from (values ('low', 0, 1), ('low', 1, 1), ('low', 2, 2), ('high', 3, 1)) as given (experiment, run, attempt)`);
    const order: unknown[] = [];
    for (;;) {
      const { rows } = await client.query<{ readonly run: number }>(
        "select run from deadheat_fleet.take('w', $1, 1000)",
        [session],
      );
      if (rows.length === 0) break;
      order.push(rows[0]?.run);
      scene.sql("update deadheat_fleet.run set state = 'done' where state = 'active'");
    }
    expect(order).toEqual([3, 2, 0, 1]);
  });

  it('lets only those workers take over runs that their experiment names, while none lives that takes part', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const client = await open('postgres');
    const session = randomUUID();
    const wish = { hosts: null, labels: { region: 'eu' }, excluded: ['out'], pinned: [] };
    scene.sql(`insert into deadheat_fleet.worker (id, machine, labels, tool_version)
      values ('gone', '{}', '{}', '0.1.0'), ('lives', '{}', '{}', '0.1.0');
      insert into deadheat_fleet.lease (name, holder, renewed_at, until) values
        ('gone', 'x', now(), now() - interval '4 seconds'), ('lives', 'y', now(), now() + interval '1 hour');
      insert into deadheat_fleet.experiment (id, name, tool_version, definition, code, wish)
      values ('followed', 'e', '0.1.0', '{}', '{}', null), ('left', 'e', '0.1.3', '{}', '{}', '${JSON.stringify(wish)}');
      insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker)
      select id, 0, 'measure', 7, 'active', gen_random_uuid(), 'gone' from deadheat_fleet.experiment`);

    async function taken(
      id: string,
      changes: { readonly labels?: object; readonly version?: string } = {},
    ): Promise<unknown> {
      const { labels = { region: 'eu', more: 'x' }, version = '0.1.0' } = changes;
      const values = [id, randomUUID(), session, labels, version];
      await client.query("select deadheat_fleet.enroll($1, $2, $3, '{}', $4, $5, 10000, true)", values);
      const { rows } = await client.query('select experiment, run, attempt from deadheat_fleet.take($1, $2, 10000)', [
        id,
        session,
      ]);
      return rows[0];
    }

    expect(await taken('elsewhere', { labels: { region: 'us' } })).toBe(undefined);
    expect(await taken('out')).toBe(undefined);
    expect(await taken('other-version', { version: '0.2.0' })).toBe(undefined);
    // One that takes part lives, and will see to it.
    scene.sql(`insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker)
      values ('left', 0, 'measure', 1, 'done', gen_random_uuid(), 'lives')`);
    expect(await taken('fits')).toBe(undefined);
    scene.sql("update deadheat_fleet.worker set is_draining = true where id = 'lives'");
    const token = scene.sql("select token from deadheat_fleet.run where experiment = 'left' and run = 7");
    expect(await taken('fits')).toEqual({ experiment: 'left', run: 7, attempt: 2 });
    expect(scene.sql(`select count(*) from deadheat_fleet.run where token = '${token}'`)).toBe('0');
    // It has that in hand; what it holds it is not given again.
    const held = "select run from deadheat_fleet.take('fits', $1, 10000, array(select token from deadheat_fleet.run))";
    expect((await client.query(held, [session])).rows).toEqual([]);
    expect(await taken('another')).toBe(undefined);
  });

  it('frees the runs that an earlier process of a worker had in hand', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const client = await open('postgres');
    await withRun(client);
    const next = [secret, randomUUID(), '{}'];

    async function enrolled(values: readonly string[]): Promise<number | undefined> {
      return (await client.query<{ readonly number: number }>(enroll, [...values])).rows[0]?.number;
    }

    // Until it has ended: it has a lease, and its connection is there.
    expect(await enrolled(next)).toBe(0);
    expect(await enrolled([randomUUID(), randomUUID(), '{}'])).toBe(-1);
    expect(scene.sql('select state from deadheat_fleet.run')).toBe('active');
    scene.sql('update deadheat_fleet.worker set backend = 0');
    expect(await enrolled(next)).toBeGreaterThan(0);
    expect(scene.sql('select state from deadheat_fleet.run')).toBe('lost');
  });

  it('is made once by many that begin at the same time', async () => {
    await Promise.all([1, 2, 3, 4].map(() => initFleet(scene.url(), { roles: false, variables: {} })));
    expect(scene.sql('select count(*) from deadheat_fleet.schema_version')).toBe('1');
    const many = [1, 2, 3, 4].map((number) => scene.worker(`w${number}`));
    await Promise.all(many.map((worker) => worker.until('ready')));
  });

  it('of another version is refused by everybody, and nothing is changed', async () => {
    const url = scene.url();
    expect(await failureOf(() => openFleetView(url, {}))).toMatchObject({ code: 'NO_SCHEMA' });
    const client = await open('postgres');
    await createFleetSchema(client, url);
    await client.query('insert into deadheat_fleet.schema_version (version) values (99)');
    const newer = { code: 'NEWER_SCHEMA', message: expect.stringMatching(/version 99.*Update deadheat/) as unknown };
    expect(await failureOf(() => openFleetView(url, {}))).toMatchObject(newer);
    expect(await failureOf(() => scene.submit(draftOf({ A: 'true' })))).toMatchObject(newer);
    expect(await failureOf(() => scene.worker('w').until('ready'))).toMatchObject(newer);
  });

  it('is not made by a role that may not, which is referred to its owner', async () => {
    scene.url();
    scene.sql("create role limited login password 'limited'");
    const client = await open('limited');
    expect(await failureOf(() => createFleetSchema(client, scene.url('limited')))).toMatchObject({
      code: 'NO_SCHEMA',
      message: expect.stringContaining('deadheat fleet init') as unknown,
    });
  });

  it('is told apart by its password and its URL', async () => {
    const url = scene.url();
    await initFleet(url, { roles: false, variables: {} });
    scene.sql("create role asked login password 'right'");
    const wrong = await failureOf(() => openFleetView(scene.url('asked'), { PGPASSWORD: 'wrong' }));
    expect(wrong).toMatchObject({ name: 'HistoryError', code: 'BAD_PASSWORD' });
    for (const place of ['/srv/folder', 'mysql://host/x', 'postgres://a:secret@host/x']) {
      const failure = await failureOf(() => openFleetView(place, {}));
      expect(failure).toMatchObject({ name: 'FleetError', code: 'BAD_URL' });
      expect(failure.message).not.toContain('secret');
    }
  });

  describe('with its three roles', () => {
    async function logins(): Promise<void> {
      await initFleet(scene.url(), { roles: true, variables: {} });
      const database = scene.sql('select current_database()');
      for (const role of ['submitter', 'worker', 'reader']) {
        scene.sql(`create role ${role}_${database} login password '${role}' in role deadheat_${role}`);
      }
    }

    function named(role: string): string {
      return `${role}_${scene.sql('select current_database()')}`;
    }

    it('lets each of them do its part of an experiment', async () => {
      await logins();
      const worker = scene.worker('w', { url: scene.url(named('worker')), variables: { PGPASSWORD: 'worker' } });
      await worker.until('ready');
      const { outcome } = await scene.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 3 } }), {
        url: scene.url(named('submitter')),
        variables: { PGPASSWORD: 'submitter' },
      });
      expect(outcome).toEqual({ kind: 'done' });
      const view = await openFleetView(scene.url(named('reader')), { PGPASSWORD: 'reader' });
      expect(await view.workers()).toHaveLength(1);
      expect((await view.experiments(10))[0]).toMatchObject({ state: 'done', runs: 3 });
      await view.close();
    });

    it('lets none of them do more', async () => {
      await logins();

      async function may(role: string, sql: string): Promise<boolean> {
        const client = await open(named(role), role);
        try {
          await client.query(sql);
          return true;
        } catch (error) {
          expect((error as { readonly code: string }).code, sql).toBe('42501');
          return false;
        }
      }

      const submit = "select deadheat_fleet.submit('x', 'x', '0', '{}', '{}', 0, 0, null)";
      const store = `select deadheat_fleet.store('w', gen_random_uuid(), gen_random_uuid(), '{}', '{}', false, '[]', null, null)`;
      const asked: readonly (readonly [string, readonly string[]])[] = [
        [submit, ['submitter']],
        [store, ['worker']],
        ["select deadheat_fleet.dispatch('x', '[]', true)", ['submitter']],
        ["select deadheat_fleet.gather('x', '{}')", ['submitter']],
        ["select deadheat_fleet.finish('x', 'cancelled', null)", ['submitter']],
        ["update deadheat_fleet.run set state = 'done'", []],
        [
          "insert into deadheat_fleet.experiment (id, name, tool_version, definition, code) values ('y', 'y', '0', '{}', '{}')",
          [],
        ],
        ['insert into deadheat_fleet.run_result select * from deadheat_fleet.run_result', []],
        ['update deadheat_fleet.experiment set definition = definition', []],
        ['select definition from deadheat_fleet.experiment', ['submitter']],
        ['select token from deadheat_fleet.run', ['submitter']],
        ['select holder from deadheat_fleet.lease', []],
        ['select secret from deadheat_fleet.worker', []],
        ['select state from deadheat_fleet.run', ['submitter', 'reader']],
        ["select deadheat_fleet.drain('x', true)", ['submitter']],
        ['select trial from deadheat_fleet.run_result', ['submitter']],
        ['update deadheat_fleet.worker set labels = labels', []],
        ['delete from deadheat_fleet.experiment', []],
        ['select deadheat_fleet.notify_submitter()', []],
        ['create table deadheat_fleet.mine (x int)', []],
      ];
      for (const [sql, roles] of asked) {
        for (const role of ['submitter', 'worker', 'reader']) {
          expect(await may(role, sql), `${role}: ${sql}`).toBe(roles.includes(role));
        }
      }
      const reader = runWorker({
        url: scene.url(named('reader')),
        variables: { PGPASSWORD: 'reader' },
        labels: {},
        permissions: { repositories: [], images: [], commands: true },
        toolVersion: '0.1.0',
        readExperiment: () => draftOf({ A: 'true' }),
        folder: scene.path('reader'),
        lockFolder: scene.path('reader-lock'),
        cpus: null,
        ownCpu: null,
        signal: new AbortController().signal,
        onEvent: () => {},
      });
      expect(await failureOf(() => reader)).toMatchObject({ code: 'NOT_ALLOWED' });
    });
  });
});
