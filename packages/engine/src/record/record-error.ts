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
