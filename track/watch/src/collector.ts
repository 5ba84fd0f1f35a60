import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  canaryProject,
  drawHolder,
  type History,
  HistoryError,
  type HistoryNote,
  type HistoryPoint,
  leasedByOthers,
  withLease,
} from '@deadheat/history';
import { DeadheatError, type ErrorCode } from '@deadheat/model';
import { lockRecording, makeFolder, RecordError } from '@deadheat/recording';
import type { Commit } from '@deadheat/versions';
import { completeRecording } from 'deadheat/internals';
import { z } from 'zod';
import { CommitFailure, type CommitPair } from './measure-commit.ts';
import { nextWork, type Work } from './next-work.ts';

/** The events of a collector. */
export type CollectorEvent =
  | { readonly kind: 'began'; readonly work: Work['kind']; readonly pair: CommitPair }
  | { readonly kind: 'canary-began' }
  | { readonly kind: 'stored'; readonly experiment: string; readonly points: readonly HistoryPoint[] }
  /** `again` = when it is tried again, ISO 8601; `null` = never. */
  | {
      readonly kind: 'failed';
      readonly commit: string;
      readonly message: string;
      readonly times: number;
      readonly again: string | null;
    }
  /** Something beside the commits failed; the collector waits and tries again. */
  | { readonly kind: 'trouble'; readonly error: unknown }
  /** There is nothing to do; reported once until there was something. */
  | { readonly kind: 'waiting' };

/** The branch that is followed. */
export interface FollowedBranch {
  update(): Promise<void>;
  /** The newest commits, the oldest first. */
  commits(most: number): Promise<readonly Commit[]>;
}

export interface CollectorOptions {
  /** `null` = none is followed, and only canaries are measured. */
  readonly branch: FollowedBranch | null;
  readonly project: string;
  /** Folder of recordings that are made and not stored yet; one collector uses it at a time. */
  readonly outbox: string;
  /** The folder or URL of the store, for messages. */
  readonly place: string;
  /** The signal cuts the connection to a store that does not answer. */
  readonly openStore: (signal: AbortSignal) => Promise<History>;
  /** Measures two commits. @returns folder of the recording. @throws CommitFailure */
  readonly measure: (pair: CommitPair) => Promise<string>;
  /** Whole hash of the commit that every other is compared with; `null` = the last measured one before it. */
  readonly against: Commit | null;
  readonly canary: {
    /** Time between two of this host, ms. */
    readonly everyMs: number;
    /** @returns folder of the recording */
    readonly measure: () => Promise<string>;
  } | null;
  /** Number of newest commits of the branch that are measured. */
  readonly mostCommits: number;
  /** Time between two looks at the branch, ms. */
  readonly pollMs: number;
  /** True when it ends as soon as there is nothing to do. */
  readonly once: boolean;
  /** No work begins after this time, ms; `null` = no limit. */
  readonly stopAfterMs: number | null;
  readonly signal: AbortSignal;
  readonly onEvent: (event: CollectorEvent) => void;
  readonly now?: () => Date;
}

/** Length of the lease of a commit that is measured, which is renewed after a third of it. */
const leaseMs = 10 * 60_000;
const mostMessage = 2000;
/** Time that a store has to answer after an interruption, ms. */
const storePatienceMs = 5000;

/**
 * Follows a branch: measures new commits, confirms changes, fills gaps, and lets canaries sing. What there is to do follows from the
 * store alone, so that a collector that is started again goes on.
 *
 * @throws DeadheatError `INTERRUPTED`; RecordError `RECORDING_IN_USE` where another collector of the same project runs on this machine;
 *   with `once` whatever keeps it from its work
 */
export async function collect(options: CollectorOptions): Promise<void> {
  await makeFolder(options.outbox);
  const lock = lockRecording(options.outbox);
  try {
    await new Collector(options).run();
  } finally {
    lock.release();
  }
}

