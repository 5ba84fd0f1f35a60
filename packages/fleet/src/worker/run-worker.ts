import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readOwnMachine, type ForeignRun, type GuestRules, type WantedRun } from '@deadheat/engine';
import type { Host, Machine } from '@deadheat/model';
import type { Client } from 'pg';
import { isDirect, listen, workerChannel, Link } from '../database/link.ts';
import { migrateFleet } from '../database/migrate.ts';
import { FleetError } from '../fleet-error.ts';
import { KeptResults, type KeptResult } from './kept-results.ts';
import { lockMachine, workerIdentity, type WorkerIdentity } from './machine.ts';
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
  /** Length of its lease, ms: a worker that hangs for longer counts as gone. */
  readonly leaseMs?: number;
  /** Stands for this machine, where only the fleet is looked at: its facts, and what makes its runs. */
  readonly simulated?: { readonly machine: Machine; readonly prepare: typeof prepareExperiment };
  /** Ends the worker in order: the current run is given back to the queue. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Longest pause after which an idle worker asks for runs without a notification, ms. */
const longestIdleMs = 10_000;

/** Pause of a worker that no notifications reach, for as long after its last run, ms. */
const briskIdle = { pauseMs: 500, forMs: 30_000 };

const defaultLeaseMs = 30_000;

/** A run that takes this many times as long as the longest before is taken for one that hangs. */
const longestTimes = 10;

/** How often a run is begun again that took far longer than its time limit, which hanging machines do to it. */
const mostAttempts = 3;

/**
 * Time to wait for the end of an earlier process of this worker, ms; behind a pooler, which hides it, that of a lease is added.
 */
const enrollPatienceMs = 5000;

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
  readonly experiment: string;
  /** 1 = the first. */
  readonly attempt: number;
}

