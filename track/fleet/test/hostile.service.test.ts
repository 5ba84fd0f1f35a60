import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { readOwnMachine } from '@deadheat/engine';
import { connect } from '@deadheat/history';
import { createRandom } from '@deadheat/stats';
import type { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initFleet, openFleetView } from './fleet-index.ts';
import { draftOf, FleetScene, noPostgres, timedDraft } from './support.ts';

/** Rows of the fuzzer. */
const rowCount = Number(process.env['DEADHEAT_FUZZ_ROWS'] ?? 60);

describe.skipIf(noPostgres !== null)('what a login writes', () => {
  const scene = new FleetScene();

  async function open(): Promise<Client> {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const client = await connect(scene.url(), {});
    onTestFinished(() => client.end());
    return client;
  }

  /** The session of a worker, and its rights, without its program. */
  class Impostor {
    readonly id: string;
    readonly #client: Client;
    readonly #session = randomUUID();

    constructor(id: string, client: Client) {
      this.id = id;
      this.#client = client;
    }

    async enroll(machine: object): Promise<void> {
      const values = [this.id, randomUUID(), this.#session, machine];
      await this.#client.query("select deadheat_fleet.enroll($1, $2, $3, $4, '{}', '0.1.0', 60000, true)", values);
    }

    /** The token of a run that it takes in hand, as soon as there is one. */
    async take(): Promise<string> {
      for (;;) {
        const taken = await this.ask('select token from deadheat_fleet.take($1, $2, 60000)', []);
        if (typeof taken === 'string') return taken;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    async store(
      token: string,
      { host, trial, record }: { host: object; trial: unknown; record?: Buffer | undefined },
    ): Promise<unknown> {
      const call = "select deadheat_fleet.store($1, $2, $3, $4, $5, false, '[]', $6, $6)";
      return this.ask(call, [token, host, JSON.stringify(trial), record ?? null]);
    }

    /** The first column of the first row. */
    async ask(call: string, values: readonly unknown[]): Promise<unknown> {
      const { rows } = await this.#client.query<Record<string, unknown>>(call, [this.id, this.#session, ...values]);
      return Object.values(rows[0] ?? {})[0];
    }
  }

  const experiment =
    "insert into deadheat_fleet.experiment (id, name, tool_version, definition, code) values ('e', 'e', '0.1.0', '{}', '{}')";
  const worker =
    "insert into deadheat_fleet.worker (id, machine, labels, tool_version) values ('w', '{}', '{}', '0.1.0')";

  it.each([
    ['an attempt at the end of the numbers', 'attempt', '2147483647'],
    ['an attempt before the first', 'attempt', '0'],
    ['a negative run', 'run', '-5'],
    ['a negative benchmark', 'benchmark', '-1'],
    ['an unknown phase', 'phase', "'loop'"],
    ['an unknown method', 'method', "'guess'"],
  ])('is no run with %s', async (_what, column, value) => {
    const client = await open();
    await client.query(`${experiment}; ${worker}`);
    const row = {
      experiment: "'e'",
      benchmark: '0',
      phase: "'measure'",
      run: '0',
      attempt: '1',
      method: 'null',
      [column]: value,
    };
    const insert = `insert into deadheat_fleet.run (${Object.keys(row).join(', ')}, state, token, worker)
      values (${Object.values(row).join(', ')}, 'queued', gen_random_uuid(), 'w')`;
    await expect(client.query(insert)).rejects.toMatchObject({ code: '23514' });
  });

  it.each(['', '.', '../e', 'a/b', 'e'.repeat(41)])('is no experiment with the id %j', async (id) => {
    const client = await open();
    await expect(client.query(experiment.replace("'e'", `'${id}'`))).rejects.toMatchObject({ code: '23514' });
  });

  it('ends no worker: a run that cannot be made is refused, and the next is made', async () => {
    await open();
    const executing = scene.worker('w');
    await executing.until('ready');
    scene.sql(`${experiment};
      insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker)
      select 'e', 99, 'measure', 0, 'queued', gen_random_uuid(), id from deadheat_fleet.worker`);
    await executing.until('run-refused');
    expect(scene.sql('select state from deadheat_fleet.run')).toBe('refused');
    const { outcome } = await scene.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 2 } }));
    expect(outcome).toEqual({ kind: 'done' });
  });

  it('ends no worker, whatever rows it puts together', async () => {
    const client = await open();
    const random = createRandom('rows of a fleet');
    const executing = scene.worker('w');
    await executing.until('ready');
    await scene.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 2 } }), { directory: scene.path('model') });
    const right =
      (await client.query<Record<string, unknown>>('select * from deadheat_fleet.experiment')).rows[0] ?? {};
    const rightRun = (await client.query<Record<string, unknown>>('select * from deadheat_fleet.run')).rows[0] ?? {};
    const numbers = [-2_147_483_648, -1, 0, 1, 2, 99, 1_000_000, 2_147_483_647];
    const texts = [
      '',
      '.',
      '..',
      '../e',
      'a b',
      "it's",
      'e',
      'x'.repeat(300),
      '\u001b[2J',
      '😀',
      '0.1.0',
      '99.0.0',
      'measure',
      'tandem',
    ];
    const values = ['{}', '[]', '1', 'null', '"text"', '{"config":{}}', `${'['.repeat(500)}${']'.repeat(500)}`];

    function one<T>(of: readonly T[]): T | undefined {
      return of[random.int(of.length)];
    }

    /** A row like another one, but for some columns. */
    function changed(
      row: Record<string, unknown>,
      columns: Readonly<Record<string, readonly unknown[]>>,
    ): Record<string, unknown> {
      const changes = Object.entries(columns).flatMap(([name, of]) =>
        random.next() < 0.2 ? [[name, one(of)] as const] : [],
      );
      return { ...row, ...Object.fromEntries(changes) };
    }

    async function insert(table: string, row: Record<string, unknown>): Promise<boolean> {
      const names = Object.keys(row);
      const given = names.map((name) =>
        row[name] !== null && typeof row[name] === 'object' && !(row[name] instanceof Date)
          ? JSON.stringify(row[name])
          : row[name],
      );
      const places = names.map((_, index) => `$${index + 1}`);
      try {
        await client.query(
          `insert into deadheat_fleet.${table} (${names.join(', ')}) values (${places.join(', ')})`,
          given,
        );
        return true;
      } catch (error) {
        expect((error as { readonly code: string }).code, JSON.stringify(row)).toMatch(/^2[23]/);
        return false;
      }
    }

    let taken = 0;
    for (let number = 0; number < rowCount; number++) {
      const json = values.map((text) => JSON.parse(text) as unknown);
      const experiment = changed(
        { ...right, id: `e${number}`, state: 'running' },
        {
          id: texts,
          name: texts,
          tool_version: texts,
          definition: json,
          code: json,
          planned_runs: numbers,
          priority: numbers,
          wish: json,
          failure: texts,
        },
      );
      if (!(await insert('experiment', experiment))) continue;
      const run = changed(
        { ...rightRun, experiment: experiment['id'], state: 'queued', token: randomUUID(), session: null },
        {
          benchmark: numbers,
          phase: texts,
          run: numbers,
          attempt: numbers,
          method: [...texts, null],
          failure: texts,
          state: ['lost', 'active', 'queued'],
          session: [randomUUID()],
        },
      );
      if (await insert('run', run)) taken++;
    }
    expect(taken).toBeGreaterThan(rowCount / 20);
    // What it cannot make it refuses; what is nobody's stays.
    const left = "select count(*) from deadheat_fleet.run where state = 'queued'";
    while (Number((await client.query<{ count: string }>(left)).rows[0]?.count) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const view = await openFleetView(scene.url(), {});
    onTestFinished(() => view.close());
    expect(await view.experiments(1000)).not.toEqual([]);
    expect(await view.workers()).toMatchObject([{ left: false }]);
    const { outcome } = await scene.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 2 } }), {
      directory: scene.path('after'),
    });
    expect(outcome).toEqual({ kind: 'done' });
  });

  it('shows no definition, and stores no result, with a token that was overheard', async () => {
    const client = await open();
    const owner = new Impostor('owner', client);
    const listener = new Impostor('listener', client);
    for (const one of [owner, listener]) await one.enroll({});
    await client.query(`${experiment};
      insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker)
      values ('e', 0, 'measure', 0, 'queued', gen_random_uuid(), 'owner')`);
    const token = await owner.take();
    const call = 'select name from deadheat_fleet.describe($1, $2, $3)';
    expect(await listener.ask(call, [token])).toBe(undefined);
    expect(await listener.store(token, { host: {}, trial: {} })).toBe(false);
    await listener.ask('select deadheat_fleet.refuse($1, $2, $3, $4)', [token, 'no']);
    await listener.ask('select deadheat_fleet.give_back($1, $2, $3)', [token]);
    expect(scene.sql('select state from deadheat_fleet.run')).toBe('active');
    expect(await owner.ask(call, [token])).toBe('e');
    expect(await owner.store(token, { host: {}, trial: {} })).toBe(true);
    expect(scene.sql('select worker from deadheat_fleet.run_result')).toBe('owner');
    // Its run is over.
    expect(await owner.ask(call, [token])).toBe(undefined);
  });

  it('describes a machine that cannot be read, which all others are shown beside', async () => {
    const client = await open();
    await new Impostor('odd', client).enroll({});
    const view = await openFleetView(scene.url(), {});
    onTestFinished(() => view.close());
    expect(await view.workers()).toMatchObject([{ id: 'odd', machine: null }]);
  });

  describe('as the result of a run', () => {
    interface Result {
      host: { id: string } & Record<string, unknown>;
      trial: Record<string, unknown>;
      record: Buffer | undefined;
    }

    const bomb = gzipSync(Buffer.alloc(400_000_000, ' '));

    it.each<[string, (right: Result) => Result]>([
      ['of another worker', (right) => ({ ...right, host: { ...right.host, id: 'honest' } })],
      ['of another run', (right) => ({ ...right, trial: { ...right.trial, run: 3 } })],
      ['that is none', (right) => ({ ...right, trial: {} })],
      ['with a record that unpacks to 400 MB', (right) => ({ ...right, record: bomb })],
      ['with a record that is not packed', (right) => ({ ...right, record: Buffer.from('no gzip') })],
      ['with a record that cannot be read', (right) => ({ ...right, record: gzipSync('{"deadheat":1,\n') })],
    ])(
      'is not taken where it is one %s: the run is made by others, and none is credited to it',
      async (_what, change) => {
        const client = await open();
        const { machine } = await readOwnMachine({ cpus: null, ownCpu: null });
        const draft = timedDraft({ A: 4e5, B: 8e5 }, { stop: { kind: 'runs', runs: 4 } });
        // What an honest worker stores.
        const model = scene.worker('model');
        await model.until('ready');
        await scene.submit(draft, { directory: scene.path('before') });
        await model.end();
        const { rows: stored } = await client.query<{ trial: object; record: Buffer }>(
          'select trial, record_a as record from deadheat_fleet.run_result order by run limit 1',
        );
        const impostor = new Impostor('impostor', client);
        await impostor.enroll(machine);
        const submitted = scene.submit(draft);
        const token = await impostor.take();
        const { rows } = await client.query<{ benchmark: number; phase: string; run: number }>(
          'select benchmark, phase, run from deadheat_fleet.run where token = $1',
          [token],
        );
        const [one] = stored;
        const right = {
          host: { id: 'impostor', machine, labels: {} },
          trial: { ...one?.trial, ...rows[0] },
          record: one?.record,
        };
        await scene.worker('honest').until('ready');
        expect(await impostor.store(token, change(right))).toBe(true);
        const { outcome, report } = await submitted;
        expect(outcome).toEqual({ kind: 'done' });
        expect(report.comparisons[0]).toMatchObject({ runs: 4, verdict: 'slower' });
        expect(submitted.notices).toContain(
          'worker impostor brought what is no result of its run; its runs go elsewhere',
        );
        expect(
          scene.sql("select count(*) from deadheat_fleet.run where worker = 'impostor' and state = 'gathered'"),
        ).toBe('0');
      },
    );
  });
});
