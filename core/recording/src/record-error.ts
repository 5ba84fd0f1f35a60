import { DeadheatError } from '@deadheat/model';

/**
 * Why a recording could not be made, continued or read.
 *
 * - `DISK_FULL`: no space, quota or file-size limit left.
 * - `NOT_WRITABLE`, `NOT_READABLE`: permissions, a read-only file system, or a file in the place of a folder.
 * - `IO`: the system refused for another reason, named in the message.
 * - `DIRECTORY_NOT_EMPTY`: the folder asked for already holds something.
 * - `RECORDING_IN_USE`: another process writes it.
 * - `NOT_FOUND`: the path does not exist.
 * - `RECORDING_GONE`: its folder was removed while the experiment ran.
 * - `NOT_A_RECORDING`: the folder lacks what makes it one.
 * - `NEWER_VERSION`: written by a newer major version of the format.
 * - `MALFORMED`: damaged or edited content.
 * - `JOURNAL_DAMAGED`: a line of the journal was changed, repeated, moved or removed.
 * - `INVALID_TRIAL`: a trial that the journal could not be read back with; a defect of the caller.
 */
export type RecordErrorCode =
  | 'DISK_FULL'
  | 'NOT_WRITABLE'
  | 'NOT_READABLE'
  | 'IO'
  | 'DIRECTORY_NOT_EMPTY'
  | 'RECORDING_IN_USE'
  | 'NOT_FOUND'
  | 'RECORDING_GONE'
  | 'NOT_A_RECORDING'
  | 'NEWER_VERSION'
  | 'MALFORMED'
  | 'JOURNAL_DAMAGED'
  | 'INVALID_TRIAL';

/** Data of a {@link RecordError}; what does not apply is left out. */
export interface RecordErrorDetails {
  /** File or folder that the error is about. */
  readonly path: string;
  /** Line in that file, from 1. */
  readonly line?: number;
  /** Column in that line, from 1, in characters. */
  readonly column?: number;
  /** Finished trials that are safe in the journal. */
  readonly trialsOnDisk?: number;
  /** Major version found, and the newest one that this version reads. */
  readonly versions?: { readonly found: number; readonly supported: number };
  readonly cause?: unknown;
}

/** A recording could not be made, continued or read; the message ends with what to do. */
export class RecordError extends DeadheatError<RecordErrorCode> {
  override readonly name = 'RecordError';
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly trialsOnDisk: number | null;
  readonly versions: { readonly found: number; readonly supported: number } | null;

  constructor(code: RecordErrorCode, message: string, details: RecordErrorDetails) {
    super(code, message, details.cause === undefined ? {} : { cause: details.cause });
    this.path = details.path;
    this.line = details.line ?? null;
    this.column = details.column ?? null;
    this.trialsOnDisk = details.trialsOnDisk ?? null;
    this.versions = details.versions ?? null;
  }
}

/**
 * The error for a file or folder of a recording that the system would not read. An error that did not come from the
 * system is given back as it is.
 */
export function readFailure(error: unknown, path: string): unknown {
  const systemCode = systemErrorCode(error);
  if (systemCode === null) return error;
  const details = { path, cause: error };
  switch (systemCode) {
    case 'ENOENT':
      return new RecordError('NOT_FOUND', `${path} does not exist. Check the path.`, details);
    case 'EACCES':
    case 'EPERM':
      return new RecordError(
        'NOT_READABLE',
        `Cannot read ${path}: permission denied (${systemCode}). Give yourself read permission, or copy the recording.`,
        details,
      );
    default:
      return new RecordError(
        'IO',
        `Cannot read ${path}: the system refused (${systemCode}). Check the path and the disk.`,
        details,
      );
  }
}

interface Explanation {
  readonly code: RecordErrorCode;
  readonly what: string;
  readonly advice: string;
}

const explanations: Readonly<Record<string, Explanation>> = {
  ENOSPC: { code: 'DISK_FULL', what: 'the disk is full', advice: 'Free some space there' },
  EDQUOT: { code: 'DISK_FULL', what: 'the disk quota is used up', advice: 'Free some of your space there' },
  EFBIG: { code: 'DISK_FULL', what: 'the file-size limit is reached', advice: 'Raise the limit (ulimit -f)' },
  EROFS: { code: 'NOT_WRITABLE', what: 'the file system is read-only', advice: 'Make it writable' },
  EACCES: { code: 'NOT_WRITABLE', what: 'permission denied', advice: 'Give yourself write permission there' },
  EPERM: { code: 'NOT_WRITABLE', what: 'operation not permitted', advice: 'Give yourself write permission there' },
  ENOTDIR: { code: 'NOT_WRITABLE', what: 'a part of the path is a file, not a folder', advice: 'Move that file away' },
  EEXIST: { code: 'NOT_WRITABLE', what: 'a file stands in the place of the folder', advice: 'Move that file away' },
  ENOENT: { code: 'NOT_WRITABLE', what: 'no such folder, and none can be made there', advice: 'Check the path' },
  EISDIR: { code: 'NOT_WRITABLE', what: 'a folder stands in the place of the file', advice: 'Move that folder away' },
  ENAMETOOLONG: { code: 'NOT_WRITABLE', what: 'the path is too long', advice: 'Use a shorter path' },
  EIO: { code: 'IO', what: 'the device reports an error', advice: 'Check the disk and the kernel log' },
};

const other: Explanation = { code: 'IO', what: 'the system refused', advice: 'Remove the cause that it names' };

/** The file and the purpose of a write. */
interface WriteContext {
  /** File or folder that could not be written. */
  readonly path: string;
  /** Where the recording stands: not begun, begun with this number of trials safe, or not touched by this write. */
  readonly recording: 'not-begun' | 'untouched' | { readonly directory: string; readonly trials: number };
}

/**
 * The error for a write that the system refused: names the path, the reason, the trials that are safe and what to do.
 * An error that did not come from the system is given back as it is.
 */
export function writeFailure(error: unknown, { path, recording }: WriteContext): unknown {
  const systemCode = systemErrorCode(error);
  if (systemCode === null) return error;
  const { code, what, advice } = explanations[systemCode] ?? other;
  const message = `Cannot write ${path}: ${what} (${systemCode}).`;
  const details = { path, cause: error };
  switch (recording) {
    case 'not-begun':
      return new RecordError(code, `${message} Nothing was recorded. ${advice}, or choose another folder.`, details);
    case 'untouched':
      return new RecordError(code, `${message} ${advice} and try again.`, details);
    default:
      return new RecordError(
        code,
        `${message} ${countTrials(recording.trials)} safe on disk. ${advice}, then resume ${recording.directory}.`,
        { ...details, trialsOnDisk: recording.trials },
      );
  }
}

function countTrials(trials: number): string {
  return trials === 1 ? '1 finished trial is' : `${trials} finished trials are`;
}

/** EDQUOT of Linux. */
const overQuota = 122;

/** Stable code of an error of the operating system, such as `ENOSPC`; `null` for any other error. */
export function systemErrorCode(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error)) return null;
  // Node has no name for it.
  return error.code === 'UNKNOWN' && 'errno' in error && error.errno === -overQuota ? 'EDQUOT' : error.code;
}

/** True for an error of the operating system with one of these codes. */
export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  const code = systemErrorCode(error);
  return code !== null && codes.includes(code);
}
