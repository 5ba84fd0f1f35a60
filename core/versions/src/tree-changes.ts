import { rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '@deadheat/recording';
import { type Commit, getCommit, git, type Repository } from './repository.ts';
import { snapshotWorkingTree } from './revisions.ts';

/** A file that differs between two states of a tree. */
export interface TreeChange {
  /** From the root of the repository. */
  readonly path: string;
  /** The mode and the hash that it has in the first state, and those in the second; zeros where it is absent. */
  readonly before: string;
  readonly after: string;
  /** False where the second state lacks it. */
  readonly stays: boolean;
}

/**
 * The working tree as a commit: HEAD itself where nothing is changed. Index, stash and working tree are not touched.
 *
 * @throws DeadheatError as `resolveRevisions`
 */
export async function workingTreeCommit(repository: Repository): Promise<Commit> {
  return (await snapshotWorkingTree(await getCommit('HEAD', repository), repository)).commit;
}

/** The files that differ between two commits, in the order of their paths; recordings are left out. */
export async function changesBetween(
  { from, to }: { readonly from: string; readonly to: string },
  repository: Repository,
): Promise<readonly TreeChange[]> {
  const inRoot = { ...repository, cwd: repository.root };
  const raw = await git(
    ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', `${from}^{tree}`, `${to}^{tree}`],
    inRoot,
  );
  const words = raw.split('\0');
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (words[at] ?? '').replace(/^:/, '').split(' ');
    const path = words[at + 1] ?? '';
    if (/(?:^|\/)\.deadheat\//.test(path)) continue;
    changes.push({ path, before: `${oldMode} ${oldId}`, after: `${newMode} ${newId}`, stays: !/^0+$/.test(newId) });
  }
  return changes;
}

/** Keeps git from removing a commit that no branch holds. */
export async function holdCommit(name: string, id: string, repository: Repository): Promise<void> {
  await git(['update-ref', `refs/deadheat/${name}`, id], repository);
}

/** Arguments of one call of git at most. */
const mostArguments = 500;
const submodule = '160000';

/**
 * Gives the files of the working tree that differ between two commits the content of the second, each file at once: after a kill anywhere in between a
 * second call does what is left. Files that are as in neither of them were changed by somebody else, and stay.
 *
 * @param options.scratch folder on the same file system, which is made and removed
 * @returns paths of the files that stay as somebody else left them
 */
export async function restoreFiles(
  { from, to, scratch }: { readonly from: string; readonly to: string; readonly scratch: string },
  repository: Repository,
): Promise<readonly string[]> {
  const { id: now } = await workingTreeCommit(repository);
  const own = await changesBetween({ from, to: now }, repository);
  const foreign = new Set(own.map(({ path }) => path));
  const asked = await changesBetween({ from, to }, repository);
  const left = await changesBetween({ from: now, to }, repository);
  const wanted = new Set(asked.map(({ path }) => path));
  const due = left.filter(
    ({ path, after, before }) =>
      wanted.has(path) && !foreign.has(path) && !after.startsWith(submodule) && !before.startsWith(submodule),
  );
  await rm(scratch, { recursive: true, force: true });
  try {
    await makeFolder(scratch);
    const environment = { GIT_INDEX_FILE: join(scratch, 'index') };
    const inRoot = { ...repository, cwd: repository.root, environment };
    await git(['read-tree', to], inRoot);
    const written = due.filter(({ stays }) => stays).map(({ path }) => path);
    for (let at = 0; at < written.length; at += mostArguments) {
      const paths = written.slice(at, at + mostArguments);
      await git(['checkout-index', '--force', `--prefix=${join(scratch, 'tree')}/`, '--', ...paths], inRoot);
    }
    for (const path of written) {
      const target = join(repository.root, path);
      await makeFolder(dirname(target));
      await rename(join(scratch, 'tree', path), target);
    }
    for (const { path } of due.filter(({ stays }) => !stays)) await removeFile(path, repository.root);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const still = new Set(left.map(({ path }) => path));
  return asked.map(({ path }) => path).filter((path) => foreign.has(path) && still.has(path));
}

/** Removes a file, and the folders above it that are empty then. */
async function removeFile(path: string, root: string): Promise<void> {
  await rm(join(root, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      await rmdir(join(root, folder));
    } catch {
      return;
    }
  }
}
