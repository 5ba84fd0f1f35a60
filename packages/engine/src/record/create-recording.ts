import { rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Experiment } from '@deadheat/model';
import { Journal } from './journal.ts';
import { makeChosenDirectory, makeDefaultDirectory, refuseContent } from './make-recording-directory.ts';
import { recordingFiles } from './recording-files.ts';
import { lockRecording } from './recording-lock.ts';
import { recordingName } from './recording-name.ts';
import { RecordingWriter } from './recording-writer.ts';
import { syncDirectory } from './sync-directory.ts';
import { writeAtomically } from './write-atomically.ts';
import { writeFailure } from './write-failure.ts';

/** What a new recording is made of. */
export interface NewRecording {
  /** Folder to use as it is: new or empty. Without it a folder is made below `parent`. */
  readonly directory?: string;
  /** Where recordings are kept; `.deadheat` in the working directory unless given. */
  readonly parent?: string;
  /** The experiment's name, for the folder's name. */
  readonly name: string;
  /** ISO 8601, for the folder's name. */
  readonly startedAt: string;
  readonly experiment: Experiment;
}

/**
 * Makes a recording: folder, lock, `experiment.json` and an empty journal, all of it durable when the promise is
 * fulfilled. On failure a folder made for it is removed again.
 *
 * @throws RecordError `DIRECTORY_NOT_EMPTY`, `RECORDING_IN_USE`, `DISK_FULL`, `NOT_WRITABLE` or `IO`; RangeError when
 *   `startedAt` is no time.
 */
export const createRecording = async (options: NewRecording): Promise<RecordingWriter> => {
  const { directory, parent = '.deadheat', name, startedAt, experiment } = options;
  const wanted = directory ?? join(parent, recordingName(startedAt, name));
  try {
    const made =
      directory === undefined
        ? await makeDefaultDirectory(parent, recordingName(startedAt, name))
        : await makeChosenDirectory(directory);
    try {
      const writer = await begin(made.path, experiment);
      await syncDirectory(dirname(resolve(made.path)));
      return writer;
    } catch (error) {
      // fails when something of value is in it, and then it stays
      if (made.isNew) await rmdir(made.path).catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw writeFailure(error, { path: wanted, recording: 'not-begun' });
  }
};

const begin = async (directory: string, experiment: Experiment): Promise<RecordingWriter> => {
  const lock = lockRecording(directory);
  try {
    // another process may have recorded here between the first look and the lock
    await refuseContent(directory);
    await writeAtomically(join(directory, recordingFiles.experiment), async (file) => {
      await file.writeFile(`${JSON.stringify(experiment, null, 2)}\n`);
    });
    const journal = new Journal(join(directory, recordingFiles.trials), { bytes: 0, lines: 0, unterminated: false });
    await syncDirectory(directory);
    return new RecordingWriter(directory, { journal, lock });
  } catch (error) {
    lock.release();
    throw error;
  }
};
