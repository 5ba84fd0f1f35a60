import { join } from 'node:path';
import { trialSchema, type Experiment, type Report, type Trial, type Warning, recordingFiles } from '@deadheat/model';
import { readOwnLine, type Journal } from './journal.ts';
import { readFailure, RecordError, writeFailure } from './record-error.ts';
import type { RecordingLock } from './recording-lock.ts';
import { writeAtomically } from './durable-files.ts';
import { fillIterationsParquet, type IterationsSource } from './iterations-parquet.ts';

/** The files of a writer. */
interface WriterParts {
  readonly journal: Journal;
  readonly lock: RecordingLock;
  readonly warnings?: readonly Warning[];
}

/**
 * Writes one recording; holds its lock until {@link RecordingWriter.close}. A write that the system refuses throws a
 * RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO` that names the path and the trials that are safe; what was written
 * before stays readable, and after room was made writing may go on.
 */
export class RecordingWriter {
  readonly directory: string;
  /** Warnings about the lines that were there before, for the reader of a result. */
  readonly warnings: readonly Warning[];
  readonly #journal: Journal;
  readonly #lock: RecordingLock;

  constructor(directory: string, { journal, lock, warnings = [] }: WriterParts) {
    this.directory = directory;
    this.warnings = warnings;
    this.#journal = journal;
    this.#lock = lock;
  }

  /** Trials that are safe in the journal. */
  get trialsOnDisk(): number {
    return this.#journal.lines;
  }

  /**
   * Puts a finished trial into the journal; when it returns, the device has it.
   *
   * @throws RecordError `INVALID_TRIAL` before anything is written when the schema refuses the trial, so that no
   *   recording becomes unreadable; `RECORDING_GONE` when the journal was removed; else see the class.
   */
  append(trial: Trial): void {
    const checked = trialSchema.safeParse(trial);
    if (!checked.success) throw this.#invalid(trial, checked.error);
    try {
      this.#journal.append(JSON.stringify(trial));
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
      await file.writeFile(`${JSON.stringify(experiment, null, 2)}\n`);
    });
  }

  /** Writes `report.json`. */
  async writeReport(report: Report): Promise<void> {
    await this.#write(recordingFiles.report, async (file) => {
      await file.writeFile(`${JSON.stringify(report, null, 2)}\n`);
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

/** Recognizes most lines of other benchmarks without reading the whole of them. */
function beginsWithOther(benchmark: number): (line: string) => boolean {
  return (line) => {
    const [, own] = /^\{"trial":\d+,"benchmark":(\d+),/.exec(line) ?? [];
    return own !== undefined && Number(own) !== benchmark;
  };
}
