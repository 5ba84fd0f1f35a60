import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { CollectedRun, WantedRun } from '@deadheat/engine';
import { hostSchema, trialSchema, warningSchema, type Experiment } from '@deadheat/model';
import type { Client } from 'pg';
import { z } from 'zod';
import type { Code } from '../code.ts';
import { experimentChannel, fleetChannel, workerChannel, Link } from '../database/link.ts';
import { migrateFleet } from '../database/migrate.ts';
import { Queue, type Job } from '../database/queue.ts';
import { FleetError } from '../fleet-error.ts';
import { readWorkers, type KnownWorker } from '../worker-rows.ts';

const decompress = promisify(gunzip);

/** A run that was dispatched and has no result yet. */
export interface RunUnderWay extends WantedRun {
  readonly state: 'queued' | 'active' | 'lost' | 'refused';
  readonly token: string;
  /** Id of the worker that executes the run. */
  readonly host: string;
  readonly attempt: number;
  readonly failure: string | null;
}

export interface Standing {
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly workers: readonly KnownWorker[];
  readonly underWay: readonly RunUnderWay[];
}

/** A result with the token of its attempt. */
export interface StoredRun extends CollectedRun {
  readonly token: string;
}

export interface DispatcherOptions {
  readonly url: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Called when something changed, and when the connection came back. */
  readonly onChange: () => void;
  readonly onLost: (error: Error) => void;
  readonly onFound: () => void;
}

/** Most results that are fetched at once. */
const batch = 50;

/**
 * One experiment in the fleet's database, for its submitter, who reads and changes it. Every operation may be executed
 * twice.
 */
export class Dispatcher {
  readonly #link: Link;
  /** Of the connection that is open. */
  readonly #queues: WeakMap<Client, Queue>;
  readonly #id: string;

  private constructor(link: Link, { id, queues }: { readonly id: string; readonly queues: WeakMap<Client, Queue> }) {
    this.#link = link;
    this.#queues = queues;
    this.#id = id;
  }

  /** @throws as `Link.open` and `migrateFleet` */
  static async open(id: string, options: DispatcherOptions): Promise<Dispatcher> {
    const { url, variables, signal, onChange, onLost, onFound } = options;
    const queues = new WeakMap<Client, Queue>();
    const link = await Link.open({
      url,
      variables,
      signal,
      onConnect: async (client) => {
        await migrateFleet(client, { place: url });
        queues.set(client, await Queue.open(client));
        await client.query(`listen "${experimentChannel(id)}"`);
      },
      onNotification: () => onChange(),
      onLost,
      onFound: () => {
        onFound();
        onChange();
      },
    });
    return new Dispatcher(link, { id, queues });
  }

  async submit(
    experiment: Experiment,
    { code, toolVersion }: { readonly code: Code; readonly toolVersion: string },
  ): Promise<void> {
    await this.#link.use((client) =>
      client.query(
        `insert into deadheat_fleet.experiment (id, name, tool_version, definition, code) values ($1, $2, $3, $4, $5)
         on conflict (id) do nothing`,
        [this.#id, experiment.config.name, toolVersion, JSON.stringify(experiment), JSON.stringify(code)],
      ),
    );
  }

