import { lstat, readdir, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Repository } from './repository.ts';

/**
 * The use of the packages of npm that are installed in the working tree: `lent` to the version; `own`: the version has, or needs,
 * none of them; `different`: it asks for other versions; `workspaces`: some are folders of the working tree, whose code both sides
 * would share.
 */
export type LentPackages = 'lent' | 'own' | 'different' | 'workspaces';

const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

/**
 * Links the folders `node_modules` of the working tree, from the root to the folder that one stands in, into the tree of a version,
 * where the version asks for the same packages and has none of its own.
 */
export async function lendPackages(
  tree: string,
  { root, prefix }: Pick<Repository, 'root' | 'prefix'>,
): Promise<LentPackages> {
  let outcome: LentPackages = 'own';
  for (const folder of foldersTo(prefix)) {
    const installed = join(root, folder, 'node_modules');
    const target = join(tree, folder, 'node_modules');
    const there = await lstat(target).catch(() => null);
    if (there?.isSymbolicLink() === true) await rm(target);
    else if (there !== null) continue;
    if ((await stat(installed).catch(() => null))?.isDirectory() !== true) continue;
    if ((await wantedIn(join(root, folder))) !== (await wantedIn(join(tree, folder)))) return 'different';
    if (await hasWorkspaces(installed, root)) return 'workspaces';
    await symlink(installed, target);
    outcome = 'lent';
  }
  return outcome;
}

/** `a/b` gives the root, `a` and `a/b`. */
function foldersTo(prefix: string): readonly string[] {
  const names = prefix.split('/').filter((name) => name !== '');
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

/** The dependencies of a folder: its lock files, or else the dependencies in its `package.json`. */
async function wantedIn(folder: string): Promise<string> {
  const locks = await Promise.all(lockFiles.map((name) => readFile(join(folder, name), 'utf8').catch(() => null)));
  if (locks.some((text) => text !== null)) return JSON.stringify(locks);
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  try {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify([dependencies, devDependencies, optionalDependencies]);
  } catch {
    return text;
  }
}

/** True if a package is a link to a folder of the working tree that is in no `node_modules`. */
async function hasWorkspaces(installed: string, root: string): Promise<boolean> {
  const realRoot = await realpath(root);
  const entries = await readdir(installed, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(installed, entry.name);
    if (entry.isDirectory() && entry.name.startsWith('@') && (await hasWorkspaces(path, root))) return true;
    if (!entry.isSymbolicLink()) continue;
    const target = await realpath(path).catch(() => dirname(realRoot));
    if (target.startsWith(realRoot + sep) && !target.includes(`${sep}node_modules${sep}`)) return true;
  }
  return false;
}
