import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { word, type Page } from '@deadheat/sync';
import { startOn } from '../support.ts';

export interface RecordLine {
  readonly i: number;
  readonly s: number;
  readonly e: number;
  readonly n: number;
  readonly p?: string;
  readonly c?: number;
  readonly t?: number;
  readonly q?: number;
  readonly v?: number;
  readonly d?: readonly number[];
}

/** One benchmark of a record: the line that begins it and its iterations. */
export interface RecordedBenchmark {
  readonly header: unknown;
  readonly iterations: readonly RecordLine[];
}

export interface SideResult {
  readonly status: number | null;
  readonly errors: string;
  readonly output: string;
  readonly benchmarks: readonly RecordedBenchmark[];
  /** The first line of the record. */
  readonly header: unknown;
  /** Iterations of all benchmarks. */
  readonly iterations: readonly RecordLine[];
}

export interface SideOptions {
  readonly directory: string;
  readonly side: 'A' | 'B';
  readonly page?: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The one CPU that the program may use. */
  readonly cpu?: number;
  /** Told whenever the program has written to standard output: all that it wrote. */
  readonly onOutput?: (output: string) => void;
}

/** Runs a program as one side and reads what it recorded. */
export async function runSide(
  [program, ...rest]: readonly [string, ...string[]],
  { directory, side, page, args, environment = {}, cpu, onOutput }: SideOptions,
): Promise<SideResult> {
  const record = join(directory, `record-${side}-${Math.trunc(performance.now() * 1000)}.jsonl`);
  const child = startOn(cpu, () =>
    spawn(program, [...rest, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        DEADHEAT_SIDE: side,
        DEADHEAT_RECORD: record,
        ...(page === undefined ? {} : { DEADHEAT_PAGE: page }),
        ...environment,
      },
    }),
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onOutput?.(output);
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const benchmarks = readBenchmarks(record);
  const iterations = benchmarks.flatMap((benchmark) => benchmark.iterations);
  return { status, errors, output, benchmarks, header: benchmarks[0]?.header, iterations };
}

function readBenchmarks(record: string): readonly RecordedBenchmark[] {
  const benchmarks: { readonly header: unknown; readonly iterations: RecordLine[] }[] = [];
  for (const line of lines(record)) {
    if ('deadheat' in line) benchmarks.push({ header: line, iterations: [] });
    else benchmarks.at(-1)!.iterations.push(line as RecordLine);
  }
  return benchmarks;
}

function lines(record: string): readonly object[] {
  let text: string;
  try {
    text = readFileSync(record, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object);
}

/** Benchmarks that a side has begun. */
export function begun(page: Page, party: 0 | 1): number {
  return Atomics.load(page.words, word.benchmark(party));
}

/** Barriers that a side has reached. */
export function reached(page: Page, party: 0 | 1): number {
  return Atomics.load(page.words, word.cursor(party));
}