  /**
   * Continues an experiment whose submitter ended or that was cancelled.
   *
   * @throws FleetError `NOT_FOUND`, `EXPERIMENT_OVER`
   */
  async reopen(): Promise<void> {
    const state = await this.#link.transaction(async (client) => {
      const { rows } = await client.query<{ readonly state: string }>(
        'select state from deadheat_fleet.experiment where id = $1 for update',
        [this.#id],
      );
      const [row] = rows;
      if (row?.state !== 'cancelled') return row?.state ?? null;
      await client.query("update deadheat_fleet.experiment set state = 'running' where id = $1", [this.#id]);
      return 'running';
    });
    if (state === null) {
      throw new FleetError('NOT_FOUND', `The fleet at ${this.#link.url} knows no experiment ${this.#id} any more.`);
    }
    if (state === 'failed') {
      throw new FleetError(
        'EXPERIMENT_OVER',
        `The experiment ${this.#id} failed in the fleet and cannot go on. Remove the cause, and submit it again; deadheat analyse ` +
          'judges what is in its recording.',
      );
    }
  }

  async workers(): Promise<readonly KnownWorker[]> {
    return this.#link.use(readWorkers);
  }

  async standing(): Promise<Standing> {
    return this.#link.use(async (client) => {
      const experiment = await client.query<Pick<Standing, 'state'>>(
        'select state from deadheat_fleet.experiment where id = $1',
        [this.#id],
      );
      const { rows: underWay } = await client.query<RunUnderWay>(
        `select benchmark, phase, run, method, state, token, worker as host, attempt, failure from deadheat_fleet.run
         where experiment = $1 and state in ('queued', 'active', 'lost', 'refused') order by queued_at, benchmark, run`,
        [this.#id],
      );
      return { state: experiment.rows[0]?.state ?? 'cancelled', workers: await readWorkers(client), underWay };
    });
  }

  /** Results that were not gathered yet, the oldest first. */
  async results(): Promise<readonly StoredRun[]> {
    const { rows } = await this.#link.use((client) =>
      client.query<ResultRow>(
        `select t.token, t.host, t.trial, t.is_cut, t.warnings, t.record_a, t.record_b
         from deadheat_fleet.run r join deadheat_fleet.run_result t using (experiment, benchmark, phase, run)
         where r.experiment = $1 and r.state = 'done' order by t.stored_at, t.benchmark, t.run limit ${batch}`,
        [this.#id],
      ),
    );
    return Promise.all(rows.map(toStoredRun));
  }

  /** Marks results as stored on the submitter's disk. */
  async gathered(tokens: readonly string[]): Promise<void> {
    await this.#link.store((client) =>
      client.query("update deadheat_fleet.run set state = 'gathered' where token = any($1) and state = 'done'", [
        tokens,
      ]),
    );
  }

  /**
   * Puts runs into the queues of workers. A run that was dispatched before gets a new attempt; from then on only its
   * token is valid.
   */
  async dispatch(
    runs: readonly {
      readonly place: WantedRun;
      readonly worker: KnownWorker;
      /** The attempt that it replaces; `null` = it is the first. */
      readonly instead: RunUnderWay | null;
      /** Whether the worker waits for it. */
      readonly wake: boolean;
    }[],
  ): Promise<void> {
    if (runs.length === 0) return;
    const tokens = runs.map(() => randomUUID());
    await this.#link.store(async (client) => {
      const jobs: Job[] = [];
      const old: Job[] = [];
      for (const [index, { place, worker, instead }] of runs.entries()) {
        const token = tokens[index] ?? '';
        const { benchmark, phase, run, method } = place;
        const values = [this.#id, benchmark, phase, run, token, worker.id];
        const { rowCount } = await client.query(
          instead === null
            ? `insert into deadheat_fleet.run (experiment, benchmark, phase, run, state, token, worker, method)
               values ($1, $2, $3, $4, 'queued', $5, $6, $7)
               on conflict (experiment, benchmark, phase, run) do update
               set state = 'queued', token = excluded.token, worker = excluded.worker, method = excluded.method, session = null,
                 attempt = run.attempt + 1, queued_at = now(), started_at = null
               where run.state = 'cancelled'`
            : `update deadheat_fleet.run set state = 'queued', token = $5, worker = $6, session = null, attempt = attempt + 1,
                 queued_at = now(), started_at = null
               where experiment = $1 and benchmark = $2 and phase = $3 and run = $4 and token = $7
                 and state in ('queued', 'active', 'lost')`,
          [...values, instead === null ? method : instead.token],
        );
        // The result of the earlier attempt has arrived in the meantime.
        if (rowCount === 0) continue;
        jobs.push({ token, worker: worker.id, isUrgent: instead !== null });
        if (instead !== null) old.push({ token: instead.token, worker: instead.host });
      }
      const queue = this.#queue(client);
      await queue.cancel(old);
      await queue.send(jobs);
      await client.query(
        `update deadheat_fleet.experiment set planned_runs =
           (select count(*) from deadheat_fleet.run where experiment = $1 and state <> 'cancelled' and phase <> 'pilot') where id = $1`,
        [this.#id],
      );
      for (const { worker, wake } of runs) {
        if (wake) await client.query('select pg_notify($1, $2)', [workerChannel(worker.number), 'job']);
      }
      await client.query('select pg_notify($1, $2)', [fleetChannel, '']);
    });
  }