class Collector {
  readonly #options: CollectorOptions;
  readonly #holder = drawHolder();
  readonly #now: () => Date;
  readonly #beganMs: number;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#now = options.now ?? ((): Date => new Date());
    this.#beganMs = this.#now().getTime();
  }

  async run(): Promise<void> {
    const { once, pollMs, signal, stopAfterMs, onEvent } = this.#options;
    const isLate = (): boolean => stopAfterMs !== null && this.#now().getTime() - this.#beganMs >= stopAfterMs;
    let isWaiting = false;
    while (!isLate()) {
      if (signal.aborted) throw new DeadheatError('INTERRUPTED', 'interrupted');
      let isIdle = true;
      try {
        isIdle = !(await this.#step());
      } catch (error) {
        if (once || signal.aborted || !isPassing(error)) throw error;
        onEvent({ kind: 'trouble', error });
      }
      if (!isIdle) {
        isWaiting = false;
        continue;
      }
      if (once) return;
      if (!isWaiting) onEvent({ kind: 'waiting' });
      isWaiting = true;
      await sleep(pollMs, undefined, { signal }).catch(() => {
        throw new DeadheatError('INTERRUPTED', 'interrupted');
      });
    }
  }

  /** Does one thing. @returns whether there was one */
  async #step(): Promise<boolean> {
    const { branch, project, against, mostCommits, canary } = this.#options;
    await this.#pushOutbox();
    if (canary !== null && (await this.#isCanaryDue(canary.everyMs))) {
      const isMeasured = await this.#leased(leaseOf(canaryProject, hostname()), async () => {
        this.#options.onEvent({ kind: 'canary-began' });
        const directory = await canary.measure();
        if (!(await this.#push(directory))) throw incomplete(directory);
      });
      if (isMeasured) return true;
    }
    if (branch === null) return false;
    await branch.update();
    const commits = await branch.commits(mostCommits + 1);
    // The commit before the first that is measured is there to be compared with.
    const hasBefore = commits.length > mostCommits;
    const chosen = await this.#choose(hasBefore ? commits.slice(1) : commits);
    if (chosen === null) return false;
    const byId = new Map(commits.map((commit) => [commit.id, commit]));
    const commit = byId.get(chosen.commit);
    if (commit === undefined) return false;
    const base = against ?? byId.get(chosen.base ?? '') ?? (hasBefore ? commits[0] : undefined) ?? commit;
    await this.#leased(leaseOf(project, commit.id), async () => {
      // Another collector may have stored it since.
      const again = await this.#choose(hasBefore ? commits.slice(1) : commits);
      if (again?.commit !== chosen.commit) return;
      this.#options.onEvent({ kind: 'began', work: chosen.kind, pair: { base, commit } });
      try {
        const directory = await this.#options.measure({ base, commit });
        if (!(await this.#push(directory))) throw new CommitFailure(commit, incomplete(directory));
      } catch (error) {
        if (!(error instanceof CommitFailure)) throw error;
        // The file of the benchmarks itself is wrong where the newest commit does not know what to do with it.
        if (error.code === 'BAD_CONFIG' && commit === commits.at(-1)) throw error.cause ?? error;
        await this.#noteFailure(error, project);
      }
    });
    return true;
  }

  async #choose(commits: readonly Commit[]): Promise<Work | null> {
    const { project, against } = this.#options;
    const now = this.#now().getTime();
    return this.#withStore(async (store) => {
      const leased = await leasedByOthers(store, this.#holder);
      const failed = failedCommits(await store.notes(failureTopic), project);
      const ids = commits.map(({ id }) => id);
      const closed = ids.filter((id) => {
        const { again } = failed.get(id) ?? { again: '' };
        return again === null || Date.parse(again) > now || leased.has(leaseOf(project, id));
      });
      const points = await store.series({ project });
      return nextWork({ commits: ids, points, closed: new Set(closed), hasBaseline: against !== null });
    });
  }

  async #isCanaryDue(everyMs: number): Promise<boolean> {
    const host = hostname();
    return this.#withStore(async (store) => {
      const points = await store.latest({ project: canaryProject });
      const newest = Math.max(
        ...points.filter(({ params }) => params['host'] === host).map(({ startedAt }) => Date.parse(startedAt)),
      );
      return this.#now().getTime() - newest >= everyMs;
    });
  }

  /** Stores what an earlier collector measured and could not store; what it did not finish is removed. */
  async #pushOutbox(): Promise<void> {
    const { outbox } = this.#options;
    const entries = await readdir(outbox, { withFileTypes: true });
    for (const entry of entries.filter((one) => one.isDirectory())) await this.#push(join(outbox, entry.name));
  }

  /**
   * Stores a recording and removes it from the outbox.
   *
   * @returns `false` = it was not finished
   * @throws HistoryError where the store cannot take it now; it stays in the outbox then
   */
  async #push(directory: string): Promise<boolean> {
    let isStored = false;
    try {
      const { experiment } = await completeRecording(directory);
      const points = await this.#withStore(async (store) => {
        await store.put({ directory });
        return store.series({ experiments: [experiment.id] });
      });
      isStored = true;
      this.#options.onEvent({ kind: 'stored', experiment: experiment.id, points });
    } catch (error) {
      if (!isUnfinished(error)) throw error;
    }
    await rm(directory, { recursive: true, force: true });
    return isStored;
  }

  async #noteFailure({ commit, code, message }: CommitFailure, project: string): Promise<void> {
    const { onEvent } = this.#options;
    const content: FailureNote = { kind: 'failure', project, commit, code, message: message.slice(0, mostMessage) };
    const failed = await this.#withStore(async (store) => {
      await store.addNote(failureTopic, { at: this.#now().toISOString(), content });
      return failedCommits(await store.notes(failureTopic), project).get(commit);
    });
    onEvent({ kind: 'failed', commit, message, times: failed?.times ?? mostTries, again: failed?.again ?? null });
  }

  /** Works under a lease, which is renewed meanwhile. @returns `false` = another collector holds it */
  async #leased(name: string, act: () => Promise<void>): Promise<boolean> {
    const { signal } = this.#options;
    const lease = { name, holder: this.#holder, ms: leaseMs, patienceMs: 0, pauseMs: 0, signal };
    const done = await withLease(
      (question) => this.#withStore(question),
      lease,
      async (renew) => {
        // A store that is away now is asked again; the lease ends by itself.
        const timer = setInterval(() => void renew().catch(() => undefined), leaseMs / 3);
        await act().finally(() => clearInterval(timer));
        return true;
      },
    );
    return done ?? false;
  }

  /** A connection is held no longer than it is needed: nothing but the programs runs while they are timed. */
  async #withStore<Value>(ask: (store: History) => Promise<Value>): Promise<Value> {
    const { signal, place, openStore } = this.#options;
    const cut = new AbortController();
    async function answer(): Promise<Value> {
      const store = await openStore(cut.signal);
      try {
        return await ask(store);
      } finally {
        await store.close();
      }
    }
    const ended = new AbortController();
    async function hang(): Promise<never> {
      if (!signal.aborted) await once(signal, 'abort', { signal: ended.signal });
      await sleep(storePatienceMs, undefined, { signal: ended.signal });
      cut.abort();
      const waited = `interrupted; ${place} did not answer within ${storePatienceMs / 1000} s after that`;
      const kept = 'What was measured stays in the outbox, and is stored by the next start.';
      throw new DeadheatError('INTERRUPTED', `${waited}. ${kept} Check the store.`);
    }
    try {
      return await Promise.race([hang(), answer()]);
    } finally {
      ended.abort();
    }
  }
}

