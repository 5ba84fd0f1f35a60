import { DeadheatError } from '@deadheat/model';
import { resolve } from 'node:path';

/**
 * A history could not be asked or added to; the message says what is stored and what to do, and holds no password.
 *
 * - `BAD_URL`: neither a folder nor a URL of PostgreSQL, or one that holds a password.
 * - `NOT_FOUND`: there is no such history, or no such recording in it.
 * - `INCOMPLETE_RECORDING`: runs of what was to be put are missing; what is no recording, or is damaged, is a `RecordError`.
 * - `RECORDING_IN_USE`: another process still writes it.
 * - `DIRECTORY_NOT_EMPTY`: the folder that a recording was to be written to holds something.
 * - `NO_CONNECTION`, `BAD_PASSWORD`, `NOT_ALLOWED`, `BAD_CERTIFICATE`: the database cannot be reached or refuses.
 * - `NO_TLS`: the database is on another machine, and the way to it would not be encrypted.
 * - `NEWER_SCHEMA`, `NO_SCHEMA`: the database is not of this version.
 * - `DISK_FULL`: no space, here or at the database.
 * - `STORE_FAILED`: the system or the database refused for another reason, named in the message.
 */
export class HistoryError extends DeadheatError {
  override readonly name = 'HistoryError';
}

export function notEmpty(directory: string): HistoryError {
  return new HistoryError(
    'DIRECTORY_NOT_EMPTY',
    `${resolve(directory)} holds something already. Name a folder that is not there yet.`,
  );
}

export function noSuchRecording(experiment: string, place: string): HistoryError {
  return new HistoryError(
    'NOT_FOUND',
    `${place} holds no experiment ${experiment}. deadheat history show --recordings lists what it holds.`,
  );
}
