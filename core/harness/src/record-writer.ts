import { openSync, readFileSync, writeSync } from 'node:fs';
import type { Benchmark } from './benchmark.ts';
import { HarnessError } from './harness-error.ts';

const recordVersion = 1;

/** One iteration as the record has it. */
export interface RecordedIteration {
  /** Index in its benchmark, warm-up included, from 0. */
  readonly index: number;
  /** Start and end, ns of CLOCK_MONOTONIC. */
  readonly times: BigUint64Array;
  readonly invocations: number;
  readonly warmup: boolean;
  /** Times of invocations, ns; absent = none were sampled. */
  readonly sampled?: readonly number[];
  /** CPU time of the process, ns. */
  readonly processNs: number;
  /** CPU time of the benchmark's thread, ns; `null` = not known. */
  readonly threadNs: number | null;
}

/** Appends to the file that `DEADHEAT_RECORD` names, a line a write. */
export class RecordWriter {
  readonly #path: string;
  readonly #fd: number;
  /** Benchmarks that are in the file already: an earlier process of the same program executed them. */
  readonly begun: number;

  /** @throws HarnessError `RECORD` when the file cannot be opened */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#fd = openSync(path, 'a');
      this.begun = readFileSync(path, 'utf8').match(/^\{"deadheat":/gm)?.length ?? 0;
    } catch (cause) {
      throw new HarnessError('RECORD', `cannot open the record ${path}: ${(cause as Error).message}`, { cause });
    }
  }

  /** Begins a benchmark. */
  begin({ name, paramTexts }: Benchmark): void {
    this.#write(`${JSON.stringify({ deadheat: recordVersion, benchmark: name, params: paramTexts })}\n`);
  }

  /** Records an iteration that has ended. */
  append({ index, times, invocations, warmup, sampled, processNs, threadNs }: RecordedIteration): void {
    const phase = warmup ? ',"p":"warmup"' : '';
    const thread = threadNs === null ? '' : `,"t":${threadNs}`;
    const samples = sampled === undefined ? '' : `,"d":[${sampled.join(',')}]`;
    this.#write(
      `{"i":${index},"s":${times[0]},"e":${times[1]},"n":${invocations}${phase},"c":${processNs}${thread}${samples}}\n`,
    );
  }

  #write(line: string): void {
    let written: number;
    try {
      written = writeSync(this.#fd, line);
    } catch (cause) {
      throw new HarnessError('RECORD', `cannot write the record ${this.#path}: ${(cause as Error).message}`, { cause });
    }
    if (written !== Buffer.byteLength(line)) {
      throw new HarnessError('RECORD', `cannot write the record ${this.#path}: the disk took a part of a line`);
    }
  }
}
