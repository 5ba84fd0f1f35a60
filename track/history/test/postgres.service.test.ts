import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChangeTriage } from '../src/history.ts';
import { type History, openHistory } from '../src/index.ts';
import { connect } from '../src/postgres/connect.ts';
import { createSchema, historySchema } from '../src/postgres/schema.ts';
import { failureOf, madeUpRecording, noPostgres, useFolder, useServer } from './support.ts';

const startedAt = '2026-03-31T23:30:00.000Z';

describe.skipIf(noPostgres !== null)('a PostgreSQL server', () => {
  const folder = useFolder();
  const server = useServer();

  function open(
    url: string,
    {
      forWriting = true,
      variables = {},
    }: { readonly forWriting?: boolean; readonly variables?: Record<string, string> } = {},
  ): Promise<History> {
    return openHistory(url, { forWriting, variables });
  }

  async function filled(url: string): Promise<void> {
    await madeUpRecording(folder.path('filling'), { id: 'filling', startedAt, runs: 2, iterations: 30 });
    const history = await open(url);
    await history.put({ directory: folder.path('filling') });
    await history.close();
  }

  describe('that asks for a password', () => {
    function withRole(): string {
      const database = server.newDatabase();
      const role = `owner_of_${database}`;
      server.get().sql(`create role ${role} login password 'se:cret'; alter database ${database} owner to ${role}`);
      return server.get().url(role, database);
    }

    function passFile(line: string, mode = 0o600): string {
      mkdirSync(folder.path(), { recursive: true });
      const path = folder.path('pgpass');
      writeFileSync(path, `# all of them\n${line}\n`);
      chmodSync(path, mode);
      return path;
    }

    it('takes it from PGPASSWORD or the password file', async () => {
      const url = withRole();
      await (await open(url, { variables: { PGPASSWORD: 'se:cret' } })).close();
      const path = passFile(String.raw`otherhost:*:*:*:wrong
localhost:*:postgres:*:wrong
localhost:*:*:*:se\:cret
*:*:*:*:only the first line that fits counts`);
      await (await open(url, { variables: { PGPASSFILE: path } })).close();
    });

    it('is told that it is missing or wrong, and never shown', async () => {
      const url = withRole();
      const attempts: readonly (() => Record<string, string>)[] = [
        () => ({}),
        () => ({ PGPASSWORD: 'guess-1' }),
        () => ({ PGPASSFILE: passFile('*:*:*:*:guess-2') }),
        () => ({ PGPASSFILE: passFile(String.raw`*:*:*:*:se\:cret`, 0o644) }),
      ];
      for (const attempt of attempts) {
        const variables = attempt();
        const failure = await failureOf(() => open(url, { variables: { HOME: folder.path(), ...variables } }));
        expect(failure).toMatchObject({ name: 'HistoryError', code: 'BAD_PASSWORD' });
        expect(failure.message).toContain('~/.pgpass');
        expect(failure.message).not.toMatch(/guess|cret/);
      }
      expect(server.get().sql("select count(*) from pg_namespace where nspname = 'deadheat'")).toBe('0');
    });
  });

  it('refuses a URL with a password in it and does not repeat it', async () => {
    for (const url of [
      'postgres://ci:se@cret@db.example.org/name',
      'postgresql://ci:secret@db.example.org/name',
      'postgres://db.example.org/name?user=ci&password=secret',
    ]) {
      const failure = await failureOf(() => open(url));
      expect(failure).toMatchObject({ code: 'BAD_URL' });
      expect(failure.message).toContain('PGPASSWORD');
      expect(failure.message).not.toContain('cret');
    }
  });

  it('is told apart from one that is not there, and from a database and a role that are not', async () => {
    const unused = await new Promise<number>((resolve) => {
      const listening = createServer().listen(0, '127.0.0.1', () => {
        const { port } = listening.address() as AddressInfo;
        listening.close(() => resolve(port));
      });
    });
    expect(await failureOf(() => open(`postgres://ci@127.0.0.1:${unused}/x`))).toMatchObject({ code: 'NO_CONNECTION' });
    expect(await failureOf(() => open(server.get().url('postgres', 'nowhere')))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await failureOf(() => open('mysql://host/x'))).toMatchObject({ code: 'BAD_URL' });
    const database = server.newDatabase();
    await filled(server.get().url('postgres', database));
    server.get().sql("create role guest login password 'guest'", database);
    const guest = await failureOf(async () =>
      (
        await open(server.get().url('guest', database), { forWriting: false, variables: { PGPASSWORD: 'guest' } })
      ).list(),
    );
    expect(guest).toMatchObject({ code: 'NOT_ALLOWED' });
  });

  it('is read by a role that may only read', async () => {
    const database = server.newDatabase();
    await filled(server.get().url('postgres', database));
    server
      .get()
      .sql(
        "create role reader login password 'reader'; grant usage on schema deadheat to reader; " +
          'grant select on all tables in schema deadheat to reader',
        database,
      );
    const url = server.get().url('reader', database);
    const history = await open(url, { forWriting: false, variables: { PGPASSWORD: 'reader' } });
    expect((await history.list()).map(({ id }) => id)).toEqual(['filling']);
    expect(await history.series({ benchmark: 'scan' })).toHaveLength(2);
    await history.close();
  });

  describe('with a schema', () => {
    it('that is not there says so to those who only read, and makes nothing', async () => {
      const database = server.newDatabase();
      expect(await failureOf(() => open(server.get().url('postgres', database), { forWriting: false }))).toMatchObject({
        code: 'NO_SCHEMA',
        message: expect.stringContaining('deadheat history push') as unknown,
      });
      expect(server.get().sql("select count(*) from pg_namespace where nspname = 'deadheat'", database)).toBe('0');
    });

    it('of a newer deadheat is neither read nor written', async () => {
      const database = server.newDatabase();
      const url = server.get().url('postgres', database);
      await filled(url);
      server.get().sql('insert into deadheat.schema_version (version) values (99)', database);
      for (const forWriting of [true, false]) {
        expect(await failureOf(() => open(url, { forWriting }))).toMatchObject({
          code: 'NEWER_SCHEMA',
          message: expect.stringMatching(/version 99 .* knows up to version 1\b.*Update deadheat/s) as unknown,
        });
      }
    });

    it('takes decisions from a role that may push, and from none that may only read', async () => {
      const database = server.newDatabase();
      const place = server.get().url('postgres', database);
      await filled(place);
      server.get().sql(
        `create role "Only Reader" login password 'reader'; create role pusher_${database} login password 'pusher';
         grant usage on schema deadheat to "Only Reader", pusher_${database};
         grant select on all tables in schema deadheat to "Only Reader", pusher_${database};
         grant insert on all tables in schema deadheat to pusher_${database};`,
        database,
      );

      function withPassword(role: string, password: string): Promise<History> {
        return open(server.get().url(role, database), { forWriting: false, variables: { PGPASSWORD: password } });
      }

      const pusher = await withPassword(`pusher_${database}`, 'pusher');
      const entry: ChangeTriage = {
        project: 'parser',
        benchmark: 'scan',
        params: {},
        method: 'tandem',
        experiment: 'filling',
        direction: 'slower',
        state: 'acknowledged',
        ticket: null,
        note: '',
        by: 'Ann',
        at: '2026-03-01T10:00:00.000Z',
      };
      await pusher.addTriage(entry);
      await pusher.close();
      const reader = await withPassword(encodeURIComponent('Only Reader'), 'reader');
      expect(await reader.triage()).toEqual([entry]);
      expect(await failureOf(() => reader.addTriage(entry))).toMatchObject({ code: 'NOT_ALLOWED' });
      await reader.close();
    });

    it('is made once by many that begin at the same time, and not at all where a statement fails', async () => {
      const place = server.get().url('postgres', server.newDatabase());
      const all = await Promise.all([1, 2, 3, 4].map(() => open(place)));
      for (const history of all) await history.close();

      const database = server.newDatabase();
      const url = server.get().url('postgres', database);
      const client = await connect(url, {});
      const broken = {
        ...historySchema,
        sql: `${historySchema.sql}; create table deadheat.more (x int); select 1 / 0`,
      };
      await expect(createSchema(client, { schema: broken, place: url })).rejects.toThrow(/division by zero/);
      await client.end();
      expect(server.get().sql("select count(*) from pg_namespace where nspname = 'deadheat'", database)).toBe('0');
    });
  });

  it('keeps iterations by the month in which the experiment began, in UTC, and shows a row for each', async () => {
    const database = server.newDatabase();
    const url = server.get().url('postgres', database);
    await filled(url);
    await madeUpRecording(folder.path('next'), { id: 'next', startedAt: '2026-04-01T00:00:00.000Z' });
    const history = await open(url);
    await history.put({ directory: folder.path('next') });
    await history.close();

    function ask(text: string): string {
      return server.get().sql(text, database);
    }

    expect(
      ask('select tableoid::regclass, count(distinct recording) from deadheat.iterations group by 1 order by 1'),
    ).toBe('deadheat.iterations_2026_03|1\ndeadheat.iterations_2026_04|1');
    // 2 runs of 2 sides with 30 iterations of 2 benchmarks, 3 of them warm-up; 8 runs of 2 sides with 1
    expect(ask('select recording, is_warmup, count(*) from deadheat.iteration group by 1, 2 order by 1, 2')).toBe(
      'filling|f|216\nfilling|t|24\nnext|f|16',
    );
    expect(
      ask(
        "select trial, side, params, iteration, duration_ns > 0, invocations, cpu_ns is null from deadheat.iteration where recording = 'filling' order by trial, side, params, iteration limit 2",
      ),
    ).toBe('0|A|{"size":"1"}|0|t|1|t\n0|A|{"size":"1"}|1|t|2|f');
    expect(ask('select recording, count(*), sum(wall_ns) > 0 from deadheat.trial group by 1 order by 1')).toBe(
      'filling|2|t\nnext|8|t',
    );
  });

  it('takes the first push of a month from a login that may insert, and loses months by pruning', async () => {
    const database = server.newDatabase();
    await filled(server.get().url('postgres', database));
    const role = `pusher_of_${database}`;
    // The rights that docs/history.md names.
    server.get().sql(
      `create role ${role} login password 'p'; grant usage on schema deadheat to ${role};
       grant select, insert on all tables in schema deadheat to ${role}`,
      database,
    );
    await madeUpRecording(folder.path('may'), { id: 'may', startedAt: '2026-05-02T00:00:00.000Z' });
    const pusher = await open(server.get().url(role, database), { variables: { PGPASSWORD: 'p' } });
    expect(await pusher.put({ directory: folder.path('may') })).toBe('added');
    await expect(pusher.prune('2026-05-01T00:00:00Z', { dryRun: false })).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
    });
    await pusher.close();

    function months(): string {
      return server
        .get()
        .sql(
          "select inhrelid::regclass from pg_inherits where inhparent = 'deadheat.iterations'::regclass order by 1",
          database,
        );
    }

    const both = 'deadheat.iterations_2026_03\ndeadheat.iterations_2026_05';
    expect(months()).toBe(both);
    // Who may not insert makes none.
    server.get().sql(`revoke insert on all tables in schema deadheat from ${role}`, database);
    const reader = await connect(server.get().url(role, database), { PGPASSWORD: 'p' });
    await expect(reader.query("select deadheat.make_month('2026-06-01')")).rejects.toMatchObject({ code: '42501' });
    await reader.end();
    const owner = await open(server.get().url('postgres', database));
    const before = '2026-05-01T00:00:00Z';
    expect((await owner.prune(before, { dryRun: true })).map(({ id }) => id)).toEqual(['filling']);
    expect(months()).toBe(both);
    expect((await owner.prune(before, { dryRun: false })).map(({ id }) => id)).toEqual(['filling']);
    expect((await owner.list()).map(({ id }) => id)).toEqual(['may']);
    expect(months()).toBe('deadheat.iterations_2026_05');
    // A recording of a month that was pruned can be put again.
    expect(await owner.put({ directory: folder.path('filling') })).toBe('added');
    await owner.close();
  });

  it('of another machine is not spoken to in plain text unless that is allowed', async () => {
    const url = 'postgres://ci@db.invalid/deadheat';
    expect(await failureOf(() => open(url))).toMatchObject({ name: 'HistoryError', code: 'NO_TLS' });
    const variables = { DEADHEAT_ALLOW_PLAINTEXT: '1' };
    for (const ask of [() => open(`${url}?sslmode=verify-full`), () => open(url, { variables })]) {
      expect(await failureOf(ask)).toMatchObject({ code: 'NO_CONNECTION' });
    }
  });

  it('has a line for a pilot run, whose phase says so, and no iterations of it', async () => {
    const database = server.newDatabase();
    const url = server.get().url('postgres', database);
    const options = {
      id: 'a1',
      startedAt: '2026-03-01T10:00:00.000Z',
      method: 'tandem',
      pilotRuns: 3,
      runs: 4,
    } as const;
    await madeUpRecording(folder.path('one'), options);
    const history = await open(url);
    await history.put({ directory: folder.path('one') });
    await history.close();

    function ask(text: string): string {
      return server.get().sql(text, database);
    }

    expect(ask('select phase, method, count(*) from deadheat.trial group by 1, 2 order by 1')).toBe(
      'measure|tandem|4\npilot|sync-duet|3',
    );
    expect(ask('select method, is_warmup, count(*), min(trial) from deadheat.iteration group by 1, 2')).toBe(
      'tandem|f|8|3',
    );
  });

  it('writes no file elsewhere, whatever the database says it is called', async () => {
    const database = server.newDatabase();
    const url = server.get().url('postgres', database);
    await filled(url);
    server.get().sql("update deadheat.file set path = '../outside' where path = 'trials.jsonl'", database);
    const history = await open(url, { forWriting: false });
    const target = folder.path('pulled', 'here');
    expect(await failureOf(() => history.pull('filling', target))).toMatchObject({ code: 'STORE_FAILED' });
    expect(readdirSync(folder.path('pulled'))).toEqual([]);
    await history.close();
  });

  it('keeps nothing of a recording whose connection is cut in the middle', async () => {
    const database = server.newDatabase();
    const url = server.get().url('postgres', database);
    await filled(url);
    await madeUpRecording(folder.path('cut'), { id: 'cut', startedAt, runs: 2, iterations: 30 });
    const history = await open(url);
    // Whoever holds this lock lets the push begin and not end.
    const blocker = await connect(url, {});
    await blocker.query('begin; lock table deadheat.file in share mode');
    const failed = failureOf(() => history.put({ directory: folder.path('cut') }));
    const waiting =
      "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like 'copy deadheat.file%'";
    const put = { isOver: false };
    void failed.finally(() => (put.isOver = true));
    while (!put.isOver && server.get().sql(waiting, database) !== '1')
      await new Promise((resolve) => setTimeout(resolve, 20));
    server
      .get()
      .sql(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy deadheat.file%' and pid <> pg_backend_pid()",
        database,
      );
    expect(await failed).toMatchObject({ code: 'NO_CONNECTION' });
    await blocker.query('rollback');
    await blocker.end();
    await history.close();
    for (const table of ['recording', 'comparison', 'trial', 'iterations', 'file']) {
      const count = server
        .get()
        .sql(
          `select count(*) from deadheat.${table} where ${table === 'recording' ? 'id' : 'recording'} = 'cut'`,
          database,
        );
      expect(count, table).toBe('0');
    }
    const again = await open(url);
    expect(await again.put({ directory: folder.path('cut') })).toBe('added');
    await again.close();
  });

  it('keeps nothing of a recording that does not fit on its disk', async (context) => {
    mkdirSync(folder.path(), { recursive: true });
    const disk = `${server.get().folder}/small`;
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return context.skip('a small file system cannot be mounted here');
    }
    execFileSync('chown', ['postgres', disk]);
    const ballast = `${disk}/ballast`;
    const database = server.newDatabase();
    onTestFinished(() => {
      server.get().sql(`drop database ${database} with (force); drop tablespace small`);
      execFileSync('umount', [disk]);
    });
    server.get().sql(`create tablespace small location '${disk}'`);
    const url = server.get().url('postgres', database);
    await (await open(url)).close();
    server.get().sql('alter table deadheat.file set tablespace small', database);
    writeFileSync(ballast, Buffer.alloc(700_000));
    await madeUpRecording(folder.path('large'), { id: 'large', startedAt, runs: 2, iterations: 4000 });
    const history = await open(url);
    const failure = await failureOf(() => history.put({ directory: folder.path('large') }));
    expect(failure).toMatchObject({ code: 'DISK_FULL' });
    expect(failure.message).toContain("the database's disk is full");
    expect(await history.list()).toEqual([]);
    expect(server.get().sql('select count(*) from deadheat.iterations', database)).toBe('0');

    // The connection goes on, and where there is room again what fits is stored.
    rmSync(ballast);
    await madeUpRecording(folder.path('fits'), { id: 'fits', startedAt });
    expect(await history.put({ directory: folder.path('fits') })).toBe('added');
    await history.close();
  });
});
