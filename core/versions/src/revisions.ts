import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  askGit,
  git,
  deepen,
  findCommit,
  getCommit,
  type Commit,
  type Repository,
  describeCommit,
} from './repository.ts';
import { DeadheatError } from '@deadheat/model';
import { makeTemporaryFolder, removeRegistered } from '@deadheat/sync';

/** The revisions to compare, as typed. */
export interface RevisionRequest {
  /** `null` = the default branch, or where that is no base, the commit before. */
  readonly base: string | null;
  /** `null` = the working tree. */
  readonly head: string | null;
  /** `true` = the base is taken as it is, and not where the two histories part. */
  readonly exact: boolean;
}

/** A commit that is one side. */
export interface Revision {
  readonly commit: Commit;
  /** The label of the version: a branch, a tag, `working tree`, or the short hash. */
  readonly label: string;
}

export interface Revisions {
  readonly base: Revision;
  readonly head: Revision;
}

/**
 * Reads `BASE`, `BASE..HEAD` and `BASE...HEAD`: without dots HEAD is the working tree, and what is left out before the dots is the
 * default base, after them the commit HEAD.
 */
export function readRange(range: string | null): Pick<RevisionRequest, 'base' | 'head'> {
  if (range === null) return { base: null, head: null };
  const [, base = '', head] = /^(.*?)(?:\.\.\.?(.*))?$/s.exec(range) ?? [];
  return { base: base === '' ? null : base, head: head === undefined ? null : head === '' ? 'HEAD' : head };
}

/**
 * Finds the two commits. The base is the commit where the histories of BASE and HEAD part, so that later commits on BASE are not
 * counted against HEAD; where HEAD lies in the history of BASE that is HEAD itself, and BASE is taken.
 *
 * @throws DeadheatError `UNKNOWN_REVISION`, `SHALLOW_CLONE`, `NO_COMMON_ANCESTOR`, `NO_EARLIER_COMMIT`
 */
export async function resolveRevisions(request: RevisionRequest, repository: Repository): Promise<Revisions> {
  const tip = await getHead(request.head ?? 'HEAD', repository);
  const snapshot = request.head === null ? await snapshotWorkingTree(tip, repository) : null;
  const label = request.head === null ? 'working tree' : nameOf(request.head, tip);
  const head: Revision =
    snapshot === null || snapshot.changed === 0
      ? { commit: tip, label: request.head === null ? tip.short : label }
      : { commit: snapshot.commit, label };
  const isChanged = head.commit.id !== tip.id;
  const base =
    request.base === null
      ? await defaultBase(tip, { isChanged, repository })
      : await askedBase(request.base, { tip, exact: request.exact, repository });
  return { base, head };
}

async function getHead(revision: string, repository: Repository): Promise<Commit> {
  const found = revision === 'HEAD' ? await findCommit('HEAD', repository) : await getCommit(revision, repository);
  if (found !== null) return found;
  throw new DeadheatError(
    'NO_EARLIER_COMMIT',
    'This repository has no commit yet, so there is nothing to compare with.',
  );
}

async function askedBase(
  revision: string,
  { tip, exact, repository }: { readonly tip: Commit; readonly exact: boolean; readonly repository: Repository },
): Promise<Revision> {
  const commit = await getCommit(revision, repository);
  const label = nameOf(revision, commit);
  if (exact) return { commit, label };
  const shared = await mergeBase(commit, { tip, repository });
  if (shared === null) {
    if (repository.isShallow) {
      throw new DeadheatError(
        'SHALLOW_CLONE',
        `This clone is shallow and does not contain the last common ancestor of ${revision} and HEAD. ${deepen} Or compare with ${revision} itself.`,
      );
    }
    throw new DeadheatError(
      'NO_COMMON_ANCESTOR',
      `${revision} and HEAD have no common ancestor. You can compare with ${revision} itself.`,
    );
  }
  if (shared.id === commit.id || shared.id === tip.id) return { commit, label };
  return { commit: shared, label: `${label} at ${shared.short}` };
}

/** Where the default branch was left; on it the commit before, or HEAD itself where the working tree is changed. */
async function defaultBase(
  tip: Commit,
  { isChanged, repository }: { readonly isChanged: boolean; readonly repository: Repository },
): Promise<Revision> {
  const branch = await defaultBranch(repository);
  if (branch !== null) {
    const shared = await mergeBase(branch.commit, { tip, repository });
    if (shared !== null && shared.id !== tip.id) return { commit: shared, label: branch.label };
  }
  if (isChanged) return { commit: tip, label: 'HEAD' };
  const before = await findCommit(`${tip.id}~1`, repository);
  if (before !== null) return { commit: before, label: 'HEAD~1' };
  throw new DeadheatError(
    repository.isShallow ? 'SHALLOW_CLONE' : 'NO_EARLIER_COMMIT',
    repository.isShallow
      ? `This clone is shallow and holds nothing to compare HEAD with. ${deepen}`
      : 'HEAD is the first commit, and nothing is changed: there is nothing to compare with. Name a base: deadheat git BASE -- COMMAND.',
  );
}

