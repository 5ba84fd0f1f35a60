import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './git.ts';
import { describeCommit, type Commit, type Repository } from './repository.ts';
import { VersionError } from './version-error.ts';

/** The working tree as a commit. */
export interface Snapshot {
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
 * @throws VersionError `SUBMODULE_MISSING` for a submodule with changes of its own, which a commit cannot hold
 */
export async function snapshotWorkingTree(head: Commit, repository: Repository): Promise<Snapshot> {
  const { root } = repository;
  const folder = await mkdtemp(join(tmpdir(), 'deadheat-index-'));
  try {
    const index = join(folder, 'index');
    const own = (await git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], repository)).trim();
    await copyFile(own, index).catch(() =>
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
    await rm(folder, { recursive: true, force: true });
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

/** A commit names a submodule's commit; what is changed inside it would silently be left out. */
async function refuseChangedSubmodules(repository: Repository): Promise<void> {
  const status = await git(
    ['status', '--porcelain=v2', '-z', '--untracked-files=no', '--ignore-submodules=none'],
    repository,
  );
  const changed = status.split('\0').find((entry) => /^[12] .. S.(?:M.|.U) /.test(entry));
  if (changed === undefined) return;
  const path = changed.split(' ').slice(8).join(' ');
  throw new VersionError(
    'SUBMODULE_MISSING',
    `The submodule ${path} has changes that are not committed, which the working tree cannot be measured with. ` +
      'Commit them in the submodule, or compare commits: deadheat git BASE..HEAD.',
  );
}
