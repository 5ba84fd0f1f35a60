import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts';
import type { ErrorCode } from '@deadheat/model';
import { withoutPasswords } from '@deadheat/model/text';
import { renderExcerpt, type UsageError } from 'deadheat/settings';
import { presentable } from './presentable.ts';

/** The report of an error: text for stderr without the final line break, and the exit code. */
export interface Explanation {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/**
 * Turns anything that was thrown into a message that a person can act on. An error with a stable `code` says what happened, why, and
 * what to do next; an error of the library without a hint gets the options that help. Passwords in URLs of databases are left out. Anything else is a
 * defect of the tool, whose stack is shown with DEADHEAT_DEBUG=1 only.
 */
export function explainError(
  error: unknown,
  variables: Readonly<Record<string, string | undefined>> = {},
): Explanation {
  const debug = variables['DEADHEAT_DEBUG'] === '1';
  if (error instanceof Error && hasOwnCode(error)) {
    const parts = [`deadheat: ${error.message}`];
    const { excerpt = null, hint = null, code } = error as Partial<UsageError> & { readonly code: ErrorCode };
    if (excerpt !== null) parts.push('', renderExcerpt(excerpt), '');
    if (hint !== null) parts.push(hint);
    const flags = 'category' in error && hint === null ? flagHints[code] : undefined;
    if (flags !== undefined) parts.push(flags);
    if (debug && error.stack !== undefined) parts.push('', error.stack);
    return { message: presentable(withoutPasswords(parts.join('\n').trimEnd())), exitCode: exitCodeOf(error) };
  }
  if (error instanceof Error && isSystemError(error)) {
    const stack = debug && error.stack !== undefined ? `\n\n${error.stack}` : '';
    const message = `deadheat: the system refused: ${error.message}\n${advice[error.code] ?? 'Remove the cause that it names, and try again.'}${stack}`;
    return { message: presentable(withoutPasswords(message)), exitCode: exitCodeOf({ code: 'IO' }) };
  }
  if (error instanceof Error && 'code' in error && notLoaded.has(String(error.code))) {
    const message = `deadheat: a file of its installation cannot be loaded: ${error.message}\nCheck the limits (ulimit -a) and the disk, or install it again.`;
    return { message: presentable(withoutPasswords(message)), exitCode: exitCodes.workload };
  }
  const what = error instanceof Error ? error.message : String(error);
  const next =
    debug && error instanceof Error && error.stack !== undefined
      ? error.stack
      : 'Set DEADHEAT_DEBUG=1 to see where, and please report it.';
  const message = presentable(withoutPasswords(`deadheat: unexpected error: ${what}\n${next}`));
  return { message, exitCode: exitCodes.workload };
}

/** Node names no error of the system where it could not look into a folder or read a `package.json`. */
const notLoaded: ReadonlySet<string> = new Set([
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_INVALID_PACKAGE_CONFIG',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_DLOPEN_FAILED',
]);

/** True for an error of this project, also of another copy of its packages: its `code` is none of Node's or the system's. */
function hasOwnCode(error: Error): error is Error & { readonly code: string } {
  if (!('code' in error) || typeof error.code !== 'string') return false;
  return /^[A-Z][A-Z_]+$/.test(error.code) && !error.code.startsWith('ERR_') && !('errno' in error);
}

/** An error of the operating system that no module has translated. */
function isSystemError(error: Error): error is Error & { readonly code: string } {
  return 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'Check that the path exists.',
  ENOTDIR: 'Check the path: a part of it is a file.',
  EISDIR: 'Name a file: there is a folder.',
  EACCES: 'Give yourself the permission, or name another path.',
  EPERM: 'Give yourself the permission, or name another path.',
  EROFS: 'Name a path on a file system that can be written.',
  ELOOP: 'Check the links of the path: they lead to each other.',
  ENAMETOOLONG: 'Use a shorter name or path.',
  E2BIG: 'Use a shorter command and a smaller environment.',
  ENOSPC: 'Free some space on the disk.',
  EDQUOT: 'Free some of your space on the disk.',
  EFBIG: 'Raise the limit of the size of files (ulimit -f).',
  EMFILE: 'Raise the limit of open files (ulimit -n).',
  ENFILE: 'Close other programs: the system has no more open files.',
  EAGAIN: 'Raise the limit of processes (ulimit -u), or try again.',
  ENOMEM: 'Close other programs: there is too little memory.',
  EIO: 'Check the disk and the kernel log.',
};

const outputHint = 'The option --output DIR chooses the folder.';
const repairHint = 'deadheat cleanup --repair RECORDING keeps the lines that are whole.';
const cpusHint = 'The option --cpus LIST chooses the CPUs.';

/** The options of the command that help against an error of the library, whose own message names none. */
export const flagHints: Readonly<Partial<Record<ErrorCode, string>>> = {
  CPU_COUNT: cpusHint,
  CPU_TWICE: cpusHint,
  CPU_NOT_FOUND: cpusHint,
  CPU_NOT_USABLE: cpusHint,
  TIME_LIMIT_TOO_SHORT: 'The option --max-time TIME sets the limit, and --iterations N the iterations of a run.',
  TOO_MANY_LANES: 'The option --lanes N sets the number of tandems; without it deadheat chooses.',
  DIRECTORY_NOT_EMPTY: `${outputHint} To continue the recording that is there, use --resume.`,
  RECORDING_IN_USE: outputHint,
  RECORDING_GONE: outputHint,
  JOURNAL_DAMAGED: repairHint,
  MALFORMED: `Where the file is trials.jsonl, or a record that was changed after its run: ${repairHint}`,
  CANNOT_RESUME_HERE: 'Parts are made with deadheat run --part K/N and brought together with deadheat ci merge.',
  DIFFERENT_EXPERIMENTS:
    'deadheat run --part K/N executes one part; the option --experiment-id gives all parts the same identifier.',
  METHODS_DIFFER: 'The option --method METHOD of deadheat run chooses the method of a part.',
  UNKNOWN_BENCH_PATH: 'The option --bench-path names the files, and --bench-from the side that has them.',
  SHALLOW_CLONE: 'With --exact, deadheat git compares with the commit itself.',
  NO_COMMON_ANCESTOR: 'With --exact, deadheat git compares with the commit itself.',
  NO_TLS: 'The option --allow-plaintext allows it to one command.',
  ENGINE_MISSING: 'The option --engine of deadheat run chooses podman or docker.',
  UNKNOWN_FORMAT:
    'The option --format NAME names the format, and --columns time=COLUMN the columns of a table of times.',
  COLUMNS_NEEDED: 'The option --columns time=COLUMN,run=COLUMN,benchmark=COLUMN,side=COLUMN names them.',
};
