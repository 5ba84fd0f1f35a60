import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readOwnMachine, type ForeignRun, type GuestRules, type WantedRun } from '@deadheat/engine';
import { HistoryError } from '@deadheat/history';
import type { Host, Machine, RunPhase } from '@deadheat/model';
import type { Client } from 'pg';
import { workerChannel, Link } from '../database/link.ts';
import { migrateFleet } from '../database/migrate.ts';
import { Queue } from '../database/queue.ts';
import { takeWorkerLock } from '../worker-rows.ts';
import { FleetError } from '../fleet-error.ts';
import { KeptResults, type KeptResult } from './kept-results.ts';
import { lockMachine, workerIdentity } from './machine.ts';
import type { Permissions } from './permissions.ts';
import {
  prepareExperiment,
  type PreparedExperiment,
  type ReadExperiment,
  type SubmittedExperiment,
} from './prepare-experiment.ts';
import type { WorkerEvent } from './worker-event.ts';

export interface WorkerOptions {
  /** The fleet's database. */
  readonly url: string;
  /** Environment of the worker, of which submitted programs inherit a part. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
  /** What containers are kept to; what is absent is as usual. */
  readonly confinement?: Partial<GuestRules['confinement']>;
  readonly toolVersion: string;
  readonly readExperiment: ReadExperiment;
  /** Folder of the worker: its id, clones, and results until they are stored. */
  readonly folder: string;
  /** Folder of the lock that one worker a machine holds. */
  readonly lockFolder: string;
  /** CPUs for the sides; `null` = choose. */
  readonly cpus: readonly number[] | null;
  /** CPU on which the worker itself runs while a run is timed; `null` = one that no side uses, if there is one. */
  readonly ownCpu: number | null;
  /** Ends the worker in order: the current run is given back to the queue. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Pause after which an idle worker checks its queue without a notification, ms. */
const idlePauseMs = 2000;

/**
 * Time to wait for the lock of a killed worker, ms: it is released when the server notices the end of its connection.
 */
const lockPatienceMs = 5000;

/** How long a worker that is to end waits for the database, ms. */
const endPatienceMs = 5000;

const compress = promisify(gzip);

/** The outcome of an attempt. */
type Attempt =
  | { readonly kind: 'kept' }
  | { readonly kind: 'refused'; readonly message: string }
  /** The attempt was cancelled, or the worker ends. */
  | { readonly kind: 'ended' };

interface Claim extends WantedRun {
  readonly token: string;
  readonly submitted: SubmittedExperiment;
  readonly name: string;
}

/**
 * Executes runs for a fleet until the signal aborts, one at a time, each in child processes. While a run is timed, this
 * process does not communicate with the database.
 *
 * @throws FleetError `WORKER_RUNS`, `BAD_URL`, `NO_SCHEMA`, `OLDER_SCHEMA`, `NEWER_SCHEMA`; HistoryError when the
 *   database refuses; CpuError for CPUs that cannot be used
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const free = lockMachine(options.lockFolder);
  try {
    const machine = await readOwnMachine(options);
    const worker = new Worker(options, { id: workerIdentity(options.folder), machine });
    await worker.run();
  } finally {
    free();
  }
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #id: string;
  readonly #machine: Machine;
  readonly #session = randomUUID();
  readonly #kept: KeptResults;
  readonly #prepared = new Map<string, PreparedExperiment>();
  #link: Link | null = null;
  #queue: Queue | null = null;
  /** Ends the pause of an idle worker. */
  #waking = new AbortController();
  /** Tokens of attempts that were cancelled since the last run began. */
  readonly #cancelled = new Set<string>();
  /** The current run. */
  #current: { readonly token: string; readonly cancel: AbortController } | null = null;

  constructor(options: WorkerOptions, { id, machine }: { readonly id: string; readonly machine: Machine }) {
    this.#options = options;
    this.#id = id;
    this.#machine = machine;
    this.#kept = new KeptResults(join(options.folder, 'results'));
  }