/** Name of the lease of a commit, or of the canary of a host. */
function leaseOf(project: string, work: string): string {
  return `watch ${project} ${work}`;
}

/** Checks whether a recording can never be stored, because its process was ended. */
function isUnfinished(error: unknown): boolean {
  return (
    (error instanceof HistoryError || error instanceof RecordError) &&
    (unfinished as readonly string[]).includes(error.code)
  );
}

const unfinished = [
  'INCOMPLETE_RECORDING',
  'RECORDING_IN_USE',
  'NOT_A_RECORDING',
  'MALFORMED',
  'JOURNAL_DAMAGED',
] as const satisfies readonly ErrorCode[];

function incomplete(directory: string): DeadheatError {
  return new DeadheatError('INCOMPLETE_RECORDING', `${directory} holds no result of every benchmark.`);
}

/** Failures that may pass by themselves: of a network, a database, a disk or a fleet. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof DeadheatError &&
    ['NO_CONNECTION', 'DISK_FULL', 'GIT_FAILED', 'STORE_FAILED', 'NO_WORKERS'].includes(error.code)
  );
}

/** Topic of the notes that collectors (`deadheat history watch`) keep in a history: the commits that could not be built or run. */
export const failureTopic = 'watch';

const failureSchema = z.object({
  kind: z.literal('failure'),
  project: z.string(),
  /** Whole hash. */
  commit: z.string(),
  code: z.string(),
  message: z.string(),
});
export type FailureNote = Readonly<z.infer<typeof failureSchema>>;

/** A commit that could not be measured, and when that was tried. */
interface FailedCommit {
  /** The number of attempts. */
  readonly times: number;
  /** When it may be tried again, ISO 8601; `null` = never. */
  readonly again: string | null;
  readonly message: string;
}

const hourMs = 3_600_000;
/** A commit that cannot be built or does not run is tried again after these times, and not any more then. */
const retryAfterMs = [hourMs, 24 * hourMs] as const;
/** Most times that a commit is tried. */
export const mostTries: number = retryAfterMs.length + 1;

/** The commits of a project that failed, by their notes in their order; those of other projects are left out. */
export function failedCommits(notes: readonly HistoryNote[], project: string): ReadonlyMap<string, FailedCommit> {
  const failures = new Map<string, FailedCommit>();
  for (const { at, content } of notes) {
    const { data } = failureSchema.safeParse(content);
    if (data?.project !== project) continue;
    const times = (failures.get(data.commit)?.times ?? 0) + 1;
    const waitMs = retryAfterMs[times - 1];
    const again = waitMs === undefined ? null : new Date(Date.parse(at) + waitMs).toISOString();
    failures.set(data.commit, { times, again, message: data.message });
  }
  return failures;
}
