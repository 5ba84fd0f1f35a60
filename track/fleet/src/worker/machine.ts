import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync, chmodSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockRecording, RecordError } from '@deadheat/recording';
import { FleetError } from '../fleet-error.ts';

/** By what the fleet knows a worker. */
export interface WorkerIdentity {
  readonly id: string;
  /** UUID that shows that a process is this worker; the fleet stores its hash. */
  readonly secret: string;
}

/** The identity of the worker with this folder. It is drawn at the first call and kept in the folder. */
export function workerIdentity(folder: string): WorkerIdentity {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const id = keptIn(join(folder, 'worker-id'), /^[\w-]{1,60}$/, () => {
    const name = hostname().replaceAll(/[^\w-]/g, '-');
    return `${name.slice(0, 40)}-${randomBytes(3).toString('hex')}`;
  });
  return { id, secret: keptIn(join(folder, `secret-of-${id}`), /^[0-9a-f-]{36}$/, () => randomUUID()) };
}

/** The text in a file; drawn and stored for the owner alone when there is none that fits. */
function keptIn(path: string, pattern: RegExp, draw: () => string): string {
  try {
    const known = readFileSync(path, 'utf8').trim();
    if (pattern.test(known)) return known;
  } catch {
    // There is none yet; it is drawn below.
  }
  const drawn = draw();
  writeFileSync(path, `${drawn}\n`, { mode: 0o600 });
  return drawn;
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
