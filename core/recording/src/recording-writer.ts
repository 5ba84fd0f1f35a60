import { rmdir, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type Experiment,
  type Recording,
  recordingFiles,
  trialSchema,
  type Report,
  type Trial,
  type Warning,
} from '@deadheat/model';
import { Journal, readJournal, readOwnLine } from './journal.ts';
import { hasNativeCalls, isOwn, type FileLock } from '@deadheat/sync';
import { lockRecording, inUse, lockOwner } from './recording-lock.ts';
import { syncDirectory, writeAtomically, makeFolder } from './durable-files.ts';
import { writeFailure, RecordError, isSystemError, systemErrorCode, readFailure } from './record-error.ts';
import { sealDocument, sealRecords } from './record-seal.ts';
import { readExperiment, utcStamp } from './read-recording.ts';
import { fillIterationsParquet, type IterationsSource } from './iterations-parquet.ts';

/** The files of a writer. */
interface WriterParts {
  readonly journal: Journal;
  readonly lock: FileLock;
  readonly warnings?: readonly Warning[];
}

/**
 * Writes one recording; holds its lock until {@link RecordingWriter.close}. A write that the system refuses throws a
 * RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO` that names the path and the trials that are safe; what was written
 * before stays readable, and after room was made writing may go on.
 */
export class RecordingWriter {
  readonly directory: string;
  /** Warnings about the lock and the lines that were there before, for the reader of a result. */
  readonly warnings: readonly Warning[];
  readonly #journal: Journal;
  readonly #lock: FileLock;

  constructor(directory: string, { journal, lock, warnings = [] }: WriterParts) {
    this.directory = directory;
    this.warnings = lock.byKernel || !hasNativeCalls() ? warnings : [...warnings, lockedByIdentity(directory)];
    this.#journal = journal;
    this.#lock = lock;
  }

  /** Trials that are safe in the journal. */
  get trialsOnDisk(): number {
    return this.#journal.lines;
  }

  /**
   * Puts a finished trial into the journal, with the seals of its records; when it returns, the device has it.
   *
   * @throws RecordError `INVALID_TRIAL` before anything is written when the schema refuses the trial, so that no
   *   recording becomes unreadable; `RECORDING_GONE` when the journal was removed; else see the class.
   */
  append(trial: Trial): void {
    const checked = trialSchema.safeParse(trial);
    if (!checked.success) throw this.#invalid(trial, checked.error);
    try {
      this.#journal.append(JSON.stringify(sealRecords(trial, this.directory)));
    } catch (error) {
      throw this.#failure(error, this.#journal.path);
    }
    if (this.#journal.isRemoved) throw this.#gone();
  }

  /**
   * Reads trials back that were appended by this writer, in their order.
   *
   * @param from number of trials of the journal to pass over, at least those that were there before
   * @param of.benchmark only the trials of this one
   * @throws RecordError `JOURNAL_DAMAGED`, `NOT_READABLE` or `IO`
   */
  *trialsFrom(from: number, { benchmark }: { readonly benchmark?: number } = {}): Generator<Trial, void> {
    if (from >= this.trialsOnDisk) return;
    const { path: file } = this.#journal;
    const isOfOther = benchmark === undefined ? () => false : beginsWithOther(benchmark);
    let line = from;
    try {
      for (const text of this.#journal.linesFrom(from)) {
        line++;
        if (isOfOther(text)) continue;
        const trial = readOwnLine({ file, line, text });
        if (benchmark === undefined || trial.benchmark === benchmark) yield trial;
      }
    } catch (error) {
      throw readFailure(error, file);
    }
  }

  /** Writes `experiment.json` anew, when more machines take part in it. */
  async writeExperiment(experiment: Experiment): Promise<void> {
    await this.#write(recordingFiles.experiment, async (file) => {
      await file.writeFile(sealDocument(experiment));
    });
  }

  /** Writes `report.json`. */
  async writeReport(report: Report): Promise<void> {
    await this.#write(recordingFiles.report, async (file) => {
      await file.writeFile(sealDocument(report));
    });
  }

  /** Writes `iterations.parquet`, the canonical table of the trials that count. */
  async writeIterations(source: IterationsSource): Promise<void> {
    await this.#write(recordingFiles.iterations, (file) => fillIterationsParquet(file, source));
  }

  /** Closes the journal and gives the recording free; a second call does nothing. */
  close(): void {
    this.#journal.close();
    this.#lock.release();
  }

  async #write(name: string, fill: Parameters<typeof writeAtomically>[1]): Promise<void> {
    const path = join(this.directory, name);
    try {
      await writeAtomically(path, fill);
    } catch (error) {
      throw this.#failure(error, path);
    }
  }

  #failure(error: unknown, path: string): unknown {
    return writeFailure(error, { path, recording: { directory: this.directory, trials: this.trialsOnDisk } });
  }

  #gone(): Error {
    return new RecordError(
      'RECORDING_GONE',
      `The journal ${this.#journal.path} was removed while the experiment ran, by one of its commands or from outside; ` +
        `its runs are lost. Start again, in a folder that no other program clears.`,
      { path: this.#journal.path, trialsOnDisk: 0 },
    );
  }

  #invalid(
    trial: Trial,
    cause: Error & { readonly issues: readonly { path: PropertyKey[]; message: string }[] },
  ): Error {
    const [issue] = cause.issues;
    const where = issue === undefined ? '' : ` (${issue.path.map(String).join('.')}: ${issue.message})`;
    return new RecordError(
      'INVALID_TRIAL',
      `Trial ${trial.trial} cannot be recorded: its schema refuses it${where}. This is a defect of deadheat; report it ` +
        `with this message.`,
      { path: this.#journal.path, trialsOnDisk: this.trialsOnDisk, cause },
    );
  }
}

function lockedByIdentity(directory: string): Warning {
  return {
    code: 'LOCK_BY_IDENTITY',
    message: `the file system of ${directory} keeps no lock that ends with this process: another process recognises the writer by its number, start, host and PID namespace alone; let nothing else write there`,
  };
}

/** Recognizes most lines of other benchmarks without reading the whole of them. */
function beginsWithOther(benchmark: number): (line: string) => boolean {
  return (line) => {
    const [, own] = /^\{"trial":\d+,"benchmark":(\d+),/.exec(line) ?? [];
    return own !== undefined && Number(own) !== benchmark;
  };
}

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
      await file.writeFile(sealDocument(experiment));
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
  if (owner !== null && !isOwn(owner)) throw inUse(path, owner);
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
 * @param options.packed as of `readRecording`.
 * @throws RecordError `RECORDING_IN_USE`, `DISK_FULL`, `NOT_WRITABLE`, or what `readRecording` throws.
 */
export async function openRecording(
  directory: string,
  options: { readonly packed?: boolean } = {},
): Promise<OpenRecording> {
  // before the lock, so that nothing is written into a folder that is no recording
  const experiment = await readExperiment(directory);
  try {
    const lock = lockRecording(directory);
    try {
      const { trials, state } = await readJournal(directory, options);
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
