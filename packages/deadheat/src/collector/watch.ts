import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Branch, type Commit, type ExperimentDraft, findCommit, VersionError } from '@deadheat/engine';
import { openHistory } from '@deadheat/history';
import { canaryProject, DeadheatError, type EngineEvent } from '@deadheat/model';
import { ConfigError } from '../config/config-error.ts';
import { runDraft } from '../library/run.ts';
import type { VersionChoices } from '../versions/compare-versions.ts';
import { collect, type CollectorEvent } from './collector.ts';
import { measureCommit } from './measure-commit.ts';

/** What is followed, and how its commits are measured. */
export interface WatchRequest {
  /** A working tree, or what git can clone; `null` = no branch is followed, and only canaries are measured. */
  readonly followed: {
    readonly repository: string;
    /** `null` = the one that is checked out, or the default branch. */
    readonly branch: string | null;
    /** File of the benchmarks. */
    readonly file: string;
    readonly choices: VersionChoices;
    /** Commit that all others are compared with; `null` = each is compared with the last measured one before it. */
    readonly against: string | null;
    /** Number of newest commits that are measured. */
    readonly commits: number;
  } | null;
  /** Folder or URL of the history. */
  readonly store: string;
  /** Under which the comparisons are filed; `null` = the name of the repository. */
  readonly project: string | null;
  /** Time between two canaries of this host, ns; `null` = none. */
  readonly canaryNs: number | null;
  /** Time between two looks at the branch, ns. */
  readonly pollNs: number;
  readonly once: boolean;
  /** No work begins after this time, ns; `null` = no limit. */
  readonly stopAfterNs: number | null;
  /** Folder of the clone and of recordings that are not stored yet. */
  readonly directory: string;
}

/** With what it is done. */
export interface WatchSurroundings {
  readonly canaryDraft: () => Promise<ExperimentDraft>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onNotice: (text: string) => void;
  readonly onProgress: (event: EngineEvent) => void;
  readonly onEvent: (event: CollectorEvent) => void;
}

/**
 * Follows a branch and keeps its history complete, until it is interrupted or, with `once`, has nothing to do.
 *
 * @throws as `collect`; VersionError for a repository, a branch or a commit that is not there; ConfigError for a file that the newest
 *   commit cannot carry out; HistoryError for a store that cannot be written
 */
export async function watch(request: WatchRequest, surroundings: WatchSurroundings): Promise<void> {
  const { followed, store, canaryNs, pollNs, stopAfterNs, once, directory } = request;
  const { variables, signal, onEvent, onProgress, onNotice, canaryDraft } = surroundings;
  if (followed !== null && !existsSync(followed.file)) {
    throw new ConfigError('CONFIG_NOT_FOUND', `There is no file ${followed.file}.`, { file: followed.file });
  }
  const branch =
    followed === null
      ? null
      : await Branch.open(followed.repository, {
          branch: followed.branch,
          folder: join(directory, `clone-${hashOf(followed.repository)}`),
          signal,
        });
  const project = request.project ?? branch?.name ?? canaryProject;
  if (branch !== null && project === canaryProject) {
    throw new DeadheatError('CONFLICT', `${canaryProject} is the project of the canaries: choose another one.`);
  }
  const place = /^postgres(?:ql)?:/.test(store) ? store : resolve(store);
  const outbox = join(directory, `outbox-${hashOf(place, project)}`);
  await collect({
    branch,
    project,
    outbox,
    openStore: () => openHistory(place, { forWriting: true, variables }),
    measure: (pair) => {
      if (followed === null || branch === null) throw new RangeError('no branch is followed');
      const { choices, file } = followed;
      const control = { variables, signal, onNotice, onProgress };
      return measureCommit(pair, {
        ...choices,
        ...control,
        file: resolve(file),
        project,
        outbox,
        repository: branch.repository,
      });
    },
    against: followed === null || branch === null ? null : await baselineOf(followed.against, branch),
    canary:
      canaryNs === null
        ? null
        : {
            everyMs: canaryNs / 1e6,
            measure: async () => {
              const output = join(outbox, `canary-${randomBytes(4).toString('hex')}`);
              const draft = await canaryDraft();
              const { outcome } = await runDraft(draft, { output, signal, onProgress, variables }).settled;
              if (outcome.kind === 'interrupted') throw new DeadheatError('INTERRUPTED', 'interrupted');
              return output;
            },
          },
    mostCommits: followed?.commits ?? 0,
    pollMs: pollNs / 1e6,
    once,
    stopAfterMs: stopAfterNs === null ? null : stopAfterNs / 1e6,
    signal,
    onEvent,
  });
}

async function baselineOf(against: string | null, { repository }: Branch): Promise<Commit | null> {
  if (against === null) return null;
  const found = (await findCommit(against, repository)) ?? (await findCommit(`origin/${against}`, repository));
  if (found !== null) return found;
  throw new VersionError('UNKNOWN_REVISION', `${against} is no commit of this repository.`);
}

function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}
