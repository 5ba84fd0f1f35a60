import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DeadheatError, type ErrorCode } from '@deadheat/model';
import { runProgram, quoteTail } from '@deadheat/engine';

/** A repository with a working tree, as seen from a folder inside it. */
export interface Repository extends GitOptions {
  /** Root of the working tree. */
  readonly root: string;
  /** The repository itself, which all its working trees share. */
  readonly commonFolder: string;
  /** The folder that one stands in, from the root; empty at the root. */
  readonly prefix: string;
  readonly isShallow: boolean;
}

/**
 * Finds the repository around a folder.
 *
 * @throws DeadheatError `NOT_A_REPOSITORY`, also for one without a working tree; `GIT_MISSING`
 */
export async function openRepository(cwd: string, signal: AbortSignal): Promise<Repository> {
  const options = { cwd, signal };
  if ((await stat(cwd).catch(() => null))?.isDirectory() !== true) {
    throw new DeadheatError('NOT_A_REPOSITORY', `${cwd} is not a folder.`);
  }
  const answer = await askGit(
    ['rev-parse', '--show-toplevel', '--git-common-dir', '--is-shallow-repository', '--show-prefix'],
    options,
  ).catch((error: unknown) => {
    if (!(error instanceof DeadheatError) || error.code !== 'GIT_FAILED') throw error;
    if (/dubious ownership/.test(error.message)) throw error;
    throw new DeadheatError(
      'NOT_A_REPOSITORY',
      `${cwd} is in no working tree of a git repository. Go to one: deadheat git compares two of its commits.`,
      { cause: error },
    );
  });
  const [root = '', common = '', shallow = '', prefix = ''] = (answer ?? '').split('\n');
  return {
    ...options,
    root,
    commonFolder: resolve(cwd, common),
    isShallow: shallow === 'true',
    prefix: prefix.replace(/\/$/, ''),
  };
}

/** A commit and how it is called. */
export interface Commit {
  /** Whole hash. */
  readonly id: string;
  /** The shortest prefix that identifies it. */
  readonly short: string;
  /** First line of its message. */
  readonly subject: string;
  /** Name of the person who wrote it. */
  readonly author: string;
  /** When it was committed, ISO 8601 with the committer's zone. */
  readonly committedAt: string;
}

/**
 * The commit that a revision names; `null` when it names none.
 *
 * @throws DeadheatError `UNKNOWN_REVISION` for one that begins with `-`
 */
export async function findCommit(revision: string, repository: Repository): Promise<Commit | null> {
  if (revision.startsWith('-')) {
    throw new DeadheatError('UNKNOWN_REVISION', `${revision} cannot be a revision: it begins with -.`);
  }
  const found = await askGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    repository,
  ).catch((error: unknown) => {
    if (error instanceof DeadheatError && error.code === 'GIT_FAILED') return null;
    throw error;
  });
  return found === null ? null : describeCommit(found.trim(), repository);
}

/**
 * Like `findCommit`, with an error for a commit that is not there.
 *
 * @throws DeadheatError `UNKNOWN_REVISION`, `SHALLOW_CLONE` where the clone may just lack it
 */
export async function getCommit(revision: string, repository: Repository): Promise<Commit> {
  const found = await findCommit(revision, repository);
  if (found !== null) return found;
  if (repository.isShallow) {
    throw new DeadheatError('SHALLOW_CLONE', `This clone is shallow and does not hold ${revision}. ${deepen}`);
  }
  throw new DeadheatError(
    'UNKNOWN_REVISION',
    `${revision} is no commit of this repository. git branch -a and git tag list names; git fetch gets what is new.`,
  );
}

/** The advice for a shallow clone. */
export const deepen = 'Run git fetch --unshallow; in CI check out with fetch-depth: 0.';

/** Looks a commit up by its whole hash. */
export async function describeCommit(id: string, repository: Repository): Promise<Commit> {
  const text = await git(['log', '-1', '--no-show-signature', '--format=%h%n%cI%n%an%n%s', id], repository);
  const [short = '', committedAt = '', author = '', subject = ''] = text.split('\n');
  return { id, short, subject, author, committedAt };
}

/** Where a repository was cloned from; `null` = it has no remote `origin`. */
export async function originOf(repository: Repository): Promise<string | null> {
  const found = await askGit(['config', '--get', 'remote.origin.url'], repository);
  return found === null || found.trim() === '' ? null : found.trim();
}

