import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { CollectedRun, WantedRun } from '@deadheat/engine';
import { type Experiment, hostSchema, trialSchema, warningSchema } from '@deadheat/model';
import { z } from 'zod';
import type { Code } from '../code.ts';
import { createFleetSchema, recordLimits } from '../database/fleet-schema.ts';
import { ask, call, Link, type LinkOptions, listen } from '../database/link.ts';
import { FleetError } from '../fleet-error.ts';
import { type FleetExperiment, type KnownWorker, readWorkers } from '../fleet-view.ts';

const decompress = promisify(gunzip);

/** The workers that an experiment may use. */
export const reachSchema = z.object({
  /** The number of hosts; `null` = all. */
  hosts: z.int().positive().nullable(),
  /** Labels that a worker must have. */
  labels: z.record(z.string(), z.string()).readonly(),
  /** Ids of workers that are not to be used. */
  excluded: z.array(z.string()).readonly(),
  /** Ids of the only workers that are to be used; empty = all may. */
  pinned: z.array(z.string()).readonly().default([]),
});
export type Reach = Readonly<z.infer<typeof reachSchema>>;

/** The workers that an experiment of a version may use. */
export interface HostWish extends Reach {
  readonly toolVersion: string;
}

/** A run that was dispatched and has no result yet. */
export interface RunUnderWay extends WantedRun {
  readonly state: 'queued' | 'active' | 'lost' | 'refused';
  readonly token: string;
  /** Id of the worker that executes the run. */
  readonly host: string;
  readonly attempt: number;
  readonly failure: string | null;
}

/** A run for the queue of a worker. */
export interface PlacedRun extends WantedRun {
  /** Id of the worker. */
  readonly worker: string;
  /** Token of the attempt that it replaces; `null` = it is the first. */
  readonly instead: string | null;
}

/** A result as a worker stored it. */
export interface StoredRun {
  readonly token: string;
  /** Id of the worker that had the run, as the database says. */
  readonly worker: string;
  /** The result without its records; `null` = it is of another run or host, or cannot be read. */
  readonly made: Omit<CollectedRun, 'records'> | null;
  /** Its records; `null` = they cannot be unpacked. */
  readonly unpack: () => Promise<CollectedRun['records'] | null>;
}

/** Functions of the fleet's schema that change an experiment, with their arguments after its id. */
interface Changes {
  /** Has a run whose result cannot be used made again, by others than its worker, which gets no more runs that others lose. */
  readonly reject: readonly [token: string];
  /** Marks results as stored on the submitter's disk. */
  readonly gather: readonly [tokens: readonly string[]];
  /** Cancels runs that are no longer needed; those that are being executed are ended. */
  readonly cancel_runs: readonly [tokens: readonly string[]];
  /** Ends the experiment and cancels its runs without a result. */
  readonly finish: readonly [state: 'done' | 'failed' | 'cancelled', failure: string | null];
  readonly dispatch: readonly [runs: string, notifies: boolean];
}

/** Most results that are fetched at once, and how large their records are in sum unless it is one. */
const batch = { runs: 50, bytes: 64 << 20 };

/** For how long workers are not read again, ms: each result asks for the standing, and there may be thousands of workers. */
const workersForMs = 500;

/**
 * One experiment in the fleet's database, for its submitter, who reads and changes it. Every operation may be executed
 * twice.
 */
export class Dispatcher {
  readonly #link: Link;
  readonly #id: string;
  readonly #connection: { readonly hears: boolean };
  /** As they were last read, by `performance.now()`. */
  #workers: { readonly atMs: number; readonly rows: readonly KnownWorker[] } = { atMs: -Infinity, rows: [] };

  private constructor(id: string, link: Link, connection: { readonly hears: boolean }) {
    this.#id = id;
    this.#link = link;
    this.#connection = connection;
  }

  /** True when notifications of changes arrive; else a pooler is in between, and changes have to be asked for. */
  get hears(): boolean {
    return this.#connection.hears;
  }

  /**
   * @param options.onChange is called when something changed
   * @throws as `Link.open` and `createFleetSchema`
   */
  static async open(
    id: string,
    { onChange, ...options }: Omit<LinkOptions, 'onConnect' | 'onNotification'> & { readonly onChange: () => void },
  ): Promise<Dispatcher> {
    const connection = { hears: false };
    const link = await Link.open({
      ...options,
      onConnect: async (client) => {
        await createFleetSchema(client, options.url);
        connection.hears = await listen(client, `deadheat_experiment_${id}`);
      },
      onNotification: onChange,
    });
    return new Dispatcher(id, link, connection);
  }

