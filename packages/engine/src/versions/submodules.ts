import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit, git } from './git.ts';
import { openRepository, type Repository } from './repository.ts';
import { VersionError } from './version-error.ts';

interface Gitlink {
  readonly id: string;
  readonly path: string;
}

/**
 * Fills the submodules of a worktree, and theirs, from the clones that the user's repository has of them; nothing is fetched. One
 * that the user's repository has not cloned stays empty, as it is there.
 *
 * @param what the side and commit, for messages
 * @throws VersionError `SUBMODULE_MISSING` for a clone that lacks the commit
 */
export async function fillSubmodules(
  tree: string,
  { what, repository }: { readonly what: string; readonly repository: Repository },
): Promise<void> {
  const inTree = { ...repository, cwd: tree };
  for (const { id, path } of await gitlinks(inTree)) {
    const clone = await findClone(path, { inTree, repository });
    if (clone === null) continue;
    const target = join(tree, path);
    const origin = { ...repository, cwd: clone };
    if ((await askGit(['cat-file', '-e', `${id}^{commit}`], origin).catch(() => null)) === null) {
      throw new VersionError(
        'SUBMODULE_MISSING',
        `${what} needs commit ${id.slice(0, 10)} of the submodule ${path}, which your clone of it does not hold. ` +
          `Get it: git -C ${path} fetch origin ${id}`,
      );
    }
    const failure = { code: 'CHECKOUT_FAILED', what: `${what}: the submodule ${path} cannot be checked out.` } as const;
    const allow = ['-c', 'protocol.file.allow=always'];
    await git([...allow, 'clone', '--quiet', '--shared', '--no-checkout', '--', clone, target], inTree, failure);
    await git(['checkout', '--quiet', '--force', '--detach', id], { ...repository, cwd: target }, failure);
    const inner = { ...repository, root: join(repository.root, path), commonFolder: clone };
    await fillSubmodules(target, { what, repository: inner });
  }
}

async function gitlinks(inTree: Repository): Promise<readonly Gitlink[]> {
  const staged = await git(['ls-files', '--stage', '-z'], inTree);
  return staged.split('\0').flatMap((entry) => {
    const [, id = '', path = ''] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(entry) ?? [];
    return path === '' ? [] : [{ id, path }];
  });
}

/** The user's clone of a submodule: in the repository under its name, or in the working tree. */
async function findClone(
  path: string,
  { inTree, repository }: { readonly inTree: Repository; readonly repository: Repository },
): Promise<string | null> {
  const named = await askGit(
    ['config', '--null', '--file', '.gitmodules', '--get-regexp', String.raw`^submodule\..*\.path$`],
    inTree,
  ).catch(() => null);
  const name = (named ?? '')
    .split('\0')
    .map((entry) => /^submodule\.(.*)\.path\n(.*)$/s.exec(entry))
    .find((entry) => entry?.[2] === path)?.[1];
  if (name !== undefined && !name.split('/').includes('..')) {
    const kept = join(repository.commonFolder, 'modules', name);
    if (await isThere(join(kept, 'HEAD'))) return kept;
  }
  const folder = join(repository.root, path);
  if (!(await isThere(join(folder, '.git')))) return null;
  return (await openRepository(folder, repository.signal)).commonFolder;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
