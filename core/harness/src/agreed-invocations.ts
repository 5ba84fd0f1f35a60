import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import { HarnessError } from './harness-error.ts';

/** Content of a benchmark's file of agreed invocations. */
interface Agreement {
  readonly benchmark: string;
  readonly params: Readonly<Record<string, string>>;
  readonly invocations: number;
}

/**
 * The folder in which both sides, and all runs of an experiment, agree on the invocations an iteration: a file `K.json`
 * for benchmark number K of the program, from 0. The process that calibrates first writes the file, and every other
 * process reads it.
 */
export class AgreedInvocations {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * The agreed number of invocations; `null` = there is none yet.
   *
   * @throws HarnessError `CALIBRATION` when the file is about another benchmark or cannot be read
   */
  read(number: number, { name, paramTexts }: Benchmark): number | null {
    const path = this.#path(number);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw failed(`cannot read ${path}: ${(cause as Error).message}`, cause);
    }
    const { benchmark, params, invocations } = parse(path, text);
    if (benchmark !== name || !isDeepStrictEqual(params, paramTexts)) {
      throw failed(
        `${path} is about ${describe(benchmark, params)}, but benchmark ${number + 1} of this program is ` +
          `${describe(name, paramTexts)}. Both sides must have the same benchmarks in the same order.`,
      );
    }
    return invocations;
  }

  /**
   * Publishes a number unless another process has already published one.
   *
   * @returns the number that is in force
   * @throws HarnessError `CALIBRATION` as {@link read}, or when the file cannot be written
   */
  publish(number: number, benchmark: Benchmark, invocations: number): number {
    const path = this.#path(number);
    const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
    const agreement: Agreement = { benchmark: benchmark.name, params: benchmark.paramTexts, invocations };
    try {
      writeFileSync(temporary, `${JSON.stringify(agreement)}\n`, { flag: 'wx' });
      linkSync(temporary, path);
      return invocations;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw failed(`cannot write ${path}: ${(cause as Error).message}`, cause);
      }
      return this.read(number, benchmark) ?? invocations;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #path(number: number): string {
    return join(this.#directory, `${number}.json`);
  }
}

function parse(path: string, text: string): Agreement {
  let value: Partial<Agreement> | null = null;
  try {
    value = JSON.parse(text) as Partial<Agreement> | null;
  } catch {
    // The error below is thrown for any defect of the file.
  }
  const { benchmark, params = {}, invocations } = value ?? {};
  if (typeof benchmark !== 'string' || !Number.isSafeInteger(invocations) || Number(invocations) < 1) {
    throw failed(`${path} is not {"benchmark":…,"params":{…},"invocations":N}. Remove it to calibrate again.`);
  }
  return { benchmark, params, invocations: Number(invocations) };
}

function describe(name: string, params: Readonly<Record<string, string>>): string {
  const values = Object.entries(params).map(([key, value]) => `${key}=${value}`);
  return values.length === 0 ? `'${name}'` : `'${name}' with ${values.join(', ')}`;
}

function failed(message: string, cause?: unknown): HarnessError {
  return new HarnessError('CALIBRATION', `DEADHEAT_CALIBRATION: ${message}`, cause === undefined ? {} : { cause });
}
