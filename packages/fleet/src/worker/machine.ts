import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync, chmodSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockRecording, RecordError } from '@deadheat/engine';
import { FleetError } from '../fleet-error.ts';

/** The id of the worker with this folder. It is drawn at the first call and kept in the folder. */
export function workerIdentity(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'worker-id');
  try {
    const known = readFileSync(path, 'utf8').trim();
    if (/^[\w-]{1,60}$/.test(known)) return known;
  } catch {
    // There is no id yet; it is drawn below.
  }
  const id = `${hostname()
    .replaceAll(/[^\w-]/g, '-')
    .slice(0, 40)}-${randomBytes(3).toString('hex')}`;
  writeFileSync(path, `${id}\n`);
  return id;
}

/**
 * Takes the lock that allows one worker on a machine: two would disturb each other's measurements.
 *
 * @returns a function that releases it
 * @throws FleetError `WORKER_RUNS`
 */
export function lockMachine(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  try {
    // Workers of other users must find the lock, too.
    chmodSync(folder, 0o1777);
  } catch {
    // The folder belongs to another user, whose worker has set the mode.
  }
  try {
    return lockRecording(folder).release;
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'RECORDING_IN_USE') throw error;
    const who = /process \d+/.exec(error.message)?.[0] ?? 'another process';
    throw new FleetError(
      'WORKER_RUNS',
      `A worker runs on this machine already (${who}; lock in ${folder}), and two would disturb each other's measurements. End ` +
        'that one first.',
      { cause: error },
    );
  }
}
