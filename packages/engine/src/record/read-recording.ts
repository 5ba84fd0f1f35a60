import type { Recording } from '@deadheat/model';
import { readExperiment } from './read-experiment.ts';
import { readJournal } from './read-journal.ts';

/**
 * Reads a recording and checks all of it. A last line of the journal that a crash tore is left out.
 *
 * @throws RecordError `NOT_FOUND`, `NOT_A_RECORDING`, `NEWER_VERSION`, `MALFORMED` (with file, line and column),
 *   `NOT_READABLE` or `IO`.
 */
export const readRecording = async (directory: string): Promise<Recording> => {
  const experiment = await readExperiment(directory);
  const { trials } = await readJournal(directory);
  return { directory, experiment, trials };
};
