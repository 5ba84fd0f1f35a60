import { join } from 'node:path';
import { recordingFiles } from '@deadheat/model';
import { holderOf, isLock, ownHolder, takeLock, type FileLock, type Holder } from '@deadheat/sync';
import { RecordError } from './record-error.ts';

/**
 * Takes the lock of a recording's folder; the lock of a process that no longer runs is taken over.
 *
 * @throws RecordError `RECORDING_IN_USE` when a running process holds it; else the error of the system.
 */
export function lockRecording(directory: string): FileLock {
  const found = takeLock(join(directory, recordingFiles.lock));
  if (!isLock(found)) throw inUse(directory, found);
  return found;
}

/** The running process that holds the lock of a folder; `null` = none. */
export function lockOwner(directory: string): Holder | null {
  return holderOf(join(directory, recordingFiles.lock));
}

/** The error for a recording that a running process holds. */
export function inUse(directory: string, { pid, host, namespace }: Holder): RecordError {
  const lock = join(directory, recordingFiles.lock);
  const where = namespace === ownHolder().namespace ? '' : ' in another container';
  return new RecordError(
    'RECORDING_IN_USE',
    `${directory} is being written by process ${pid} on ${host}${where}. Wait until it ends, or choose another ` +
      `folder. If that process no longer exists, remove ${lock}.`,
    { path: directory },
  );
}
