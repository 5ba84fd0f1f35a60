import { chmodSync, mkdirSync } from 'node:fs';
import { lockRecording, RecordError } from '@deadheat/engine';
import { FleetError } from '../fleet-error.ts';

/**
 * Takes the lock that one worker a machine holds: two would measure each other.
 *
 * @returns what gives it free
 * @throws FleetError `WORKER_RUNS`
 */
export function lockMachine(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  try {
    // Workers of other users are to find it, too.
    chmodSync(folder, 0o1777);
  } catch {
    // It is another user's, who has done so.
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
