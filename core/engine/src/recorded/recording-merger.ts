import { createHash } from 'node:crypto';
import {
  DeadheatError,
  sides,
  type BenchmarkPoints,
  type Experiment,
  type Host,
  type Report,
  type Side,
  type Trial,
  type Warning,
} from '@deadheat/model';
import { judgeMeasured, pointsOf } from './analyse-recorded.ts';
import { canonicalJson } from '../plan/choose-method.ts';
import {
  measureRecorded,
  createRecording,
  openRecording,
  TrialRecords,
  type RecordingWriter,
} from '@deadheat/recording';

/**
 * Why recordings cannot be brought together.
 *
 * - `NOTHING_TO_MERGE`: no recording was given.
 * - `CONFIGURATIONS_DIFFER`: they were made with different settings, of different programs, or by different versions.
 * - `METHODS_DIFFER`: pilot runs chose one method for a benchmark in one part, and another in another.
 * - `DIFFERENT_EXPERIMENTS`: of the same settings, but not parts of one experiment.
 * - `RUN_TWICE`: two of them hold the same run with different results.
 */
export type MergeErrorCode =
  'NOTHING_TO_MERGE' | 'CONFIGURATIONS_DIFFER' | 'METHODS_DIFFER' | 'DIFFERENT_EXPERIMENTS' | 'RUN_TWICE';

/** Recordings cannot be brought together; the message says which, why, and what to do. */
export class MergeError extends DeadheatError<MergeErrorCode> {
  override readonly name = 'MergeError';
}

/** A new recording that gathers the runs of several machines. */
export interface MergerOptions {
  /** The experiment as it is recorded; machines are added to its `hosts`. */
  readonly experiment: Experiment;
  /** Folder for the recording, new or empty; `null` = a new one below `parent`. */
  readonly directory: string | null;
  readonly parent: string;
}

/** The texts of the records that the sides of a run wrote themselves; `null` for a program that the runner timed. */
export type RecordTexts = Readonly<Record<Side, string | null>>;

/** Recordings that are merged, with the measurements of all of them. */
export interface MergedRecording {
  readonly directory: string;
  readonly report: Report;
  /** The measurements, as a report draws them; computed at the first call. */
  readonly points: () => readonly BenchmarkPoints[];
}

/**
 * Gathers the runs of several machines in one recording. Every run that was added is on the device; a merger that ends in
 * between goes on with `open`. Whoever made a merger calls `finish` or `close`.
 */
export class RecordingMerger {
  readonly #writer: RecordingWriter;
  readonly #files: TrialRecords;
  /** The content of each known run, by the key of the run. */
  readonly #known = new Map<string, string>();
  #experiment: Experiment;
  #next = 0;

  private constructor(writer: RecordingWriter, experiment: Experiment) {
    this.#writer = writer;
    this.#files = new TrialRecords(writer.directory);
    this.#experiment = experiment;
  }

  /** @throws RecordError as `createRecording` */
  static async create({ experiment: begun, directory, parent }: MergerOptions): Promise<RecordingMerger> {
    const experiment: Experiment = { ...begun, hosts: begun.hosts ?? [] };
    const { startedAt, config } = experiment;
    const place = directory === null ? { parent } : { directory };
    const writer = await createRecording({ ...place, name: config.name, startedAt, experiment });
    return new RecordingMerger(writer, experiment);
  }

