import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { canaryProject, openHistory } from '@deadheat/history';
import { DeadheatError, type EngineEvent } from '@deadheat/model';
import { Branch, type Commit, findCommit, originOf } from '@deadheat/versions';
import { ConfigError, type FleetRequest, runDraft, type VersionChoices } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { collect, type CollectorEvent } from './collector.ts';
import { canaryDraft, type FleetPlace, measureCommit } from './measure-commit.ts';

/** The branch that is followed, and the measurement of its commits. */
export interface WatchRequest {
  /** A working tree, or what git can clone; `null` = no branch is followed, and only canaries are measured. */
  readonly followed: {
    readonly repository: string;
    /** `null` = the one that is checked out, or the default branch. */
    readonly branch: string | null;
    /** File of the benchmarks; for a fleet a file of the repository, as it is in each commit. */
    readonly file: string;
    /** Whose workers execute the runs, of the root of the repository; `null` = this machine does. */
    readonly fleet: FleetRequest | null;
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
  /** Folder of the clone and of recordings that are not stored yet; `null` = below the user's folder of states. */
  readonly directory: string | null;
}

/** With what it is done. */
export interface WatchSurroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onNotice: (text: string) => void;
  readonly onProgress: (event: EngineEvent) => void;
  readonly onEvent: (event: CollectorEvent) => void;
}

/**
 * Follows a branch and keeps its history complete, until it is interrupted or, with `once`, has nothing to do.
 *
 * @throws as `collect`; DeadheatError for a repository, a branch or a commit that is not there; ConfigError for a file that the newest
 *   commit cannot carry out; HistoryError for a store that cannot be written
 */
export async function watch(request: WatchRequest, surroundings: WatchSurroundings): Promise<void> {
  const { followed, store, canaryNs, pollNs, stopAfterNs, once } = request;
  const { variables, signal, onEvent, onProgress, onNotice } = surroundings;
  const states = variables['XDG_STATE_HOME'] ?? join(variables['HOME'] ?? homedir(), '.local', 'state');
  const directory = resolve(request.directory ?? join(states, 'deadheat', 'watch'));
  if (followed !== null && followed.fleet === null && !existsSync(followed.file)) {
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
  // A branch that is not there is reported before anything is measured.
  await branch?.commits(1).catch(async () => {
    await branch.update();
    return branch.commits(1);
  });
  const project = request.project ?? branch?.name ?? canaryProject;
  if (branch !== null && project === canaryProject) {
    throw new DeadheatError('CONFLICT', `${canaryProject} is the project of the canaries: choose another one.`);
  }
  const fleet = followed === null || branch === null ? null : await fleetPlace(followed, branch);
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
        file: fleet === null ? resolve(file) : file,
        fleet,
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
              const { outcome } = await runDraft(canaryDraft(), { output, signal, onProgress, variables }).settled;
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

/** @throws UsageError for what workers could not get */
async function fleetPlace(
  { fleet: request, file, choices, repository: source }: NonNullable<WatchRequest['followed']>,
  { repository, isClone }: Branch,
): Promise<FleetPlace | null> {
  if (request === null) return null;
  const refused = (what: string, hint: string): UsageError => new UsageError('CONFLICT', what, { hint });
  if (choices.setup !== null || choices.bench !== null) {
    throw refused(
      'workers execute what the file of a commit says, and no setup or shared files beside it',
      'Say it in the file: build (docs/configuration.md).',
    );
  }
  if (repository.prefix !== '' || isAbsolute(file) || file.split('/').includes('..')) {
    throw refused(
      'workers read the file of the benchmarks from the commit',
      'Name the root of the repository, and the file by its path from there.',
    );
  }
  const origin = request.code?.repository ?? (isClone ? source : await originOf(repository));
  if (origin !== null) return { request, repository: origin };
  throw refused(
    'the repository has no remote origin, from which workers could get its commits',
    'Follow its URL instead.',
  );
}

async function baselineOf(against: string | null, { repository }: Branch): Promise<Commit | null> {
  if (against === null) return null;
  const found = (await findCommit(against, repository)) ?? (await findCommit(`origin/${against}`, repository));
  if (found !== null) return found;
  throw new DeadheatError('UNKNOWN_REVISION', `${against} is no commit of this repository.`);
}

function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}