/** An experiment that is ready, and how long the runs of each benchmark took here. */
interface KnownExperiment {
  readonly name: string;
  readonly prepared: PreparedExperiment;
  /** By benchmark: how many, and the longest after the first, which executes setup and warm-up, ms. */
  readonly durations: Map<number, { readonly runs: number; readonly longestMs: number }>;
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
    const machine = options.simulated?.machine ?? (await readOwnMachine(options));
    const worker = new Worker(options, { identity: workerIdentity(options.folder), machine });
    await worker.run();
  } finally {
    free();
  }
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #id: string;
  readonly #secret: string;
  readonly #machine: Machine;
  readonly #session = randomUUID();
  readonly #kept: KeptResults;
  readonly #known = new Map<string, KnownExperiment>();
  readonly #leaseMs: number;
  /** When the lease runs out, by `performance.now()`. */
  #leasedUntilMs = 0;
  #link: Link | null = null;
  /** Whether notifications reach this process. */
  #hears = false;
  /** When the last run ended, by `performance.now()`. */
  #workedAtMs = -Infinity;
  /** Whether a notification came since runs were last asked for. */
  #isCalled = false;
  /** Ends the pause of an idle worker. */
  #waking = new AbortController();
  /** Tokens of attempts that were cancelled since the last run began. */
  readonly #cancelled = new Set<string>();
  /** The current run. */
  #current: { readonly token: string; readonly cancel: AbortController } | null = null;

  constructor(
    options: WorkerOptions,
    { identity, machine }: { readonly identity: WorkerIdentity; readonly machine: Machine },
  ) {
    this.#options = options;
    this.#id = identity.id;
    this.#secret = identity.secret;
    this.#machine = machine;
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
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
        this.#isCalled = false;
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
      for (const { prepared } of this.#known.values()) await prepared.close().catch(() => undefined);
      await this.#link?.close();
    }
  }

  async #leave(): Promise<void> {
    await this.#store((client) => client.query('select deadheat_fleet.leave($1, $2)', [this.#id, this.#session]));
  }

  /** Makes a connection this worker's: schema, row with its lease, and channel. */
  async #enroll(client: Client, isFirst: boolean): Promise<void> {
    const { url, labels, toolVersion } = this.#options;
    await migrateFleet(client, { place: url });
    const direct = await isDirect(client);
    if (direct) await client.query(keepalive);
    const patienceMs = enrollPatienceMs + (direct ? 0 : this.#leaseMs);
    for (let waitedMs = 0; ; waitedMs += 250) {
      // A lease that was longer because of the run in hand stays.
      const leaseMs = Math.max(this.#leaseMs, this.#leasedUntilMs - performance.now());
      const { rows } = await client.query<{ readonly number: number }>(
        'select deadheat_fleet.enroll($1, $2, $3, $4, $5, $6, $7, $8) as number',
        [
          this.#id,
          this.#secret,
          this.#session,
          JSON.stringify(this.#machine),
          JSON.stringify(labels),
          toolVersion,
          leaseMs,
          direct,
        ],
      );
      const number = rows[0]?.number ?? 0;
      if (number > 0) {
        this.#leasedUntilMs = performance.now() + leaseMs;
        this.#hears = await listen(client, workerChannel(number));
        break;
      }
      if (number === 0 && waitedMs < patienceMs && isFirst)
        await sleep(250, undefined, { signal: this.#options.signal });
      else throw this.#isElsewhere();
    }
    // Ends the run in hand when it was cancelled or given to another worker while there was no connection.
    if (this.#current !== null && !(await this.#renew(client, this.#leaseMs))) this.#current.cancel.abort();
  }

  #isElsewhere(): FleetError {
    return new FleetError(
      'WORKER_RUNS',
      `The worker ${this.#id} runs already, elsewhere. Two with the same id, as copies of one disk have it, cannot: remove ` +
        `${join(this.#options.folder, 'worker-id')} on one of them.`,
    );
  }

  /** Renews the lease, unless it is longer; returns whether the run in hand, if there is one, still counts. */
  async #renew(client: Client, leaseMs: number): Promise<boolean> {
    const askedMs = performance.now();
    const asked = Math.max(leaseMs, this.#leasedUntilMs - askedMs);
    const { rows } = await client.query<{ readonly counts: boolean }>(
      'select deadheat_fleet.renew($1, $2, $3, $4) as counts',
      [this.#id, this.#session, asked, this.#current?.token ?? null],
    );
    this.#leasedUntilMs = askedMs + asked;
    return rows[0]?.counts === true;
  }

  #hear(payload: string): void {
    const [word, token] = payload.split(' ');
    if (word === 'cancel' && token !== undefined) {
      this.#cancelled.add(token);
      if (this.#current?.token === token) this.#current.cancel.abort();
    }
    this.#isCalled = true;
    this.#waking.abort();
  }

  async #idle(): Promise<void> {
    this.#waking = new AbortController();
    if (this.#isCalled || this.#options.signal.aborted) return;
    const isBrisk = !this.#hears && performance.now() - this.#workedAtMs < briskIdle.forMs;
    const pauseMs = isBrisk ? briskIdle.pauseMs : Math.min(longestIdleMs, this.#leaseMs / 3);
    await sleep(pauseMs, undefined, { signal: this.#waking.signal }).catch(() => undefined);
  }

  /** Takes the next run in hand. */
  async #claim(): Promise<Claim | null> {
    const askedMs = performance.now();
    const { rows } = await this.#store((client) =>
      client.query<Claim & { readonly is_worker: boolean }>('select * from deadheat_fleet.take($1, $2, $3)', [
        this.#id,
        this.#session,
        this.#leaseMs,
      ]),
    );
    this.#leasedUntilMs = askedMs + this.#leaseMs;
    const [row] = rows;
    if (row?.is_worker === false) throw this.#isElsewhere();
    return row ?? null;
  }

  /** What is to be executed for a run. */
  async #describe({ token, experiment: id }: Claim): Promise<SubmittedExperiment & { readonly name: string }> {
    const { rows } = await this.#store((client) =>
      client.query<{
        readonly name: string;
        readonly tool_version: string;
        readonly definition: unknown;
        readonly code: unknown;
      }>('select * from deadheat_fleet.describe($1)', [token]),
    );
    const [row] = rows;
    // The run was given to another worker or removed at this moment.
    if (row === undefined) throw new FleetError('NOT_FOUND', `the experiment ${id} has gone`);
    return { id, name: row.name, toolVersion: row.tool_version, definition: row.definition, code: row.code };
  }

  async #make(claim: Claim): Promise<void> {
    const { signal, onEvent } = this.#options;
    const { token, experiment } = claim;
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
      this.#workedAtMs = performance.now();
      signal.removeEventListener('abort', stop);
    }
    switch (attempt.kind) {
      case 'kept':
        if (await this.#deliver()) onEvent({ kind: 'run-stored', experiment, token });
        return;
      case 'refused':
        return this.#refuse(claim, attempt.message);
      case 'ended':
        return this.#giveBack(claim);
    }
  }

  async #attempt(claim: Claim, signal: AbortSignal): Promise<Attempt> {
    const { token, benchmark, phase, run, method, experiment: id, attempt } = claim;
    const heart = this.#beat();
    try {
      const { prepared, name, durations } = await this.#prepare(claim, signal);
      const { experiment, runner } = prepared;
      const called = experiment.config.benchmarks[benchmark]?.name ?? '';
      this.#options.onEvent({ kind: 'run-started', experiment: id, name, benchmark: called, phase, run, method });
      const before = durations.get(benchmark) ?? { runs: 0, longestMs: 0 };
      if (before.longestMs > 0) {
        await heart.stop();
        await this.#lease(before.longestMs * longestTimes * 2 ** (attempt - 1));
      }
      const beganMs = performance.now();
      const result = await runner.run(claim, signal);
      if (result.kind === 'given-up') {
        return attempt < mostAttempts
          ? { kind: 'ended' }
          : { kind: 'refused', message: 'it took far longer than its time limit' };
      }
      if (result.kind === 'not-run') {
        const [failure] = result.failures;
        return failure === undefined ? { kind: 'ended' } : { kind: 'refused', message: failure.message };
      }
      const longestMs = before.runs === 0 ? 0 : Math.max(before.longestMs, performance.now() - beganMs);
      durations.set(benchmark, { runs: before.runs + 1, longestMs });
      this.#kept.keep(await this.#toKept(token, result, runner.machine));
      return { kind: 'kept' };
    } catch (error) {
      if (signal.aborted) return { kind: 'ended' };
      if (!hasCode(error)) throw error;
      return { kind: 'refused', message: error.message };
    } finally {
      await heart.stop();
    }
  }

  /** Renews the lease from time to time until it is stopped, and ends the run in hand when that does not count any more. */
  #beat(): { readonly stop: () => Promise<void> } {
    const current = this.#current;
    let beating: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      beating = this.#use((client) => this.#renew(client, this.#leaseMs)).then(
        (counts) => {
          if (!counts) current?.cancel.abort();
        },
        () => undefined,
      );
    }, this.#leaseMs / 3);
    return {
      stop: async () => {
        clearInterval(timer);
        await beating;
      },
    };
  }

  /** Sees to it that the lease holds for a time, so that nothing has to be told meanwhile. */
  async #lease(ms: number): Promise<void> {
    const left = this.#leasedUntilMs - performance.now();
    // Most runs are so short that what was leased when they were taken in hand is enough.
    if (left >= ms) return;
    const counts = await this.#use((client) => this.#renew(client, Math.max(ms, this.#leaseMs)));
    if (!counts) this.#current?.cancel.abort();
  }

  async #prepare(claim: Claim, signal: AbortSignal): Promise<KnownExperiment> {
    const before = this.#known.get(claim.experiment);
    if (before !== undefined) return before;
    const { name, ...submitted } = await this.#describe(claim);
    const prepare = this.#options.simulated?.prepare ?? prepareExperiment;
    const prepared = await prepare(submitted, { ...this.#options, signal });
    const known = { name, prepared, durations: new Map() };
    this.#known.set(claim.experiment, known);
    return known;
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
        return rows[0]?.stored === true;
      });
      this.#kept.drop(token);
      if (!stored) this.#options.onEvent({ kind: 'run-dropped', token });
      allCounted &&= stored;
    }
    return allCounted;
  }

  async #refuse({ token, experiment }: Claim, message: string): Promise<void> {
    await this.#store((client) =>
      client.query('select deadheat_fleet.refuse($1, $2)', [token, `${this.#id}: ${message}`]),
    );
    this.#options.onEvent({ kind: 'run-refused', experiment, message });
  }

  async #giveBack({ token, experiment }: Claim): Promise<void> {
    await this.#store((client) => client.query('select deadheat_fleet.give_back($1)', [token]));
    const why = this.#options.signal.aborted ? 'given-back' : 'cancelled';
    this.#options.onEvent({ kind: 'run-ended', experiment, why });
  }

  /** Cleans up after experiments that are over. */
  async #closeFinished(): Promise<void> {
    if (this.#known.size === 0) return;
    const { rows } = await this.#store((client) =>
      client.query<{ readonly id: string }>('select deadheat_fleet.running($1) as id', [[...this.#known.keys()]]),
    );
    const running = new Set(rows.map(({ id }) => id));
    for (const [id, { prepared }] of this.#known) {
      if (running.has(id)) continue;
      this.#known.delete(id);
      await prepared.close();
    }
  }

  #use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#link === null) throw new RangeError('there is no connection yet');
    return this.#link.use(work);
  }

  #store<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#link === null) throw new RangeError('there is no connection yet');
    return this.#link.store(work);
  }
}

/**
 * Seconds after which the server asks a connection that is silent whether it is there, pause and number of further questions: a machine
 * that vanished without a word is given up after 14 s. The kernel of a living machine answers by itself.
 */
const keepalive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2';

/** Whether an error is one that is reported to the submitter: of a closed list, none of Node's or the system's. */
function hasCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && !('errno' in error);
}