  /**
   * Goes on with a recording that a merger has begun.
   *
   * @throws RecordError as `openRecording`, and for a record that cannot be read
   */
  static async open(directory: string): Promise<RecordingMerger> {
    const { recording, writer } = await openRecording(directory);
    try {
      const merger = new RecordingMerger(writer, recording.experiment);
      for (const trial of recording.trials) {
        const { A, B } = trial.sides;
        const texts = { A: await merger.#files.text(A), B: await merger.#files.text(B) };
        const content = contentOf(trial, texts);
        merger.#known.set(keyOf(trial, content), content);
        merger.#next = trial.trial + 1;
      }
      return merger;
    } catch (error) {
      writer.close();
      throw error;
    }
  }

  get directory(): string {
    return this.#writer.directory;
  }

  get experiment(): Experiment {
    return this.#experiment;
  }

  /**
   * Adds a machine; one whose id is known stays as it is.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async addHost(host: Host): Promise<void> {
    const hosts = this.#experiment.hosts ?? [];
    if (hosts.some(({ id }) => id === host.id)) return;
    this.#experiment = { ...this.#experiment, hosts: [...hosts, host] };
    await this.#writer.writeExperiment(this.#experiment);
  }

  /**
   * Adds a run of another machine, with a new number and new names of its records.
   *
   * @param host id of a machine that was added.
   * @returns the run's number in this recording; `null` where the same run is in already, with the same content.
   * @throws MergeError `RUN_TWICE` where it is in with another content; RangeError for a host that was not added;
   *   RecordError `DISK_FULL`, `NOT_WRITABLE`, `IO` or `INVALID_TRIAL`
   */
  async addTrial(made: Trial, host: string, records: RecordTexts): Promise<number | null> {
    if (this.#experiment.hosts?.some(({ id }) => id === host) !== true) {
      throw new RangeError(`host ${host} was not added before its runs`);
    }
    const trial: Trial = { ...made, host };
    const content = contentOf(trial, records);
    const key = keyOf(trial, content);
    const known = this.#known.get(key);
    if (known === content) return null;
    if (known !== undefined) throw this.#twice(trial);
    const number = this.#next;
    const record = {
      A: records.A === null ? null : await this.#files.put(records.A, { trial: number, side: 'A' }),
      B: records.B === null ? null : await this.#files.put(records.B, { trial: number, side: 'B' }),
    };
    this.#writer.append({
      ...trial,
      trial: number,
      sides: { A: { ...trial.sides.A, record: record.A }, B: { ...trial.sides.B, record: record.B } },
    });
    this.#known.set(key, content);
    this.#next = number + 1;
    return number;
  }

  /**
   * Analyses the merged runs, writes table and report, and releases the recording.
   *
   * @param options.complete `true` = every planned run is in; absent: computed from the runs.
   * @param options.warnings beside those of the experiment.
   * @throws RecordError like `readRecording`; `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async finish(
    options: { readonly complete?: boolean; readonly warnings?: readonly Warning[] } = {},
  ): Promise<MergedRecording> {
    try {
      const recording = await measureRecorded(this.directory);
      const { trials, experiment, records, measured } = recording;
      const report = judgeMeasured(recording, options);
      await this.#writer.writeIterations({ trials, experiment, records });
      await this.#writer.writeReport(report);
      function points(): readonly BenchmarkPoints[] {
        return pointsOf(measured, { config: experiment.config, segments: 'auto' });
      }
      return { directory: this.directory, report, points };
    } finally {
      this.close();
    }
  }

  /** Releases the recording; the runs that were added stay. */
  close(): void {
    this.#writer.close();
  }

  #twice({ benchmark, phase, run, host }: Trial): MergeError {
    const name = this.#experiment.config.benchmarks[benchmark]?.name ?? String(benchmark);
    return new MergeError(
      'RUN_TWICE',
      `Run ${run} of ${name} (${phase}) is there twice with different results, the second time from ${host ?? 'a machine'}. ` +
        'Each run is to be made once: leave out the recording that was made by mistake.',
    );
  }
}

/**
 * The key of a run. Each part executes pilot runs and warm-up runs of its own, also several parts on one machine, and a run
 * that failed may be repeated: such runs are different runs where their contents differ.
 */
function keyOf({ benchmark, phase, run, status }: Trial, content: string): string {
  return JSON.stringify([benchmark, phase, run, phase === 'measure' && status === 'ok' ? null : content]);
}

/** The content of a run, whatever its number and the names of its files. */
function contentOf(trial: Trial, records: RecordTexts): string {
  const hash = createHash('sha256');
  function side(name: Side): unknown {
    const { seal: _, ...rest } = trial.sides[name];
    return { ...rest, record: records[name] !== null };
  }
  hash.update(canonicalJson({ ...trial, trial: 0, sides: { A: side('A'), B: side('B') } }));
  for (const name of sides) hash.update(`\n${records[name]?.length ?? -1}\n${records[name] ?? ''}`);
  return hash.digest('hex');
}
