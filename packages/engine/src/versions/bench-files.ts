import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit, git } from './git.ts';
import type { Commit, Repository } from './repository.ts';
import { VersionError } from './version-error.ts';

/** Files that both sides take from one commit. */
export interface BenchFiles {
  readonly from: Commit;
  /** Files and folders, from the folder that one stands in. */
  readonly paths: readonly string[];
}

const literal = { GIT_LITERAL_PATHSPECS: '1' };

/**
 * Checks that a commit holds the files.
 *
 * @throws VersionError `UNKNOWN_BENCH_PATH`
 */
export async function checkBenchFiles({ from, paths }: BenchFiles, repository: Repository): Promise<void> {
  for (const path of paths) {
    const options = { ...repository, cwd: repository.root, environment: literal };
    const found = await askGit(['ls-tree', '--name-only', from.id, '--', join(repository.prefix, path)], options).catch(
      () => null,
    );
    if (found !== null && found.trim() !== '') continue;
    throw new VersionError(
      'UNKNOWN_BENCH_PATH',
      `--bench-path ${path}: commit ${from.short} (${from.subject}) does not hold it. ` +
        'Name files or folders of the repository, from the folder that you are in, and with --bench-from the side that has them.',
    );
  }
}

/** Puts the files of that commit in the place of a worktree's own; files that only the worktree has there are removed. */
export async function takeBenchFiles(
  tree: string,
  { files, repository, what }: { readonly files: BenchFiles; readonly repository: Repository; readonly what: string },
): Promise<void> {
  const options = { ...repository, cwd: tree, environment: literal };
  const paths = files.paths.map((path) => join(repository.prefix, path));
  const failure = { code: 'CHECKOUT_FAILED', what: `${what} cannot be given the files of --bench-path.` } as const;
  await git(['rm', '-r', '--quiet', '--force', '--ignore-unmatch', '--', ...paths], options, failure);
  await git(['checkout', '--quiet', files.from.id, '--', ...paths], options, failure);
}

/**
 * The folder of a tree that one stands in in the working tree.
 *
 * @throws VersionError `CHECKOUT_FAILED` when the commit does not hold it
 */
export async function folderInside(
  tree: string,
  { prefix, what }: { readonly prefix: string; readonly what: string },
): Promise<string> {
  const folder = join(tree, prefix);
  if ((await stat(folder).catch(() => null))?.isDirectory() === true) return folder;
  throw new VersionError(
    'CHECKOUT_FAILED',
    `${what} has no folder ${prefix}, which you are in. Go to a folder that both sides have, such as the root of the repository.`,
  );
}
