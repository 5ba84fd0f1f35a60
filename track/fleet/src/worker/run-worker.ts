import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ForeignRun, readOwnMachine, type WantedRun } from '@deadheat/engine';
import { HistoryError } from '@deadheat/history';
import { type Host, type Machine, methodSchema, runPhaseSchema, type Side, sides } from '@deadheat/model';
import { makeFolder } from '@deadheat/recording';
import type { Client } from 'pg';
import { z } from 'zod';
import { createFleetSchema, recordLimits } from '../database/fleet-schema.ts';
import { ask, Bell, call, isDirect, Link, listen } from '../database/link.ts';
import { FleetError } from '../fleet-error.ts';
import { type KeptResult, KeptResults, lockMachine, Room, workerIdentity, type WorkerIdentity } from './machine.ts';
import {
  type PreparedExperiment,
  prepareExperiment,
  type PrepareOptions,
  type SubmittedExperiment,
} from './prepare-experiment.ts';

/** A worker: `signal` ends it in order, so that the current run is given back to the queue. */
export interface WorkerOptions extends PrepareOptions {
  /** The fleet's database. */
  readonly url: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Folder of the lock that one worker a machine holds. */
  readonly lockFolder: string;
  /** Length of its lease, ms: a worker that hangs for longer counts as gone. */
  readonly leaseMs?: number;
  /** Stands for this machine, where only the fleet is looked at: its facts, and what makes its runs. */
  readonly simulated?: { readonly machine: Machine; readonly prepare: typeof prepareExperiment };
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Longest pause after which an idle worker asks for runs without a notification, ms. */
const longestIdleMs = 10_000;

/** Pause of a worker that no notifications reach, for as long after its last run, ms. */
const briskIdle = { pauseMs: 500, forMs: 30_000 };

const defaultLeaseMs = 30_000;

/** A run that takes this many times as long as the median of the last ones is taken for one that hangs. */
const usualTimes = 10;

/** The number of them. */
const mostDurations = 15;

/** Attempts from which on the limit no longer doubles. */
const mostDoublings = 10;

/** The time limit of an attempt, ms, after runs that took so long. One during which the machine hung does not change that. */
export function allowedMs(lastMs: readonly number[], attempt: number): number {
  const median = lastMs.toSorted((a, b) => a - b)[Math.floor((lastMs.length - 1) / 2)] ?? 0;
  return median * usualTimes * 2 ** Math.min(attempt - 1, mostDoublings);
}

/** The number of times that a run is begun again that took far longer than its time limit, which hanging machines do to it. */
const mostAttempts = 3;

/**
 * Time to wait for the end of an earlier process of this worker, ms; behind a pooler, which hides it, that of a lease is added.
 */
const enrollPatienceMs = 5000;

/** The time that a worker that is to end waits for the database, ms. */
const endPatienceMs = 5000;

const compress = promisify(gzip);

/** The outcome of an attempt. */
type Attempt =
  /** `ended`: the attempt was cancelled, or the worker ends, or another attempt may succeed. */
  | { readonly kind: 'kept' | 'ended' }
  /** `no-room`: this machine has no room for it; another one may. */
  | { readonly kind: 'refused' | 'no-room'; readonly message: string };

/** A run that was taken, as the database gives it; who submits may have written anything. */
const claimSchema = z.object({
  token: z.string(),
  /** Names a folder. */
  experiment: z.string().regex(/^[\w-]{1,60}$/),
  benchmark: z.int().nonnegative(),
  phase: runPhaseSchema,
  run: z.int().nonnegative(),
  method: methodSchema.nullable(),
  /** 1 = the first. */
  attempt: z.int().positive(),
});
type Claim = Readonly<z.infer<typeof claimSchema>> & WantedRun;

/** A run that this worker took. */
interface RunInHand {
  readonly claim: Claim;
  readonly cancel: AbortController;
  /** Settles at the end of the run, and never rejects. */
  readonly landing: Promise<void>;
}
type Hand = Omit<RunInHand, 'landing'>;

/** An experiment that is ready, and how long the runs of each benchmark took here. */
interface KnownExperiment {
  readonly name: string;
  readonly prepared: PreparedExperiment;
  /** By benchmark: how many, and what the last ones took but for the very first, which executes setup and warm-up, ms. */
  readonly durations: Map<number, { readonly runs: number; readonly lastMs: readonly number[] }>;
}

/**
 * Executes runs for a fleet until the signal aborts, each in child processes: tandems in several lanes, every other run alone. While
 * the machine is one run's alone and that is timed, this process does not communicate with the database.
 *
 * @throws FleetError `DISK_FULL`, `WORKER_RUNS`, `BAD_URL`, `NO_SCHEMA`, `NEWER_SCHEMA`; HistoryError when the
 *   database refuses; DeadheatError for CPUs that cannot be used
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const free = await lockMachine(options.lockFolder);
  try {
    const { simulated, folder } = options;
    const own = simulated === undefined ? await readOwnMachine(options) : { machine: simulated.machine, cores: 1 };
    const room = new Room(folder);
    const results = join(folder, 'results');
    let identity: WorkerIdentity;
    try {
      await makeFolder(results, 0o700);
      identity = workerIdentity(folder);
    } catch (cause) {
      const lack = room.lackBy(cause);
      if (lack === null) throw cause;
      throw new FleetError('DISK_FULL', `The worker cannot begin: ${lack}, or name another folder.`, { cause });
    }
    await new Worker(options, { ...own, ...identity, room, kept: new KeptResults(results) }).run();
  } finally {
    free();
  }
}

/** The machine of a worker, its identity, and its folder. */
interface Own extends WorkerIdentity, Pick<Awaited<ReturnType<typeof readOwnMachine>>, 'machine' | 'cores'> {
  readonly room: Room;
  readonly kept: KeptResults;
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #id: string;
  readonly #secret: string;
  readonly #machine: Machine;
  /** The most runs at the same time. */
  readonly #lanes: number;
  readonly #session = randomUUID();
  readonly #kept: KeptResults;
  readonly #known = new Map<string, KnownExperiment>();
  readonly #leaseMs: number;
  /** When the lease runs out, by `performance.now()`. */
  #leasedUntilMs = 0;
  #link: Link | null = null;
  /** True when notifications reach this process. */
  #hears = false;
  /** When the last run ended, by `performance.now()`. */
  #workedAtMs = -Infinity;
  /** Rings at a notification, and ends the pause of an idle worker. */
  readonly #bell = new Bell();
  /** Tokens of attempts that were cancelled since the machine was idle last. */
  readonly #cancelled = new Set<string>();
  /** The runs in hand, by token. */
  readonly #hands = new Map<string, RunInHand>();
  /** Why the worker cannot go on. */
  #failure: { readonly error: unknown } | null = null;
  readonly #room: Room;
  /** Why this machine takes no runs; `null` = it has room. */
  #lack: string | null = null;
  #delivered: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerOptions, { id, secret, machine, cores, room, kept }: Own) {
    this.#options = options;
    this.#id = id;
    this.#secret = secret;
    this.#machine = machine;
    this.#lanes = Math.min(cores, options.lanes ?? Infinity);
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
    this.#kept = kept;
    this.#room = room;
  }

