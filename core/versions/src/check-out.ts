import { stat, lstat, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { join, dirname, sep } from 'node:path';
import { quoteTail, runProgram } from '@deadheat/engine';
import { DeadheatError, type Layout } from '@deadheat/model';
import { type Repository, type Commit, openRepository, freeEnvironment, askGit, git } from './repository.ts';
import { codeDigest } from './layout/code-digest.ts';
import { writeLayoutTools } from './layout/layout-tools.ts';
import type { Revision } from './revisions.ts';
import type { ReadyVersion, Slot, VersionCache } from './version-cache.ts';
import { addWorktree, parkWorktree, restoreWorktree, treeOf } from './worktree.ts';

/** A commit that is to be made ready. */
export interface CheckOutRequest {
  readonly revision: Revision;
  /** The side and the commit, as messages begin: `A, main (1a2b3c4 Add x),`. */
  readonly what: string;
  /** Shell command, in the folder that one stands in; `null` = nothing is to be made. */
  readonly setup: string | null;
  /** `null` = those of the commit itself. */
  readonly benchFiles: BenchFiles | null;
  readonly repository: Repository;
  /** Variables that the setup inherits; absent = those of this process. */
  readonly inherited?: NodeJS.ProcessEnv;
  /** `true` = the setup is executed although that was done before. */
  readonly fresh: boolean;
  /** Seed of the layout of what is built; absent = as it comes. */
  readonly layout?: string;
  /** Called before a setup, which takes its time, begins. */
  readonly onSetup: () => void;
}

/** A commit that is ready. */
export interface CheckedOut extends ReadyVersion {
  readonly packages: LentPackages;
  /** There where a layout was asked for. */
  readonly layout?: Layout;
}

/**
 * Makes a commit ready in a folder of its own: its files as a worktree, its submodules, the benchmark's files, and the setup, which is
 * carried out once for a commit and then kept. Without a setup it is lent the packages of npm that the working tree has installed.
 *
 * @throws DeadheatError `CHECKOUT_FAILED`, `SUBMODULE_MISSING`, `UNKNOWN_BENCH_PATH`, `SETUP_FAILED` with the last lines of its output,
 *   `INTERRUPTED`; nothing is left then
 */
export async function checkOut(request: CheckOutRequest, cache: VersionCache): Promise<CheckedOut> {
  const { revision, what, setup, benchFiles, repository, layout } = request;
  const { id } = revision.commit;
  const files = benchFiles === null || benchFiles.from.id === id ? null : benchFiles;
  if (files !== null) await checkBenchFiles(files, repository);
  const slot = await cache.take(
    {
      repository: repository.commonFolder,
      commit: id,
      setup,
      // A build for one version of Node is often of no use for another.
      node: process.version,
      // A setup is carried out where one stands.
      prefix: setup === null ? null : repository.prefix,
      files: files === null ? null : { commit: files.from.id, paths: files.paths, prefix: repository.prefix },
      ...(layout === undefined ? {} : { layout }),
    },
    { fresh: request.fresh },
  );
  const wasReady = slot.ready;
  const tree = treeOf(slot.folder);
  try {
    if (wasReady) await restoreWorktree(slot.folder, { id, what, repository });
    else {
      await addWorktree(slot.folder, { id, what, repository });
      await fillSubmodules(tree, { what, repository });
    }
    if (!wasReady && files !== null) await takeBenchFiles(tree, { files, repository, what });
    const folder = await folderInside(tree, { prefix: repository.prefix, what });
    const tools = join(slot.folder, 'layout');
    if (!wasReady) {
      const inherited = freeEnvironment(request.inherited);
      const variables = layout === undefined ? {} : await writeLayoutTools(tools, { seed: layout, inherited });
      if (setup !== null) {
        request.onSetup();
        await runSetup(setup, {
          what,
          folder,
          signal: repository.signal,
          environment: { ...inherited, ...variables },
        });
      }
      await slot.finish({
        kind: 'commit',
        origin: repository.commonFolder,
        version: id,
        setup,
        ...(layout === undefined ? {} : { layout }),
      });
    }
    const packages = setup === null ? await lendPackages(tree, repository) : 'own';
    const ready = { folder, root: tree, wasReady, packages, release: () => release(slot) };
    if (layout === undefined) return ready;
    return { ...ready, layout: { seed: layout, root: tree, tools, code: await codeDigest(tree) } };
  } catch (error) {
    await release(slot);
    throw error;
  }
}

/**
 * Lends a version that is kept once more, in the folder in which it was before; to be released.
 *
 * @param folder its folder, or one inside it
 * @returns `null` = it is not kept, or another process uses it
 */
export async function checkOutAgain(
  folder: string,
  { cache, signal }: { readonly cache: VersionCache; readonly signal: AbortSignal },
): Promise<ReadyVersion | null> {
  const taken = await cache.takeAgain(folder);
  if (taken === null) return null;
  const { slot, content } = taken;
  try {
    if (content.kind === 'commit') {
      const repository = { cwd: content.origin, signal };
      await restoreWorktree(slot.folder, { id: content.version, what: content.version, repository });
    }
    return { folder, root: treeOf(slot.folder), wasReady: true, release: () => release(slot) };
  } catch (error) {
    await release(slot);
    throw error;
  }
}

/** Also after an interruption: what is begun here is ended. */
async function release(slot: Slot): Promise<void> {
  try {
    await parkWorktree(slot.folder, new AbortController().signal);
  } finally {
    await slot.release();
  }
}

/**
 * Carries a setup out by the shell.
 *
 * @throws DeadheatError `SETUP_FAILED` with the last lines of its output, `INTERRUPTED`
 */
async function runSetup(
  command: string,
  {
    what,
    folder,
    signal,
    environment,
  }: {
    readonly what: string;
    readonly folder: string;
    readonly signal: AbortSignal;
    readonly environment: NodeJS.ProcessEnv;
  },
): Promise<void> {
  const { status, tail } = await runProgram(['/bin/sh', '-c', command], {
    cwd: folder,
    environment,
    signal,
  });
  if (signal.aborted) throw new DeadheatError('INTERRUPTED', 'interrupted');
  if (status === 0) return;
  const how = typeof status === 'number' ? `ended with status ${status}` : 'was ended by a signal';
  throw new DeadheatError('SETUP_FAILED', `${what} cannot be built: the setup ${command} ${how}${quoteTail(tail)}`);
}

/** Files that both sides take from one commit. */
interface BenchFiles {
  readonly from: Commit;
  /** Files and folders, from the folder that one stands in. */
  readonly paths: readonly string[];
}

const literal = { GIT_LITERAL_PATHSPECS: '1' };

/**
 * Checks that a commit holds the files.
 *
 * @throws DeadheatError `UNKNOWN_BENCH_PATH`
 */
async function checkBenchFiles({ from, paths }: BenchFiles, repository: Repository): Promise<void> {
  for (const path of paths) {
    const options = { ...repository, cwd: repository.root, environment: literal };
    const found = await askGit(['ls-tree', '--name-only', from.id, '--', join(repository.prefix, path)], options).catch(
      () => null,
    );
    if (found !== null && found.trim() !== '') continue;
    throw new DeadheatError(
      'UNKNOWN_BENCH_PATH',
      `The commit ${from.short} (${from.subject}) has no ${path}, which both sides are to take from it. ` +
        'Name files or folders of the repository, relative to the current folder, or take them from the commit of the other side.',
    );
  }
}

/** Puts the files of that commit in the place of a worktree's own; files that only the worktree has there are removed. */
async function takeBenchFiles(
  tree: string,
  { files, repository, what }: { readonly files: BenchFiles; readonly repository: Repository; readonly what: string },
): Promise<void> {
  const options = { ...repository, cwd: tree, environment: literal };
  const paths = files.paths.map((path) => join(repository.prefix, path));
  const failure = {
    code: 'CHECKOUT_FAILED',
    what: `${what} cannot be given the shared files of the benchmark.`,
  } as const;
  await git(['rm', '-r', '--quiet', '--force', '--ignore-unmatch', '--', ...paths], options, failure);
  await git(['checkout', '--quiet', files.from.id, '--', ...paths], options, failure);
}

/**
 * The folder of a tree that one stands in in the working tree.
 *
 * @throws DeadheatError `CHECKOUT_FAILED` when the commit does not hold it
 */
async function folderInside(
  tree: string,
  { prefix, what }: { readonly prefix: string; readonly what: string },
): Promise<string> {
  const folder = join(tree, prefix);
  if ((await stat(folder).catch(() => null))?.isDirectory() === true) return folder;
  throw new DeadheatError(
    'CHECKOUT_FAILED',
    `${what} has no folder ${prefix}, which you are in. Go to a folder that both sides have, such as the root of the repository.`,
  );
}

interface Gitlink {
  readonly id: string;
  readonly path: string;
}

/**
 * Fills the submodules of a worktree, and theirs, from the clones that the user's repository has of them; nothing is fetched. One
 * that the user's repository has not cloned stays empty, as it is there.
 *
 * @param what the side and commit, for messages
 * @throws DeadheatError `SUBMODULE_MISSING` for a clone that lacks the commit
 */
async function fillSubmodules(
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
      throw new DeadheatError(
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

/**
 * The use of the packages of npm that are installed in the working tree: `lent` to the version; `own`: the version has, or needs,
 * none of them; `different`: it asks for other versions; `workspaces`: some are folders of the working tree, whose code both sides
 * would share.
 */
type LentPackages = 'lent' | 'own' | 'different' | 'workspaces';

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