/** The commits that are searched for the one that made a program slower. */
export interface CommitRange {
  readonly good: Commit;
  /** From the first after GOOD to BAD, along the first parents: merged commits count as their merge. */
  readonly commits: readonly Commit[];
}

/**
 * The commits from GOOD, excluded, to BAD.
 *
 * @throws DeadheatError `UNKNOWN_REVISION`, `SHALLOW_CLONE`, `NOT_AN_ANCESTOR`
 */
export async function commitsBetween(
  { good: goodName, bad: badName }: { readonly good: string; readonly bad: string },
  repository: Repository,
): Promise<CommitRange> {
  const good = await getCommit(goodName, repository);
  const bad = await getCommit(badName, repository);
  const isAncestor =
    good.id !== bad.id && (await askGit(['merge-base', '--is-ancestor', good.id, bad.id], repository)) !== null;
  if (!isAncestor) {
    throw new DeadheatError(
      repository.isShallow ? 'SHALLOW_CLONE' : 'NOT_AN_ANCESTOR',
      good.id === bad.id
        ? `${goodName} and ${badName} are the same commit.`
        : `${goodName} is no ancestor of ${badName}${repository.isShallow ? ', as far as this shallow clone goes' : ''}. ` +
            'Give the older commit, which is fast, first: deadheat bisect GOOD BAD -- COMMAND.',
    );
  }
  return { good, commits: await listCommits(['--reverse', `${good.id}..${bad.id}`], repository) };
}

/** Commits along the first parents, as `git log` lists them with these arguments. */
export async function listCommits(args: readonly string[], repository: Repository): Promise<readonly Commit[]> {
  const format = '--format=%H%x00%h%x00%cI%x00%an%x00%s';
  const text = await git(['log', '--first-parent', '--no-show-signature', format, ...args], repository);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', short = '', committedAt = '', author = '', subject = ''] = line.split('\0');
      return { id, short, subject, author, committedAt };
    });
}

/** Where and how git is executed. */
export interface GitOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Variables beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Set by a git that started this process, as in a hook: they would name another repository or index. */
const inherited: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/** An environment, this process's unless another is given, without what ties it to one repository. */
export function freeEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !inherited.has(name)));
}

/**
 * Executes git with an array of arguments: without hooks, without taking locks that it can do without, without asking anything.
 *
 * @returns its output; `null` when it ended with 1, as commands do that answer a question with no.
 * @throws DeadheatError `GIT_MISSING`, `INTERRUPTED`, or `GIT_FAILED` with git's message
 */
export async function askGit(args: readonly string[], options: GitOptions): Promise<string | null> {
  const { cwd, signal, environment = {} } = options;
  const { status, stdout, tail } = await runProgram(
    ['git', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'advice.detachedHead=false', ...args],
    {
      cwd,
      signal,
      environment: {
        ...freeEnvironment(),
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
        GIT_LITERAL_PATHSPECS: '0',
        LC_ALL: 'C',
        ...environment,
      },
    },
  );
  if (signal.aborted) throw new DeadheatError('INTERRUPTED', 'interrupted');
  if (status === 'not-found') {
    throw new DeadheatError('GIT_MISSING', 'git was not found. Install it, or put it into PATH.');
  }
  if (status === 0) return stdout;
  if (status === 1) return null;
  throw new DeadheatError('GIT_FAILED', `git ${args.join(' ')} failed in ${cwd}${quoteTail(tail)}`);
}

/**
 * Like `askGit`, for commands whose every failure is an error.
 *
 * @param failure code and beginning of the message of the error
 */
export async function git(
  args: readonly string[],
  options: GitOptions,
  failure: { readonly code: ErrorCode; readonly what: string } | null = null,
): Promise<string> {
  function wrap(error: unknown): never {
    if (failure === null || !(error instanceof DeadheatError) || error.code !== 'GIT_FAILED') throw error;
    throw new DeadheatError(failure.code, `${failure.what}\n${error.message}`, { cause: error });
  }
  const answer = await askGit(args, options).catch(wrap);
  return answer ?? wrap(new DeadheatError('GIT_FAILED', `git ${args.join(' ')} failed in ${options.cwd}`));
}