  /** Cancels runs that are no longer needed; those that are being executed are ended. */
  async cancel(runs: readonly RunUnderWay[]): Promise<void> {
    if (runs.length === 0) return;
    await this.#link.store((client) =>
      cancelRuns(client, { queue: this.#queue(client), experiment: this.#id, tokens: runs.map(({ token }) => token) }),
    );
  }

  /** Ends the experiment and cancels its runs without a result. */
  async end(state: 'done' | 'failed' | 'cancelled', failure: string | null): Promise<void> {
    await this.#link.store((client) =>
      endExperiment(client, { queue: this.#queue(client), experiment: this.#id, state, failure }),
    );
  }

  async close(): Promise<void> {
    await this.#link.close();
  }

  #queue(client: Client): Queue {
    const queue = this.#queues.get(client);
    if (queue === undefined) throw new RangeError('the queues are opened with the connection');
    return queue;
  }
}

/** Ends a running experiment and cancels its runs; returns `false` when it has already ended. */
export async function endExperiment(
  client: Client,
  {
    queue,
    experiment,
    state,
    failure,
  }: {
    readonly queue: Queue;
    readonly experiment: string;
    readonly state: 'done' | 'failed' | 'cancelled';
    readonly failure: string | null;
  },
): Promise<boolean> {
  const { rowCount } = await client.query(
    "update deadheat_fleet.experiment set state = $2, failure = $3 where id = $1 and state = 'running'",
    [experiment, state, failure],
  );
  await cancelRuns(client, { queue, experiment, tokens: null });
  await client.query('select pg_notify($1, $2), pg_notify($3, $2)', [experimentChannel(experiment), '', fleetChannel]);
  return rowCount === 1;
}

/** Cancels the attempts with these tokens; `null` = all without a result. */
async function cancelRuns(
  client: Client,
  facts: { readonly queue: Queue; readonly experiment: string; readonly tokens: readonly string[] | null },
): Promise<void> {
  const { rows } = await client.query<{ readonly token: string; readonly worker: string; readonly number: number }>(
    `update deadheat_fleet.run r set state = 'cancelled', finished_at = now() from deadheat_fleet.worker w
     where w.id = r.worker and r.experiment = $1 and r.state in ('queued', 'active', 'lost')
       and ($2::uuid[] is null or r.token = any($2))
     returning r.token, r.worker, w.number`,
    [facts.experiment, facts.tokens],
  );
  await facts.queue.cancel(rows);
  for (const { number, token } of rows) {
    await client.query('select pg_notify($1, $2)', [workerChannel(number), `cancel ${token}`]);
  }
}

interface ResultRow {
  readonly token: string;
  readonly host: unknown;
  readonly trial: unknown;
  readonly is_cut: boolean;
  readonly warnings: unknown;
  readonly record_a: Buffer | null;
  readonly record_b: Buffer | null;
}

async function toStoredRun(row: ResultRow): Promise<StoredRun> {
  async function unpack(packed: Buffer | null): Promise<string | null> {
    return packed === null ? null : (await decompress(packed)).toString('utf8');
  }

  return {
    token: row.token,
    host: hostSchema.parse(row.host),
    trial: trialSchema.parse(row.trial),
    isCut: row.is_cut,
    warnings: z.array(warningSchema).parse(row.warnings),
    records: { A: await unpack(row.record_a), B: await unpack(row.record_b) },
  };
}
