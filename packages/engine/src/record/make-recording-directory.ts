import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { RecordError } from './record-error.ts';
import { recordingFiles } from './recording-files.ts';
import { inUse, lockOwner } from './recording-lock.ts';
import { isSystemError } from './system-error.ts';

/** A folder for a recording, and whether it was made just now. */
export interface RecordingDirectory {
  readonly path: string;
  readonly isNew: boolean;
}

/** Makes a new folder `parent/name`; when that exists `name-2`, `name-3`, … */
export const makeDefaultDirectory = async (parent: string, name: string): Promise<RecordingDirectory> => {
  await makeFolder(parent);
  for (let counter = 1; ; counter += 1) {
    const path = join(parent, counter === 1 ? name : `${name}-${counter}`);
    try {
      await mkdir(path);
      return { path, isNew: true };
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error;
    }
  }
};

/**
 * Makes the folder that the user chose, or takes it when it is empty.
 *
 * @throws RecordError `DIRECTORY_NOT_EMPTY` or `RECORDING_IN_USE`; else the error of the system.
 */
export const makeChosenDirectory = async (path: string): Promise<RecordingDirectory> => {
  const isNew = await makeFolder(path);
  await refuseContent(path);
  return { path, isNew };
};

/** Throws when a folder holds anything but lock files; a lock of this process does not count as in use. */
export const refuseContent = async (path: string): Promise<void> => {
  const entries = (await readdir(path)).filter((entry) => !isLockFile(entry));
  if (entries.length === 0) return;
  const owner = lockOwner(path);
  if (owner !== null && owner.pid !== process.pid) throw inUse(path, owner);
  throw new RecordError(
    'DIRECTORY_NOT_EMPTY',
    `${path} is not empty (it holds ${entries.toSorted()[0] ?? ''}). Give --output a new or empty folder, or finish the ` +
      `recording there with --resume ${path}.`,
    { path },
  );
};

const isLockFile = (entry: string): boolean =>
  entry === recordingFiles.lock || entry.startsWith(`${recordingFiles.lock}.`);
