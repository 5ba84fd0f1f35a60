import { DeadheatError } from '@deadheat/model';

/**
 * A fleet could not be used; the message says why and what to do, and holds no password.
 *
 * - `BAD_URL`: no URL of PostgreSQL, or one that holds a password.
 * - `NO_SCHEMA`, `NEWER_SCHEMA`: the database is not of this version.
 * - `WORKER_RUNS`: another worker runs on this machine.
 * - `NOT_ALLOWED_HERE`: the worker does not take code from there.
 * - `OTHER_VERSION`: the experiment was submitted by a version that this one does not understand.
 * - `NO_WORKERS`: no worker runs that the experiment could use.
 * - `RUN_REFUSED`: a worker could not make a run of the experiment.
 * - `NOT_FOUND`: there is no such experiment.
 * - `EXPERIMENT_OVER`: the experiment cannot go on.
 * - `CANNOT_DETACH`: how many runs the experiment gets is known only at its end, so that it cannot be left to workers.
 * - `DISK_FULL`: the worker has no room for what it keeps.
 */
export class FleetError extends DeadheatError {
  override readonly name = 'FleetError';
}

/** Checks whether two versions of this tool understand each other's experiments: while the format grows, those of one minor version. */
export function isSameVersion(one: string, other: string): boolean {
  return one.split('.').slice(0, 2).join('.') === other.split('.').slice(0, 2).join('.');
}
