import { rename, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { askGit, git, type Commit, getCommit, listCommits, openRepository, type Repository } from './repository.ts';
import { DeadheatError } from '@deadheat/model';
import { randomBytes } from 'node:crypto';
import { forget, register, removeRegistered } from '@deadheat/sync';
import { makeFolder } from '@deadheat/recording';

interface BranchOptions {
  /** Name of the branch; `null` = the one that is checked out, or the default branch of a remote repository. */
  readonly branch: string | null;
  /** Folder for the clone of a remote repository; an earlier clone there is used again. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A branch of a repository that is looked at again and again. */
export class Branch {
  readonly repository: Repository;
  /** The name of the repository: the last part of its address, without `.git`. */
  readonly name: string;
  /** `true` = the repository is a clone that was created for this. */
  readonly isClone: boolean;
  readonly #revision: string;

  private constructor(facts: {
    readonly repository: Repository;
    readonly name: string;
    readonly revision: string;
    readonly isClone: boolean;
  }) {
    this.repository = facts.repository;
    this.name = facts.name;
    this.#revision = facts.revision;
    this.isClone = facts.isClone;
  }

  /**
   * Opens a branch of a working tree on this machine, which is looked at as it is, or of any other address that git can clone, of which a
   * clone of its own is made.
   *
   * @throws DeadheatError `GIT_MISSING`, `GIT_FAILED` where it cannot be cloned, `UNKNOWN_REVISION`, `INTERRUPTED`
   */
  static async open(source: string, { branch, folder, signal }: BranchOptions): Promise<Branch> {
    if (source.startsWith('-') || branch?.startsWith('-') === true) {
      throw new DeadheatError('UNKNOWN_REVISION', 'The address of a repository and a branch do not begin with -.');
    }
    const name = basename(source.startsWith('.') ? resolve(source) : source.replace(/\/+$/, '')).replace(/\.git$/, '');
    const own = await workingTree(source, signal);
    if (own !== null) {
      const head = await askGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], own);
      const revision = branch ?? head?.trim() ?? 'HEAD';
      return new Branch({ repository: own, name: basename(own.root), revision, isClone: false });
    }
    if ((await stat(join(folder, '.git')).catch(() => null)) === null) await clone(source, { folder, signal });
    const repository = await openRepository(folder, signal);
    return new Branch({ repository, name, revision: `refs/remotes/origin/${branch ?? 'HEAD'}`, isClone: true });
  }

  /** Fetches new commits from a remote repository. @throws DeadheatError `GIT_FAILED`, `INTERRUPTED` */
  async update(): Promise<void> {
    if (!this.isClone) return;
    await git(['fetch', '--quiet', '--prune', 'origin'], this.repository);
    await git(['remote', 'set-head', 'origin', '--auto'], this.repository);
  }

  /**
   * The newest commits along the first parents, the oldest first.
   *
   * @throws DeadheatError `UNKNOWN_REVISION`, `SHALLOW_CLONE`
   */
  async commits(most: number): Promise<readonly Commit[]> {
    const tip = await getCommit(this.#revision, this.repository);
    return (await listCommits([`--max-count=${most}`, tip.id], this.repository)).toReversed();
  }
}

async function workingTree(source: string, signal: AbortSignal): Promise<Repository | null> {
  if ((await stat(source).catch(() => null))?.isDirectory() !== true) return null;
  try {
    const repository = await openRepository(resolve(source), signal);
    return repository.root === '' ? null : repository;
  } catch (error) {
    // A bare repository is cloned like a remote one.
    if (error instanceof DeadheatError && error.code === 'NOT_A_REPOSITORY') return null;
    throw error;
  }
}

/** The clone has its name once it is whole. */
async function clone(
  source: string,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<void> {
  const parent = dirname(folder);
  await makeFolder(parent);
  const temporary = register(join(parent, `.clone-${randomBytes(6).toString('hex')}`));
  try {
    await git(['clone', '--quiet', '--no-checkout', '--', source, temporary], { cwd: process.cwd(), signal });
    await rename(temporary, folder);
    forget(temporary);
  } catch (error) {
    removeRegistered(temporary);
    // Another process was faster.
    if ((await stat(join(folder, '.git')).catch(() => null)) === null) throw error;
  }
}
