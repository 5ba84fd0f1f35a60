import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { workloadFacts, sides, type Benchmark, type Side, type SideResult, type Trial } from '@deadheat/model';
import { makeFolder } from './durable-files.ts';
import { checkSeal } from './record-seal.ts';
import { readFailure, systemErrorCode, writeFailure } from './record-error.ts';
import { readWorkloadRecord } from './workload-record/read-workload-record.ts';
import type { RecordedBenchmark } from './workload-record/iteration-table.ts';

/** Records of one run that its sides wrote themselves. */
export type RecordedSides = Readonly<Record<Side, readonly RecordedBenchmark[]>>;

/** Records that programs wrote themselves, by the number of the trial. */
export type RecordedTrials = ReadonlyMap<number, RecordedSides>;

const folder = 'iterations';
function recordOf(trial: number, side: Side): string {
  return join(folder, `${trial}-${side}.jsonl`);
}
function printedBy(trial: number, side: Side): string {
  return join(folder, `${trial}-${side}.txt`);
}
function resultsOf(trial: number, side: Side): string {
  return join(folder, `${trial}-${side}.results`);
}

/** The files of a recording that programs themselves write their iterations to. */
export class TrialRecords {
  /** Absolute: programs are executed in folders of their own. */
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = resolve(directory);
  }

  /** Folder, absolute, in which the sides of a benchmark agree on the number of invocations; made when it is not there. */
  async calibration(benchmark: number): Promise<string> {
    const path = join(this.#directory, 'calibration', String(benchmark));
    await this.#make(path);
    return path;
  }

  /**
   * Paths, absolute, of the files that the sides of a trial are to write; what an interrupted trial of that number left
   * is removed.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async prepare(trial: number, { workload }: Pick<Benchmark, 'workload'>): Promise<Readonly<Record<Side, string>>> {
    await this.#make(join(this.#directory, folder));
    await this.drop(trial);
    const fileOf = workloadFacts[workload].printed ? printedBy : recordOf;
    return { A: join(this.#directory, fileOf(trial, 'A')), B: join(this.#directory, fileOf(trial, 'B')) };
  }

  /** Path, absolute, of the output of a side. */
  printed(trial: number, side: Side): string {
    return join(this.#directory, printedBy(trial, side));
  }

  /**
   * Keeps a copy of the file that a side's program wrote.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async keepResults(bytes: Buffer, { trial, side }: { readonly trial: number; readonly side: Side }): Promise<void> {
    await this.#write(resultsOf(trial, side), bytes);
  }

  /**
   * Writes the record of a side whose program does not write it itself.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async writeRecord(
    lines: readonly string[],
    { trial, side }: { readonly trial: number; readonly side: Side },
  ): Promise<void> {
    await this.#write(recordOf(trial, side), lines.map((line) => `${line}\n`).join(''));
  }

  /**
   * Keeps a whole record that was made elsewhere, and waits until the device has it. Gives the file inside the recording.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async put(text: string, { trial, side }: { readonly trial: number; readonly side: Side }): Promise<string> {
    const record = recordOf(trial, side);
    await this.#make(join(this.#directory, folder));
    await this.#write(record, text);
    await this.#sync(join(this.#directory, record));
    return record;
  }

  /**
   * The whole text of a record; `null` for none.
   *
   * @throws RecordError `MALFORMED` where it was changed since its run; `NOT_READABLE` or `IO`
   */
  async text({ record, seal }: Pick<SideResult, 'record' | 'seal'>): Promise<string | null> {
    if (record === null) return null;
    checkSeal(this.#directory, { record, seal });
    const path = join(this.#directory, record);
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      throw readFailure(error, path);
    }
  }

  /**
   * Copies the output or results of a side in a trial of another recording, where they were kept.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async copyOutput(from: { readonly directory: string; readonly trial: number }, trial: number): Promise<void> {
    for (const side of sides) {
      for (const fileOf of [printedBy, resultsOf]) {
        const source = join(from.directory, fileOf(from.trial, side));
        if (!existsSync(source)) continue;
        const path = join(this.#directory, fileOf(trial, side));
        try {
          await copyFile(source, path);
        } catch (error) {
          throw writeFailure(error, { path, recording: 'untouched' });
        }
      }
    }
  }

  /**
   * Marks which iterations of a record that was made here are warm-up, whatever it said about them before, and reads it again.
   *
   * @param warmup how many of each benchmark, its first, in the order of the record
   * @throws RecordError as `readWorkloadRecord`; `DISK_FULL` or `NOT_WRITABLE`
   */
  async mark(record: string, warmup: readonly number[]): Promise<readonly RecordedBenchmark[]> {
    const path = join(this.#directory, record);
    await this.#write(record, markPhases(await readFile(path, 'utf8'), warmup));
    const { benchmarks } = await readWorkloadRecord(path);
    await this.#sync(path);
    return benchmarks;
  }

  /** Removes what trials left that are not in the journal: those in flight when an experiment was killed. */
  async dropUnfinished(finished: readonly Pick<Trial, 'trial'>[]): Promise<void> {
    const known = new Set(finished.map(({ trial }) => trial));
    const path = join(this.#directory, folder);
    const names = existsSync(path) ? readdirSync(path) : [];
    const numbers = names.map((name) => Number(/^(\d+)-[AB]\./.exec(name)?.[1] ?? Number.NaN));
    for (const trial of new Set(numbers)) if (!Number.isNaN(trial) && !known.has(trial)) await this.drop(trial);
  }

  /** Removes a trial's files. */
  async drop(trial: number): Promise<void> {
    for (const side of sides) {
      for (const fileOf of [printedBy, resultsOf, recordOf]) {
        await rm(join(this.#directory, fileOf(trial, side)), { force: true });
      }
    }
  }

  /**
   * Reads and checks the record that a side has just written, waits until the device has it, and returns its place. No
   * benchmarks when it wrote nothing.
   *
   * @throws RecordError like `readWorkloadRecord`
   */
  async take(
    trial: number,
    side: Side,
  ): Promise<{ readonly record: string; readonly benchmarks: readonly RecordedBenchmark[] }> {
    const record = recordOf(trial, side);
    const path = join(this.#directory, record);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return { record, benchmarks: [] };
    const { benchmarks } = await readWorkloadRecord(path);
    await this.#sync(path);
    return { record, benchmarks };
  }

  /**
   * The records of trials that count.
   *
   * @throws RecordError like `readWorkloadRecord`, and `MALFORMED` for a record that was changed since its run
   */
  async read(trials: Iterable<Trial>): Promise<RecordedTrials> {
    const recorded = new Map<number, RecordedSides>();
    for (const { trial, status, sides: results } of trials) {
      if (status !== 'ok') continue;
      const [A, B] = [results.A.record, results.B.record];
      if (A === null || B === null) continue;
      for (const side of sides) checkSeal(this.#directory, results[side]);
      recorded.set(trial, { A: await this.#benchmarks(A), B: await this.#benchmarks(B) });
    }
    return recorded;
  }

  async #benchmarks(record: string): Promise<readonly RecordedBenchmark[]> {
    return (await readWorkloadRecord(join(this.#directory, record))).benchmarks;
  }

  async #write(name: string, content: string | Buffer): Promise<void> {
    const path = join(this.#directory, name);
    try {
      await writeFile(path, content);
    } catch (error) {
      throw writeFailure(error, { path, recording: 'untouched' });
    }
  }

  async #make(path: string): Promise<void> {
    try {
      await makeFolder(path);
    } catch (error) {
      throw writeFailure(error, { path, recording: 'untouched' });
    }
  }

  async #sync(path: string): Promise<void> {
    const file = await open(path, 'r+');
    try {
      await file.datasync();
    } catch (error) {
      if (systemErrorCode(error) !== 'EINVAL') throw writeFailure(error, { path, recording: 'untouched' });
    } finally {
      await file.close();
    }
  }
}

const phase = /,"p":"(?:warmup|measure)"/;

/**
 * Marks iterations in the text of a record, as the runner writes it of what a program printed. Numbers stay as they are written: times
 * of a program's own clock may have more digits than a number holds.
 *
 * @param warmup how many iterations of each benchmark, its first, are warm-up; the others are measured
 */
function markPhases(text: string, warmup: readonly number[]): string {
  let benchmark = -1;
  let row = 0;
  const lines = text.trimEnd().split('\n');
  const marked = lines.map((line) => {
    if (line.startsWith('{"deadheat":')) {
      benchmark += 1;
      row = 0;
      return line;
    }
    const mark = row++ < (warmup[benchmark] ?? 0) ? 'warmup' : 'measure';
    return `${line.replace(phase, '').slice(0, -1)},"p":"${mark}"}`;
  });
  return `${marked.join('\n')}\n`;
}