  async run(): Promise<void> {
    const { url, variables, signal, onEvent } = this.#options;
    const giveUp = new AbortController();
    const end = (): void => {
      this.#bell.ring();
      for (const { cancel } of this.#hands.values()) cancel.abort();
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
        // Results that are finished when the end is asked for are still stored, if that is soon possible; else when the worker comes back.
        signal: giveUp.signal,
        onConnect: async (client) => {
          await createFleetSchema(client, url);
          // Without room it stays away until there is some.
          if (this.#lack !== null) return;
          await this.#enroll(client, isFirst);
          isFirst = false;
        },
        onNotification: ({ payload = '' }) => this.#hear(payload),
        onLost: ({ message }) => onEvent({ kind: 'connection-lost', message: `${message} Waiting for it` }),
        onFound: () => onEvent({ kind: 'connection-found', message: 'the database is there again' }),
      });
      onEvent({ kind: 'ready', message: `worker ${this.#id} is ready` });
      while (!signal.aborted) await this.#step();
      await this.#landed();
      await this.#leave();
    } catch (error) {
      if (!giveUp.signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', end);
      for (const { cancel } of this.#hands.values()) cancel.abort();
      await Promise.all(this.#flights());
      for (const { prepared } of this.#known.values()) await prepared.close().catch(() => undefined);
      await this.#link?.close();
    }
  }

  /** Takes the next run in hand, if there is one and a lane for it; else waits for what comes first. */
  async #step(): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#lack !== null) return this.#waitForRoom(this.#lack);
    await this.#deliver();
    const [first] = this.#hands.values();
    const lanes = first === undefined ? 1 : (this.#known.get(first.claim.experiment)?.prepared.runner.lanes ?? 1);
    this.#bell.still();
    const claim = this.#hands.size < lanes ? await this.#claim() : null;
    if (claim !== null) return this.#begin(claim);
    // All of them may have ended while a run was asked for.
    if (first !== undefined) return Promise.race([first.landing, ...this.#flights()]);
    this.#cancelled.clear();
    await this.#closeFinished();
    await this.#idle();
  }

  /** Begins a run: beside others where it may be, else when they are over, and then waits for its end. */
  async #begin(claim: Claim): Promise<void> {
    const others = this.#flights();
    const isShared = this.#mayShare(claim);
    const begun = isShared ? Promise.resolve() : Promise.all(others);
    const cancel = new AbortController();
    const landing = begun
      .then(async () => this.#make({ claim, cancel }))
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => this.#hands.delete(claim.token));
    this.#hands.set(claim.token, { claim, cancel, landing });
    if (!isShared) await landing;
  }

  #flights(): readonly Promise<void>[] {
    return [...this.#hands.values()].map(({ landing }) => landing);
  }

  /** Waits for the end of all runs in hand. */
  async #landed(): Promise<void> {
    await Promise.all(this.#flights());
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Checks whether a run may be in flight beside those in hand: they are of one experiment, whose priority was the highest. */
  #mayShare(claim: Claim): boolean {
    const isOwn = [...this.#hands.values()].every((hand) => hand.claim.experiment === claim.experiment);
    return isOwn && this.#known.get(claim.experiment)?.prepared.runner.mayShare(claim) === true;
  }

  /** Leaves the fleet until there is room, so that its runs go to others. */
  async #waitForRoom(lack: string): Promise<void> {
    const { signal, onEvent } = this.#options;
    await this.#landed();
    const meanwhile = 'until then this worker takes no runs, and what it had in hand goes to others';
    onEvent({ kind: 'disk-full', message: `${lack}; ${meanwhile}` });
    await this.#leave();
    await this.#room.wait(signal);
    this.#lack = null;
    if (signal.aborted) return;
    await this.#open.use((client) => this.#enroll(client, false));
    onEvent({ kind: 'disk-found', message: 'there is room on the disk again' });
  }

  async #leave(): Promise<void> {
    await this.#call('leave', [this.#id, this.#session]);
  }

  /** Makes a connection this worker's: schema, row with its lease, and channel. */
  async #enroll(client: Client, isFirst: boolean): Promise<void> {
    const { labels, toolVersion } = this.#options;
    const direct = await isDirect(client);
    if (direct) await client.query(keepalive);
    const patienceMs = enrollPatienceMs + (direct ? 0 : this.#leaseMs);
    for (let waitedMs = 0; ; waitedMs += 250) {
      // A lease that was longer because of the run in hand stays.
      const leaseMs = Math.max(this.#leaseMs, this.#leasedUntilMs - performance.now());
      const described = [JSON.stringify(this.#machine), JSON.stringify(labels), toolVersion];
      const row = [this.#id, this.#secret, this.#session, ...described, leaseMs, direct, this.#lanes];
      const number = (await ask<number>(client, 'enroll', row)) ?? 0;
      if (number > 0) {
        this.#leasedUntilMs = performance.now() + leaseMs;
        this.#hears = await listen(client, `deadheat_worker_${number}`);
        break;
      }
      if (number === 0 && waitedMs < patienceMs && isFirst)
        await sleep(250, undefined, { signal: this.#options.signal });
      else throw this.#isElsewhere();
    }
    // Ends the runs in hand that were cancelled or given to another worker while there was no connection.
    for (const hand of this.#hands.values()) await this.#renew(client, hand, this.#leaseMs);
  }

  #isElsewhere(): FleetError {
    return new FleetError(
      'WORKER_RUNS',
      `The worker ${this.#id} runs already, elsewhere. Two with the same id, as copies of one disk have it, cannot: remove ` +
        `${join(this.#options.folder, 'worker-id')} on one of them.`,
    );
  }

  /** Renews the lease, unless it is longer, and ends a run in hand that does not count any more. */
  async #renew(client: Client, { claim, cancel }: Hand, leaseMs: number): Promise<void> {
    const askedMs = performance.now();
    const asked = Math.max(leaseMs, this.#leasedUntilMs - askedMs);
    const counts = await ask<boolean>(client, 'renew', [this.#id, this.#session, asked, claim.token]);
    this.#leasedUntilMs = askedMs + asked;
    if (counts !== true) cancel.abort();
  }

  #hear(payload: string): void {
    const [word, token] = payload.split(' ');
    if (word === 'cancel' && token !== undefined) {
      this.#cancelled.add(token);
      this.#hands.get(token)?.cancel.abort();
    }
    this.#bell.ring();
  }

  async #idle(): Promise<void> {
    if (this.#options.signal.aborted) return;
    const isBrisk = !this.#hears && performance.now() - this.#workedAtMs < briskIdle.forMs;
    const pauseMs = isBrisk ? briskIdle.pauseMs : Math.min(longestIdleMs, this.#leaseMs / 3);
    await this.#bell.wait(pauseMs);
  }

  /** Takes the next run in hand. */
  async #claim(): Promise<Claim | null> {
    const askedMs = performance.now();
    const held = [...this.#hands.keys()];
    // A lease that is longer because of a run in hand stays.
    const leaseMs = held.length === 0 ? this.#leaseMs : Math.max(this.#leaseMs, this.#leasedUntilMs - askedMs);
    const [row] = await this.#call<{
      readonly token: string;
      readonly experiment: string;
      readonly is_worker: boolean;
    }>('take', [this.#id, this.#session, leaseMs, held]);
    this.#leasedUntilMs = askedMs + leaseMs;
    if (row === undefined) return null;
    if (!row.is_worker) throw this.#isElsewhere();
    const claim = claimSchema.safeParse(row);
    if (claim.success) return claim.data;
    await this.#refuse(row, 'its row in the fleet is none of a run');
    return this.#claim();
  }

  async #make(hand: Hand): Promise<void> {
    const { claim, cancel } = hand;
    // It may have been reported while the run was taken in hand.
    if (this.#cancelled.has(claim.token) || this.#options.signal.aborted) cancel.abort();
    const attempt = await this.#attempt(hand);
    this.#workedAtMs = performance.now();
    if (attempt.kind === 'kept') return this.#deliver();
    if (attempt.kind === 'refused') return this.#refuse(claim, attempt.message);
    if (attempt.kind === 'no-room') this.#lack = attempt.message;
    return this.#giveBack(claim);
  }

  async #attempt(hand: Hand): Promise<Attempt> {
    const { claim, cancel } = hand;
    const { signal } = cancel;
    const { token, benchmark, phase, run, method, attempt } = claim;
    const heart = this.#beat(hand);

    /** The outcome of an attempt that others may make with success; the reason ends the experiment when several had it. */
    function again(kind: 'ended' | 'no-room', message: string): Attempt {
      return { kind: attempt < mostAttempts ? kind : 'refused', message };
    }

    try {
      const { prepared, name, durations } = await this.#prepare(claim, signal);
      const { experiment, runner } = prepared;
      const called = experiment.config.benchmarks[benchmark]?.name;
      if (called === undefined) return { kind: 'refused', message: `the experiment has no benchmark ${benchmark}` };
      const what = `${phase === 'pilot' ? 'pilot run' : 'run'} ${run} of ${called}${method === null ? '' : ` by ${method}`}`;
      this.#options.onEvent({ kind: 'run-started', message: `${claim.experiment} ${name}: ${what}` });
      const { runs, lastMs } = durations.get(benchmark) ?? { runs: 0, lastMs: [] };
      if (lastMs.length > 0) {
        await heart.stop();
        await this.#lease(hand, allowedMs(lastMs, attempt));
      }
      const beganMs = performance.now();
      const result = await runner.run(claim, signal);
      if (result.kind === 'given-up') return again('ended', 'it took far longer than its time limit');
      const [failure] = result.kind === 'not-run' ? result.failures : result.isCut ? [] : result.trial.failures;
      const lack = failure === undefined ? null : this.#room.lack();
      if (lack !== null) return again('no-room', lack);
      if (result.kind === 'not-run') {
        return failure === undefined ? { kind: 'ended' } : { kind: 'refused', message: failure.message };
      }
      const tookMs = runs === 0 ? [] : [performance.now() - beganMs];
      durations.set(benchmark, { runs: runs + 1, lastMs: [...lastMs, ...tookMs].slice(-mostDurations) });
      const kept = await this.#toKept(token, result, runner.machine);
      if (kept === null) return { kind: 'refused', message: tooLarge };
      this.#kept.keep(kept);
      return { kind: 'kept' };
    } catch (error) {
      if (signal.aborted) return { kind: 'ended' };
      if (error instanceof HistoryError) throw error;
      const lack = this.#room.lackBy(error);
      if (lack !== null) return again('no-room', lack);
      const message = error instanceof Error ? error.message : String(error);
      // What the system refused here it may grant elsewhere, or later.
      if (error instanceof Error && 'errno' in error) return again('ended', message);
      return { kind: 'refused', message };
    } finally {
      await heart.stop();
    }
  }

  /** Renews the lease from time to time until it is stopped, and ends the run in hand when that does not count any more. */
  #beat(hand: Hand): { readonly stop: () => Promise<void> } {
    let beating: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      beating = this.#open.use((client) => this.#renew(client, hand, this.#leaseMs)).catch(() => undefined);
    }, this.#leaseMs / 3);
    return {
      stop: async () => {
        clearInterval(timer);
        await beating;
      },
    };
  }

  /** Sees to it that the lease holds for a time, so that nothing has to be sent meanwhile. */
  async #lease(hand: Hand, ms: number): Promise<void> {
    const left = this.#leasedUntilMs - performance.now();
    // Most runs are so short that what was leased when they were taken in hand is enough.
    if (left >= ms) return;
    await this.#open.use((client) => this.#renew(client, hand, Math.max(ms, this.#leaseMs)));
  }

  async #prepare({ token, experiment: id }: Claim, signal: AbortSignal): Promise<KnownExperiment> {
    const before = this.#known.get(id);
    if (before !== undefined) return before;
    const asked = [this.#id, this.#session, token];
    const [row] = await this.#call<Omit<SubmittedExperiment, 'id'> & { readonly name: string }>('describe', asked);
    // The run was given to another worker or removed at this moment.
    if (row === undefined) throw new FleetError('NOT_FOUND', `the experiment ${id} has gone`);
    const { name, ...submitted } = row;
    const prepare = this.#options.simulated?.prepare ?? prepareExperiment;
    const prepared = await prepare({ id, ...submitted }, { ...this.#options, lanes: this.#lanes, signal });
    const known = { name, prepared, durations: new Map() };
    this.#known.set(id, known);
    return known;
  }

  /** A result as it is kept and stored; `null` = what a side recorded is larger than a fleet takes. */
  async #toKept(
    token: string,
    { trial, records, isCut, warnings }: ForeignRun,
    machine: Machine,
  ): Promise<KeptResult | null> {
    const packed: Record<Side, string | null> = { A: null, B: null };
    for (const side of sides) {
      const text = records[side];
      if (text === null) continue;
      const bytes = Buffer.byteLength(text) > recordLimits.unpacked ? null : await compress(text);
      if (bytes === null || bytes.length > recordLimits.packed) return null;
      packed[side] = bytes.toString('base64');
    }

    const host: Host = { id: this.#id, machine, labels: { ...this.#options.labels } };
    return { token, host, trial, isCut, warnings: [...warnings], records: packed };
  }

  /** Stores what is finished, each result and the end of its job in one transaction. */
  async #deliver(): Promise<void> {
    const delivered = this.#delivered.then(async () => this.#deliverKept());
    this.#delivered = delivered.catch(() => undefined);
    return delivered;
  }

  async #deliverKept(): Promise<void> {
    const { onEvent } = this.#options;
    for (const result of this.#kept.list()) {
      const { token, host, trial, isCut, warnings, records } = result;
      const values = [JSON.stringify(host), JSON.stringify(trial), isCut, JSON.stringify(warnings)];
      const packed = [records.A, records.B].map((text) => (text === null ? null : Buffer.from(text, 'base64')));
      const row = [this.#id, this.#session, token, ...values, ...packed];
      const stored = await this.#open
        .store((client) => ask<boolean>(client, 'store', row))
        .catch((error: unknown) => {
          if (isOfData(error)) return error;
          throw error;
        });
      this.#kept.drop(token);
      const experiment = this.#hands.get(token)?.claim.experiment;
      if (stored instanceof Error) {
        await this.#refuse({ token, experiment: experiment ?? '' }, stored.message);
        continue;
      }
      if (stored !== true) {
        const message = 'a finished run was dropped: it was given to another worker in the meantime';
        onEvent({ kind: 'run-dropped', message });
      } else if (experiment !== undefined) onEvent({ kind: 'run-stored', message: `${experiment}: stored` });
    }
  }

  async #refuse({ token, experiment }: Pick<Claim, 'token' | 'experiment'>, message: string): Promise<void> {
    await this.#call('refuse', [this.#id, this.#session, token, message]);
    this.#options.onEvent({ kind: 'run-refused', message: `${experiment}: refused: ${message}` });
  }

  async #giveBack({ token, experiment }: Claim): Promise<void> {
    await this.#call('give_back', [this.#id, this.#session, token]);
    const why = this.#options.signal.aborted ? 'given back' : 'cancelled';
    this.#options.onEvent({ kind: 'run-ended', message: `${experiment}: ${why}` });
  }

  /** Cleans up after experiments that are over. */
  async #closeFinished(): Promise<void> {
    if (this.#known.size === 0) return;
    const rows = await this.#call<{ readonly result: string }>('running', [[...this.#known.keys()]]);
    const running = new Set(rows.map(({ result }) => result));
    for (const [id, { prepared }] of this.#known) {
      if (running.has(id)) continue;
      this.#known.delete(id);
      await prepared.close();
    }
  }

  get #open(): Link {
    if (this.#link === null) throw new RangeError('there is no connection yet');
    return this.#link;
  }

  /** Calls a function of the fleet, also one that writes. */
  #call<Row extends object>(name: string, args: readonly unknown[]): Promise<readonly Row[]> {
    return this.#open.store((client) => call<Row>(client, name, args));
  }
}

/**
 * Seconds after which the server asks a connection that is silent whether it is there, pause and number of further questions: a machine
 * that vanished without a word is given up after 14 s. The kernel of a living machine answers by itself.
 */
const keepalive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2';

/** Checks whether the database refused what was to be stored, and would again (SQLSTATE classes 22 and 23). */
function isOfData(error: unknown): error is HistoryError {
  if (!(error instanceof HistoryError) || !(error.cause instanceof Error) || !('code' in error.cause)) return false;
  return /^2[23]/.test(String(error.cause.code));
}

const tooLarge = `a side recorded more than ${recordLimits.unpacked >> 20} MiB in the run, which is more than a fleet takes`;

/** Something that a worker reports, as a line of its log; nothing is reported while a run is timed. */
export interface WorkerEvent {
  readonly kind:
    | 'ready'
    | 'run-started'
    | 'run-stored'
    | 'run-dropped'
    | 'run-ended'
    | 'run-refused'
    | 'disk-full'
    | 'disk-found'
    | 'connection-lost'
    | 'connection-found';
  readonly message: string;
}