  async submit(
    experiment: Experiment,
    facts: {
      readonly code: Code;
      readonly toolVersion: string;
      readonly plannedRuns: number;
      readonly priority: number;
      /** Which workers may take over runs of those that are lost; `null` = only this process gives them to others. */
      readonly takenOverBy: Reach | null;
    },
  ): Promise<void> {
    const { code, toolVersion, plannedRuns, priority, takenOverBy } = facts;
    const stored = [JSON.stringify(experiment), JSON.stringify(code)];
    const wish = takenOverBy === null ? null : JSON.stringify(takenOverBy);
    const row = [this.#id, experiment.config.name, toolVersion, ...stored, plannedRuns, priority, wish];
    await this.#link.use((client) => call(client, 'submit', row));
  }

  /**
   * Continues an experiment whose submitter ended or that was cancelled.
   *
   * @throws FleetError `NOT_FOUND`, `EXPERIMENT_OVER`
   */
  async reopen(): Promise<void> {
    const state = (await this.#link.use((client) => ask<string>(client, 'reopen', [this.#id]))) ?? null;
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

  /** The state of the experiment, all workers, and its runs without a result. */
  async standing(): Promise<{
    readonly state: FleetExperiment['state'];
    readonly workers: readonly KnownWorker[];
    readonly underWay: readonly RunUnderWay[];
  }> {
    return this.#link.use(async (client) => {
      const experiment = await client.query<Pick<FleetExperiment, 'state'>>(
        'select state from deadheat_fleet.experiment where id = $1',
        [this.#id],
      );
      const { rows: underWay } = await client.query<RunUnderWay>(
        `select benchmark, phase, run, method, state, token, worker as host, attempt, failure from deadheat_fleet.run
         where experiment = $1 and state in ('queued', 'active', 'lost', 'refused') order by queued_at, benchmark, run`,
        [this.#id],
      );
      const atMs = performance.now();
      if (atMs - this.#workers.atMs > workersForMs) this.#workers = { atMs, rows: await readWorkers(client) };
      return { state: experiment.rows[0]?.state ?? 'cancelled', workers: this.#workers.rows, underWay };
    });
  }

  /** Results that were not gathered yet, the oldest first; at most so many and so large at once, so that they fit into memory. */
  async results(): Promise<readonly StoredRun[]> {
    const { rows } = await this.#link.use((client) => client.query<ResultRow>(resultsSql, [this.#id]));
    return rows.map(toStoredRun);
  }

  /**
   * Puts runs into the queues of workers. A run that was dispatched before gets a new attempt; from then on only its
   * token is valid.
   *
   * @param notifies true = this process is notified of the end of each run
   */
  async dispatch(runs: readonly PlacedRun[], { notifies }: { readonly notifies: boolean }): Promise<void> {
    if (runs.length === 0) return;
    await this.change('dispatch', JSON.stringify(runs), notifies);
    // After the runs can be seen: a worker that found none before has no run in hand now. Nobody is woken while it measures.
    await this.#link.use((client) =>
      client.query(
        `select pg_notify('deadheat_worker_' || w.number, 'job') from deadheat_fleet.worker w
         where w.id = any($1) and not exists (select from deadheat_fleet.run r where r.worker = w.id and r.state = 'active')`,
        [[...new Set(runs.map(({ worker }) => worker))]],
      ),
    );
  }

  async close(): Promise<void> {
    await this.#link.close();
  }

  async change<Name extends keyof Changes>(name: Name, ...args: Changes[Name]): Promise<void> {
    await this.#link.store((client) => call(client, name, [this.#id, ...args]));
  }
}

const resultsSql = `
select token, worker, benchmark, phase, run, host, trial, is_cut as "isCut", warnings, record_a as "recordA", record_b as "recordB"
from (
  select t.*, row_number() over oldest as place,
    sum(coalesce(octet_length(t.record_a), 0) + coalesce(octet_length(t.record_b), 0)) over oldest as bytes
  from deadheat_fleet.run r join deadheat_fleet.run_result t using (experiment, benchmark, phase, run)
  where r.experiment = $1 and r.state = 'done' window oldest as (order by t.stored_at, t.benchmark, t.run)
) result where place = 1 or (place <= ${batch.runs} and bytes <= ${batch.bytes}) order by place`;

interface ResultRow extends Omit<PlacedRun, 'method' | 'instead'> {
  readonly token: string;
  readonly recordA: Buffer | null;
  readonly recordB: Buffer | null;
}

/** The columns of a result that a worker filled as it liked. */
const madeSchema = z.object({
  host: hostSchema,
  trial: trialSchema,
  isCut: z.boolean(),
  warnings: z.array(warningSchema),
});

/** Checks a result against the database, which knows whose run it was, and which. */
function toStoredRun({ token, worker, benchmark, phase, run, recordA, recordB, ...row }: ResultRow): StoredRun {
  const made = madeSchema.safeParse(row).data;
  const { trial } = made ?? {};
  const isOfRun = trial?.benchmark === benchmark && trial.phase === phase && trial.run === run;

  async function unpacked(packed: Buffer | null): Promise<string | null> {
    if (packed === null) return null;
    return (await decompress(packed, { maxOutputLength: recordLimits.unpacked })).toString('utf8');
  }

  return {
    token,
    worker,
    made: made?.host.id === worker && isOfRun ? made : null,
    unpack: async () => {
      try {
        return { A: await unpacked(recordA), B: await unpacked(recordB) };
      } catch {
        return null;
      }
    },
  };
}
