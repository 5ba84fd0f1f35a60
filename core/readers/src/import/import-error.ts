import { DeadheatError } from '@deadheat/model';

/**
 * Why a file of another tool could not be used.
 *
 * - `FILE_NOT_FOUND`, `FILE_NOT_READABLE`: the system would not open or read it.
 * - `UNKNOWN_FORMAT`: no adapter knows its content, or the format asked for does not exist.
 * - `FILE_OF_DEADHEAT`: it is a report or a part of a recording, whose folder can be analysed.
 * - `MALFORMED_FILE`: it breaks off, or its content is not what its format says.
 * - `TOO_LARGE`: it is longer than the longest text, its content does not fit into the heap, or it holds more runs than are read at once.
 * - `NOTHING_TO_IMPORT`: its format is known, but it holds no measurement.
 * - `COLUMNS_NEEDED`: a generic table whose columns were not named.
 * - `ONE_SIDE_ONLY`: a single file that holds one side: there is nothing to compare it with.
 * - `SIDES_NOT_CLEAR`: it is not clear which of several things is which side.
 * - `BAD_SERIES`: a file of steady-state series is not in their format.
 * - `NOTHING_IN_COMMON`: two files hold no benchmark of the same name and parameters.
 * - `BENCHMARKS_UNMATCHED`: one side lacks a benchmark of the other, and that was to be an error.
 */
export type ImportErrorCode =
  | 'FILE_NOT_FOUND'
  | 'FILE_NOT_READABLE'
  | 'UNKNOWN_FORMAT'
  | 'FILE_OF_DEADHEAT'
  | 'MALFORMED_FILE'
  | 'TOO_LARGE'
  | 'NOTHING_TO_IMPORT'
  | 'COLUMNS_NEEDED'
  | 'ONE_SIDE_ONLY'
  | 'SIDES_NOT_CLEAR'
  | 'BAD_SERIES'
  | 'NOTHING_IN_COMMON'
  | 'BENCHMARKS_UNMATCHED';

/** Data of an {@link ImportError}; what does not apply is left out. */
export interface ImportErrorDetails {
  readonly path: string;
  /** Line, from 1. */
  readonly line?: number;
  /** Column in that line, from 1, in characters. */
  readonly column?: number;
  /** Place in a JSON text, such as `$.benchmarks[2].runs[0].values`. */
  readonly jsonPath?: string;
  readonly cause?: unknown;
}

/** A file of another tool could not be used; the message names the place and ends with what to do. */
export class ImportError extends DeadheatError<ImportErrorCode> {
  override readonly name = 'ImportError';
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly jsonPath: string | null;

  constructor(code: ImportErrorCode, message: string, details: ImportErrorDetails) {
    super(code, message, details.cause === undefined ? {} : { cause: details.cause });
    this.path = details.path;
    this.line = details.line ?? null;
    this.column = details.column ?? null;
    this.jsonPath = details.jsonPath ?? null;
  }
}

/** A place in a file. */
export interface TextPlace {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** The error `MALFORMED_FILE` at a line and column; `what` has no full stop, `advice` is a sentence. */
export function malformedText(
  { path, line, column }: TextPlace,
  { what, advice }: { readonly what: string; readonly advice: string },
): ImportError {
  return new ImportError('MALFORMED_FILE', `${path}:${line}:${column}: ${what}. ${advice}`, { path, line, column });
}

/**
 * The error `TOO_LARGE`, which says what to do.
 *
 * @param reason.what Size and limit, such as `600 MiB, and files ... up to 512 MiB`.
 * @param reason.instead What helps beside a smaller file; `null` = nothing.
 */
export function tooLarge(
  path: string,
  { what, instead }: { readonly what: string; readonly instead: string | null },
): ImportError {
  const advice = 'split it, by benchmark for instance, and analyse one part at a time';
  const message = `${path} holds ${what}: ${advice}${instead === null ? '' : `, ${instead}`}.`;
  return new ImportError('TOO_LARGE', message, { path });
}

/** Each run takes some hundred bytes, whatever it holds. */
const mostRuns = 2 ** 20;

/** Refuses a file of more runs than are read at once, 1 Mi, by the error `TOO_LARGE`. */
export function checkRuns(runs: number, path: string, most: number = mostRuns): void {
  if (runs <= most) return;
  throw tooLarge(path, { what: `more than ${most} runs, the most that are read at once`, instead: null });
}

/** A number of bytes for people, in whole MiB. */
export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
