import type { Trial } from '@deadheat/model';
import type { RecordingWriter } from '../record/index.ts';

/** Trials that stay in memory, which takes about 15 MB: an experiment of fewer never reads its journal back. */
const mostInMemory = 10_000;

/**
 * The trials of an experiment in the order of its journal. The first ones are in memory; all later ones are read back from the
 * journal each time, so that memory does not grow with the number of runs.
 */
export class KeptTrials implements Iterable<Trial> {
  readonly #recording: RecordingWriter;
  readonly #first: Trial[];

  /** @param recorded the trials that are in the journal already */
  constructor(recording: RecordingWriter, recorded: readonly Trial[]) {
    this.#recording = recording;
    this.#first = [...recorded];
  }

  /** Takes a trial that was put into the journal as its last line. */
  push(trial: Trial): void {
    if (this.#first.length < mostInMemory) this.#first.push(trial);
  }

  /** @throws RecordError as `RecordingWriter.trialsFrom` */
  *[Symbol.iterator](): Generator<Trial> {
    yield* this.#first;
    yield* this.#recording.trialsFrom(this.#first.length);
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
