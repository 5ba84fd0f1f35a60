import { rmdir, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Experiment, type Recording, recordingFiles } from '@deadheat/model';
import { Journal, readJournal } from './journal.ts';
import { lockRecording, inUse, lockOwner } from './recording-lock.ts';
import { RecordingWriter } from './recording-writer.ts';
import { syncDirectory, writeAtomically, makeFolder } from './durable-files.ts';
import { writeFailure, RecordError, isSystemError, systemErrorCode } from './record-error.ts';
import { readExperiment, utcStamp } from './read-recording.ts';

/** The description of a new recording. */
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
export async function createRecording(options: NewRecording): Promise<RecordingWriter> {
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
}

async function begin(directory: string, experiment: Experiment): Promise<RecordingWriter> {
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
}

/** A folder for a recording, and whether it was made just now. */
interface RecordingDirectory {
  readonly path: string;
  readonly isNew: boolean;
}

/** Makes a new folder `parent/name`; when that exists `name-2`, `name-3`, … */
async function makeDefaultDirectory(parent: string, name: string): Promise<RecordingDirectory> {
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
}

/**
 * Makes the folder that the user chose, or takes it when it is empty.
 *
 * @throws RecordError `DIRECTORY_NOT_EMPTY` or `RECORDING_IN_USE`; else the error of the system.
 */
async function makeChosenDirectory(path: string): Promise<RecordingDirectory> {
  const isNew = await makeFolder(path);
  await refuseContent(path);
  return { path, isNew };
}

/** Throws when a folder holds anything but lock files; a lock of this process does not count as in use. */
async function refuseContent(path: string): Promise<void> {
  const entries = (await readdir(path)).filter((entry) => !isLockFile(entry));
  if (entries.length === 0) return;
  const owner = lockOwner(path);
  if (owner !== null && owner.pid !== process.pid) throw inUse(path, owner);
  throw new RecordError(
    'DIRECTORY_NOT_EMPTY',
    `${path} is not empty (it holds ${entries.toSorted()[0] ?? ''}). Choose a new or empty folder, or resume the ` +
      `recording that is there.`,
    { path },
  );
}

function isLockFile(entry: string): boolean {
  return entry === recordingFiles.lock || entry.startsWith(`${recordingFiles.lock}.`);
}

const longestSlug = 40;

/**
 * Default name of a recording's folder: UTC time to the second and a readable form of the experiment's name, such as
 * `20261121T093015Z-gzip-6-against-gzip-7`.
 *
 * @param startedAt ISO 8601.
 * @throws RangeError when `startedAt` is no time.
 */
function recordingName(startedAt: string, name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replaceAll(/^-+|-+$/g, '');
  return `${utcStamp(new Date(startedAt))}-${slug === '' ? 'experiment' : slug}`;
}

/** A recording that is continued: its content, and its writer. */
export interface OpenRecording {
  readonly recording: Recording;
  readonly writer: RecordingWriter;
}

/**
 * Opens a recording to finish it: takes its lock, reads and checks all of it, and cuts a torn last line off.
 *
 * @throws RecordError `RECORDING_IN_USE`, `DISK_FULL`, `NOT_WRITABLE`, or what `readRecording` throws.
 */
export async function openRecording(directory: string): Promise<OpenRecording> {
  // before the lock, so that nothing is written into a folder that is no recording
  const experiment = await readExperiment(directory);
  try {
    const lock = lockRecording(directory);
    try {
      const { trials, state } = await readJournal(directory);
      const journal = new Journal(join(directory, recordingFiles.trials), state);
      await syncDirectory(directory);
      // the run of a torn line is made again
      const warnings = state.warnings.filter(({ code }) => code !== 'JOURNAL_TORN');
      const writer = new RecordingWriter(directory, { journal, lock, warnings });
      return { recording: { directory, experiment, trials, warnings }, writer };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    const { state } = await readJournal(directory);
    throw writeFailure(error, { path: directory, recording: { directory, trials: state.lines } });
  }
}