/** The default branch of `origin`, else main or master, there or here. */
async function defaultBranch(repository: Repository): Promise<Revision | null> {
  const named = await askGit(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'], repository);
  const candidates = [named?.trim() ?? '', 'origin/main', 'origin/master', 'main', 'master'];
  for (const label of candidates.filter((name) => name !== '')) {
    const commit = await findCommit(label, repository);
    if (commit !== null) return { commit, label };
  }
  return null;
}

async function mergeBase(
  commit: Commit,
  { tip, repository }: { readonly tip: Commit; readonly repository: Repository },
): Promise<Commit | null> {
  const id = await askGit(['merge-base', commit.id, tip.id], repository);
  return id === null ? null : findCommit(id.trim(), repository);
}

/** A hash is shortened; a name stays. */
function nameOf(revision: string, commit: Commit): string {
  return commit.id.startsWith(revision.toLowerCase()) ? commit.short : revision;
}

/** The working tree as a commit. */
interface Snapshot {
  /** HEAD itself where nothing is changed, else a commit on it that no branch holds. */
  readonly commit: Commit;
  /** Files that differ from HEAD. */
  readonly changed: number;
}

/**
 * The working tree as it is, with what is not committed and with new files that are not ignored, recordings left out. Index,
 * stash and working tree are not touched: a copy of the index is used, and objects are added that git removes in its time. The same
 * tree on the same HEAD gives the same commit.
 *
 * @throws DeadheatError `SUBMODULE_MISSING` for a submodule with changes of its own, which a commit cannot hold
 */
export async function snapshotWorkingTree(head: Commit, repository: Repository): Promise<Snapshot> {
  const { root } = repository;
  const folder = makeTemporaryFolder('index');
  try {
    const index = join(folder, 'index');
    const own = (await git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], repository)).trim();
    // By the time of the index git knows which files may have changed in the second in which it was written.
    await cp(own, index, { preserveTimestamps: true }).catch(() =>
      git(['read-tree', head.id], { ...repository, environment: { GIT_INDEX_FILE: index } }),
    );
    const inRoot = { ...repository, cwd: root, environment: { GIT_INDEX_FILE: index } };
    await refuseChangedSubmodules(inRoot);
    await git(['add', '--all', '--', ':/', ':(exclude,top,glob)**/.deadheat/**'], inRoot);
    const tree = (await git(['write-tree'], inRoot)).trim();
    const changed = (
      await git(['diff-tree', '-r', '-z', '--name-only', '--no-commit-id', `${head.id}^{tree}`, tree], inRoot)
    )
      .split('\0')
      .filter((name) => name !== '').length;
    if (changed === 0) return { commit: head, changed };
    return { commit: await commitTree(tree, { head, repository: inRoot }), changed };
  } finally {
    removeRegistered(folder);
  }
}

async function commitTree(
  tree: string,
  { head, repository }: { readonly head: Commit; readonly repository: Repository },
): Promise<Commit> {
  const date = (await git(['log', '-1', '--no-show-signature', '--format=%cI', head.id], repository)).trim();
  const person = { NAME: 'deadheat', EMAIL: 'deadheat@localhost', DATE: date };
  const environment = Object.fromEntries(
    Object.entries(person).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const message = `uncommitted changes on ${head.short}`;
  const id = await git(['commit-tree', '--no-gpg-sign', '-p', head.id, '-m', message, tree], {
    ...repository,
    environment: { ...repository.environment, ...environment },
  });
  return describeCommit(id.trim(), repository);
}

/** A commit names a submodule's commit; changes inside it would silently be left out. */
async function refuseChangedSubmodules(repository: Repository): Promise<void> {
  const status = await git(
    ['status', '--porcelain=v2', '-z', '--untracked-files=no', '--ignore-submodules=none'],
    repository,
  );
  const changed = status.split('\0').find((entry) => /^[12] .. S.(?:M.|.U) /.test(entry));
  if (changed === undefined) return;
  const path = changed.split(' ').slice(8).join(' ');
  throw new DeadheatError(
    'SUBMODULE_MISSING',
    `The submodule ${path} has changes that are not committed, which the working tree cannot be measured with. ` +
      'Commit them in the submodule, or compare commits: deadheat git BASE..HEAD.',
  );
}
