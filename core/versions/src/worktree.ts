import { cp, lstat, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git, type GitOptions, type Repository } from './repository.ts';

/** Where the files of a version are, while it is used. */
export function treeOf(folder: string): string {
  return join(folder, 'tree');
}

/** Where they wait, unknown to git. */
function parkedOf(folder: string): string {
  return join(folder, 'parked');
}

function indexOf(folder: string): string {
  return join(folder, 'index');
}

/** Makes the files of a commit, as a worktree of the repository. */
export async function addWorktree(
  folder: string,
  { id, what, repository }: { readonly id: string; readonly what: string; readonly repository: Repository },
): Promise<void> {
  await git(['worktree', 'add', '--quiet', '--detach', '--force', treeOf(folder), id], repository, {
    code: 'CHECKOUT_FAILED',
    what: `${what} cannot be checked out.`,
  });
}

/** Makes a parked worktree one of the repository again: files, index and path as they were. */
export async function restoreWorktree(
  folder: string,
  { id, what, repository }: { readonly id: string; readonly what: string; readonly repository: GitOptions },
): Promise<void> {
  const tree = treeOf(folder);
  const parked = parkedOf(folder);
  await git(['worktree', 'add', '--quiet', '--detach', '--force', '--no-checkout', tree, id], repository, {
    code: 'CHECKOUT_FAILED',
    what: `${what} cannot be checked out.`,
  });
  await rename(join(tree, '.git'), join(parked, '.git'));
  await rm(tree, { recursive: true });
  await rename(parked, tree);
  const inTree = { ...repository, cwd: tree };
  await cp(indexOf(folder), await indexPath(inTree), { preserveTimestamps: true }).catch(() =>
    git(['read-tree', id], inTree),
  );
}

/**
 * Takes a worktree from git's list and keeps its files. Does what is left to do after a process that was killed anywhere in
 * between, and nothing for a folder without a worktree.
 */
export async function parkWorktree(folder: string, signal: AbortSignal): Promise<void> {
  const tree = treeOf(folder);
  const parked = parkedOf(folder);
  const admin = (await adminFolder(tree)) ?? (await adminFolder(parked));
  if (admin === null) return;
  const isThere = (await lstat(join(admin, 'gitdir')).catch(() => null)) !== null;
  if ((await lstat(parked).catch(() => null)) === null) {
    if (isThere)
      await cp(await indexPath({ cwd: tree, signal }), indexOf(folder), { preserveTimestamps: true }).catch(
        () => undefined,
      );
    await rename(tree, parked);
  } else await rm(tree, { recursive: true, force: true });
  if (isThere) {
    const common = dirname(dirname(admin));
    await git(['--git-dir', common, 'worktree', 'remove', '--force', '--force', tree], { cwd: folder, signal });
  }
  await rm(join(parked, '.git'), { force: true });
}

/** The folder in which git keeps its data of a worktree; `null` for a folder that is none. */
async function adminFolder(tree: string): Promise<string | null> {
  const text = await readFile(join(tree, '.git'), 'utf8').catch(() => '');
  return /^gitdir: (.+)$/m.exec(text)?.[1] ?? null;
}

async function indexPath(options: GitOptions): Promise<string> {
  return (await git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], options)).trim();
}