  async run(): Promise<void> {
    const { url, variables, signal, onEvent, cpus } = this.#options;
    const giveUp = new AbortController();
    const end = (): void => {
      this.#waking.abort();
      if (this.#link === null) giveUp.abort();
      else setTimeout(() => giveUp.abort(), endPatienceMs).unref();
    };
    signal.addEventListener('abort', end);
    let isFirst = true;
    try {
      this.#link = await Link.open({
        url,
        variables,
        // A worker begins with its machine, whatever else is up by then.
        waits: true,
        // What is finished when the end is asked for is still stored, if that is soon possible; else it is when the worker comes back.
        signal: giveUp.signal,
        onConnect: async (client) => {
          await this.#enroll(client, isFirst);
          isFirst = false;
        },
        onNotification: ({ payload = '' }) => this.#hear(payload),
        onLost: ({ message }) => onEvent({ kind: 'connection-lost', message }),
        onFound: () => onEvent({ kind: 'connection-found' }),
      });
      onEvent({ kind: 'ready', worker: this.#id, cpus });
      while (!signal.aborted) {
        await this.#deliver();
        const claim = await this.#claim();
        if (claim === null) {
          await this.#closeFinished();
          await this.#idle();
        } else await this.#make(claim);
      }
      await this.#leave();
    } catch (error) {
      if (!giveUp.signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', end);
      for (const prepared of this.#prepared.values()) await prepared.close().catch(() => undefined);
      await this.#link?.close();
    }
  }

  async #leave(): Promise<void> {
    await this.#store((client) => client.query('select deadheat_fleet.leave($1, $2)', [this.#id, this.#session]));
  }

  /** Makes a connection this worker's: schema, lock, channel, and its row. */
  async #enroll(client: Client, isFirst: boolean): Promise<void> {
    const { url, labels, toolVersion } = this.#options;
    await migrateFleet(client, { place: url });
    this.#queue = await Queue.open(client);
    const { rows } = await client.query<{ readonly number: number; readonly is_open: boolean }>(
      'select number from deadheat_fleet.worker where id = $1',
      [this.#id],
    );
    const known = rows[0]?.number ?? null;
    // Before the row is written: it belongs to whoever holds the lock.
    if (known !== null) await this.#lock(client, known, isFirst);
    const enrolled = await client.query<{ readonly number: number }>(
      'select deadheat_fleet.enroll($1, $2, $3, $4, $5) as number',
      [this.#id, this.#session, JSON.stringify(this.#machine), JSON.stringify(labels), toolVersion],
    );
    const number = enrolled.rows[0]?.number ?? 0;
    if (known === null) await this.#lock(client, number, isFirst);
    await client.query(`listen ${workerChannel(number)}`);
    await this.#checkCurrent(client);
  }

  async #lock(client: Client, number: number, isFirst: boolean): Promise<void> {
    for (let waitedMs = 0; !(await takeWorkerLock(client, number)); waitedMs += 250) {
      if (waitedMs >= lockPatienceMs) {
        if (!isFirst)
          throw new HistoryError('NO_CONNECTION', 'The lock of this worker is still held by its lost connection.');
        throw new FleetError(
          'WORKER_RUNS',
          `The worker ${this.#id} runs already, elsewhere. Two with the same id, as copies of one disk have it, cannot: remove ` +
            `${join(this.#options.folder, 'worker-id')} on one of them.`,
        );
      }
      await sleep(250);
    }
  }

  /** Ends the run in hand when it was cancelled or given to another worker while there was no connection. */
  async #checkCurrent(client: Client): Promise<void> {
    const current = this.#current;
    if (current === null) return;
    const { rows } = await client.query(
      "select from deadheat_fleet.run where token = $1 and state in ('active', 'lost')",
      [current.token],
    );
    if (rows.length === 0) current.cancel.abort();
  }

  #hear(payload: string): void {
    const [word, token] = payload.split(' ');
    if (word === 'cancel' && token !== undefined) {
      this.#cancelled.add(token);
      if (this.#current?.token === token) this.#current.cancel.abort();
    }
    this.#waking.abort();
  }

  async #idle(): Promise<void> {
    if (this.#options.signal.aborted) return;
    this.#waking = new AbortController();
    await sleep(idlePauseMs, undefined, { signal: this.#waking.signal }).catch(() => undefined);
  }

  /** Takes the next run in hand. */
  async #claim(): Promise<Claim | null> {
    return this.#store(async (client) => {
      for (;;) {
        const token = (await this.#heldToken(client)) ?? (await this.#queue?.fetch(this.#id)) ?? null;
        if (token === null) return null;
        const { rows } = await client.query<{ readonly claimed: boolean }>(
          'select deadheat_fleet.claim($1, $2, $3) as claimed',
          [token, this.#id, this.#session],
        );
        if (rows[0]?.claimed === true) return this.#describe(client, token);
        // Cancelled, or given to another worker.
        await this.#queue?.complete({ token, worker: this.#id });
      }
    });
  }

  /** A run that was taken in hand by a transaction whose answer was lost. */
  async #heldToken(client: Client): Promise<string | null> {
    const { rows } = await client.query<{ readonly token: string }>(
      "select token from deadheat_fleet.run where worker = $1 and session = $2 and state = 'active' limit 1",
      [this.#id, this.#session],
    );
    return rows[0]?.token ?? null;
  }

  async #describe(client: Client, token: string): Promise<Claim> {
    const { rows } = await client.query<{
      readonly experiment: string;
      readonly benchmark: number;
      readonly phase: RunPhase;
      readonly run: number;
      readonly method: WantedRun['method'];
      readonly name: string;
      readonly tool_version: string;
      readonly definition: unknown;
      readonly code: unknown;
    }>(
      `select r.experiment, r.benchmark, r.phase, r.run, r.method, e.name, e.tool_version, e.definition, e.code
       from deadheat_fleet.run r join deadheat_fleet.experiment e on e.id = r.experiment where r.token = $1`,
      [token],
    );
    const [row] = rows;
    if (row === undefined) throw new RangeError(`the run of ${token} has gone`);
    const { experiment: id, benchmark, phase, run, method, name, tool_version: toolVersion, definition, code } = row;
    return { token, benchmark, phase, run, method, name, submitted: { id, toolVersion, definition, code } };
  }

  async #make(claim: Claim): Promise<void> {
    const { signal, onEvent } = this.#options;
    const { token, submitted } = claim;
    const cancel = new AbortController();

    function stop(): void {
      cancel.abort();
    }

    signal.addEventListener('abort', stop);
    this.#current = { token, cancel };
    // It may have been reported while the run was taken in hand.
    if (this.#cancelled.has(token) || signal.aborted) cancel.abort();
    this.#cancelled.clear();
    let attempt: Attempt;
    try {
      attempt = await this.#attempt(claim, cancel.signal);
    } finally {
      this.#current = null;
      signal.removeEventListener('abort', stop);
    }
    switch (attempt.kind) {
      case 'kept':
        if (await this.#deliver()) onEvent({ kind: 'run-stored', experiment: submitted.id, token });
        return;
      case 'refused':
        return this.#refuse(claim, attempt.message);
      case 'ended':
        return this.#giveBack(claim);
    }
  }

  async #attempt(claim: Claim, signal: AbortSignal): Promise<Attempt> {
    const { token, benchmark, phase, run, method, submitted, name } = claim;
    try {
      const { experiment, runner } = await this.#prepare(submitted, signal);
      const called = experiment.config.benchmarks[benchmark]?.name ?? '';
      const started = { benchmark: called, phase, run, method };
      this.#options.onEvent({ kind: 'run-started', experiment: submitted.id, name, ...started });
      const result = await runner.run(claim, signal);
      if (result.kind === 'given-up') return { kind: 'refused', message: 'it took far longer than its time limit' };
      if (result.kind === 'not-run') {
        const [failure] = result.failures;
        return failure === undefined ? { kind: 'ended' } : { kind: 'refused', message: failure.message };
      }
      this.#kept.keep(await this.#toKept(token, result, runner.machine));
      return { kind: 'kept' };
    } catch (error) {
      if (signal.aborted) return { kind: 'ended' };
      if (!hasCode(error)) throw error;
      return { kind: 'refused', message: error.message };
    }
  }

  async #prepare(submitted: SubmittedExperiment, signal: AbortSignal): Promise<PreparedExperiment> {
    const known = this.#prepared.get(submitted.id);
    if (known !== undefined) return known;
    const prepared = await prepareExperiment(submitted, { ...this.#options, signal });
    this.#prepared.set(submitted.id, prepared);
    return prepared;
  }

  async #toKept(token: string, { trial, records, isCut, warnings }: ForeignRun, machine: Machine): Promise<KeptResult> {
    async function packed(text: string | null): Promise<string | null> {
      return text === null ? null : (await compress(text)).toString('base64');
    }

    const host: Host = { id: this.#id, machine, labels: { ...this.#options.labels } };
    return {
      token,
      host,
      trial,
      isCut,
      warnings: [...warnings],
      records: { A: await packed(records.A), B: await packed(records.B) },
    };
  }

  /** Stores what is finished, each result and the end of its job in one transaction; says whether all of it counted. */
  async #deliver(): Promise<boolean> {
    let allCounted = true;
    for (const result of this.#kept.list()) {
      const { token, host, trial, isCut, warnings, records } = result;

      function unpacked(text: string | null): Buffer | null {
        return text === null ? null : Buffer.from(text, 'base64');
      }

      const values = [JSON.stringify(host), JSON.stringify(trial), isCut, JSON.stringify(warnings)];
      const stored = await this.#store(async (client) => {
        const { rows } = await client.query<{ readonly stored: boolean }>(
          'select deadheat_fleet.store($1, $2, $3, $4, $5, $6, $7) as stored',
          [token, ...values, unpacked(records.A), unpacked(records.B)],
        );
        await this.#queue?.complete({ token, worker: this.#id });
        return rows[0]?.stored === true;
      });
      this.#kept.drop(token);
      if (!stored) this.#options.onEvent({ kind: 'run-dropped', token });
      allCounted &&= stored;
    }
    return allCounted;
  }

  async #refuse({ token, submitted }: Claim, message: string): Promise<void> {
    await this.#end(token, (client) =>
      client.query('select deadheat_fleet.refuse($1, $2)', [token, `${this.#id}: ${message}`]),
    );
    this.#options.onEvent({ kind: 'run-refused', experiment: submitted.id, message });
  }

  async #giveBack({ token, submitted }: Claim): Promise<void> {
    await this.#end(token, (client) => client.query('select deadheat_fleet.give_back($1)', [token]));
    const why = this.#options.signal.aborted ? 'given-back' : 'cancelled';
    this.#options.onEvent({ kind: 'run-ended', experiment: submitted.id, why });
  }

  async #end(token: string, say: (client: Client) => Promise<unknown>): Promise<void> {
    await this.#store(async (client) => {
      await say(client);
      await this.#queue?.complete({ token, worker: this.#id });
    });
  }

  /** Cleans up after experiments that are over. */
  async #closeFinished(): Promise<void> {
    if (this.#prepared.size === 0) return;
    const open = [...this.#prepared.keys()];
    const { rows } = await this.#store((client) =>
      client.query<{ readonly id: string }>(
        "select id from deadheat_fleet.experiment where id = any($1) and state = 'running'",
        [open],
      ),
    );
    const running = new Set(rows.map(({ id }) => id));
    for (const [id, prepared] of this.#prepared) {
      if (running.has(id)) continue;
      this.#prepared.delete(id);
      await prepared.close();
    }
  }

  #store<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#link === null) throw new RangeError('there is no connection yet');
    return this.#link.store(work);
  }
}

/** Whether an error is one that is reported to the submitter: of a closed list, none of Node's or the system's. */
function hasCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && !('errno' in error);
}
