import { runProgram, quoteTail } from '@deadheat/engine';
import { DeadheatError, type ErrorCode } from '@deadheat/model';

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
