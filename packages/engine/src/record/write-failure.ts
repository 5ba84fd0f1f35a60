import { RecordError, type RecordErrorCode } from './record-error.ts';
import { systemErrorCode } from './system-error.ts';

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

/** What a write was about. */
export interface WriteContext {
  /** File or folder that could not be written. */
  readonly path: string;
  /** Where the recording stands: not begun, begun with so many trials safe, or not touched by this write. */
  readonly recording: 'not-begun' | 'untouched' | { readonly directory: string; readonly trials: number };
}

/**
 * The error for a write that the system refused: names the path, the reason, the trials that are safe and what to do.
 * An error that did not come from the system is given back as it is.
 */
export const writeFailure = (error: unknown, { path, recording }: WriteContext): unknown => {
  const systemCode = systemErrorCode(error);
  if (systemCode === null) return error;
  const { code, what, advice } = explanations[systemCode] ?? other;
  const message = `Cannot write ${path}: ${what} (${systemCode}).`;
  const details = { path, cause: error };
  switch (recording) {
    case 'not-begun':
      return new RecordError(
        code,
        `${message} Nothing was recorded. ${advice}, or choose another folder with --output DIR.`,
        details,
      );
    case 'untouched':
      return new RecordError(code, `${message} ${advice} and try again.`, details);
    default:
      return new RecordError(
        code,
        `${message} ${countTrials(recording.trials)} safe on disk. ${advice}, then finish with ` +
          `--resume ${recording.directory}.`,
        { ...details, trialsOnDisk: recording.trials },
      );
  }
};

const countTrials = (trials: number): string =>
  trials === 1 ? '1 finished trial is' : `${trials} finished trials are`;
