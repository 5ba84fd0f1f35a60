import { join } from 'node:path';
import type { Recording } from '@deadheat/model';
import { Journal } from './journal.ts';
import { readExperiment } from './read-experiment.ts';
import { readJournal } from './read-journal.ts';
import { recordingFiles } from './recording-files.ts';
import { lockRecording } from './recording-lock.ts';
import { RecordingWriter } from './recording-writer.ts';
import { syncDirectory } from './sync-directory.ts';
import { systemErrorCode } from './system-error.ts';
import { writeFailure } from './write-failure.ts';

/** A recording that goes on: what it holds, and the writer that continues it. */
export interface OpenRecording {
  readonly recording: Recording;
  readonly writer: RecordingWriter;
}

/**
 * Opens a recording to finish it: takes its lock, reads and checks all of it, and cuts a torn last line off.
 *
 * @throws RecordError `RECORDING_IN_USE`, `DISK_FULL`, `NOT_WRITABLE`, or what `readRecording` throws.
 */
export const openRecording = async (directory: string): Promise<OpenRecording> => {
  // before the lock, so that nothing is written into a folder that is no recording
  const experiment = await readExperiment(directory);
  try {
    const lock = lockRecording(directory);
    try {
      const { trials, state } = await readJournal(directory);
      const journal = new Journal(join(directory, recordingFiles.trials), state);
      await syncDirectory(directory);
      const writer = new RecordingWriter(directory, { journal, lock });
      return { recording: { directory, experiment, trials }, writer };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    const { state } = await readJournal(directory);
    throw writeFailure(error, { path: directory, recording: { directory, trials: state.lines } });
  }
};
