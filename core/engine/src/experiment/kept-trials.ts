import type { Trial } from '@deadheat/model';
import { PackedTrials, type RecordingWriter } from '@deadheat/recording';

export interface KeptTrialsOptions {
  /** The trials that are in the journal already; they stay in memory. */
  readonly recorded: readonly Trial[];
  /** Trials that stay in memory; 10 000 unless given, which take about 15 MB: an experiment of fewer never reads its journal back. */
  readonly mostInMemory?: number;
}

/**
 * The trials of an experiment in the order of its journal. The first ones are in memory; all later ones are read back from the
 * journal each time, so that memory does not grow with the number of runs.
 */
export class KeptTrials implements Iterable<Trial> {
  readonly #recording: RecordingWriter;
  readonly #first: Trial[];

  readonly #mostInMemory: number;

  constructor(recording: RecordingWriter, { recorded, mostInMemory = 10_000 }: KeptTrialsOptions) {
    this.#recording = recording;
    this.#first = [...recorded];
    this.#mostInMemory = mostInMemory;
  }

  /** Takes a trial that was put into the journal as its last line. */
  push(trial: Trial): void {
    if (this.#first.length < this.#mostInMemory) this.#first.push(trial);
  }

  /** @throws RecordError as `RecordingWriter.trialsFrom` */
  *[Symbol.iterator](): Generator<Trial> {
    yield* this.#first;
    yield* this.#recording.trialsFrom(this.#first.length);
  }

  /**
   * All trials, in little memory.
   *
   * @throws RecordError as `RecordingWriter.trialsFrom`
   */
  packed(): readonly Trial[] {
    const packing = new PackedTrials();
    return Array.from(this, (trial) => packing.pack(trial));
  }

  /**
   * The trials of one benchmark.
   *
   * @throws RecordError as `RecordingWriter.trialsFrom`
   */
  *of(benchmark: number): Generator<Trial> {
    for (const trial of this.#first) if (trial.benchmark === benchmark) yield trial;
    yield* this.#recording.trialsFrom(this.#first.length, { benchmark });
  }
}
