import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { word, type Page } from '@deadheat/sync';

export interface RecordLine {
  readonly i: number;
  readonly s: number;
  readonly e: number;
  readonly n: number;
  readonly p?: string;
  readonly c?: number;
  readonly v?: number;
}

export interface SideResult {
  readonly status: number | null;
  readonly errors: string;
  /** The first line of the record. */
  readonly header: unknown;
  readonly iterations: readonly RecordLine[];
}

export interface SideOptions {
  readonly directory: string;
  readonly side: 'A' | 'B';
  readonly page?: string;
  /** Arguments of the example. */
  readonly args: readonly string[];
}

/** Runs an example as one side and reads what it recorded. */
export async function runSide(
  [program, ...rest]: readonly [string, ...string[]],
  { directory, side, page, args }: SideOptions,
): Promise<SideResult> {
  const record = join(directory, `record-${side}-${Math.trunc(performance.now() * 1000)}.jsonl`);
  const child = spawn(program, [...rest, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      DEADHEAT_SIDE: side,
      DEADHEAT_RECORD: record,
      ...(page === undefined ? {} : { DEADHEAT_PAGE: page }),
    },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [header, ...iterations] = lines(record);
  return { status, errors, header, iterations: iterations as readonly RecordLine[] };
}

function lines(record: string): readonly unknown[] {
  let text: string;
  try {
    text = readFileSync(record, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
}

/** Barriers that a side has reached. */
export const reached = (page: Page, party: 0 | 1): number => Atomics.load(page.words, word.cursor(party));
