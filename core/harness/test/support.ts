import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWorkloadRecord } from '@deadheat/recording';
import {
  createPage,
  getAffinity,
  hasNativeCalls,
  removePage,
  setAffinity,
  sharedMemoryDirectory,
  type Page,
} from '@deadheat/sync';

/** Why tests that need a page cannot run here; `null` when they can. */
export const noDuets: string | null = !hasNativeCalls()
  ? 'the C library cannot be called here'
  : sharedMemoryDirectory() === null
    ? 'there is no /dev/shm here'
    : getAffinity().length < 2
      ? 'there is one CPU here'
      : null;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  kill(): void;
}

/** Starts a program of test/fixtures (or the path of another one) with these variables of the protocol and no others. */
export function start(program: string, variables: Readonly<Record<string, string>> = {}): Started {
  const path = program.startsWith('/') ? program : fileURLToPath(new URL(`./fixtures/${program}`, import.meta.url));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('DEADHEAT_') && name !== 'NO_COLOR',
  );
  const child = spawn(process.execPath, [path], {
    env: { ...Object.fromEntries(inherited), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (status) => {
      resolve({ status, ...texts });
    });
  });
  return { pid: child.pid ?? 0, ended, kill: () => void child.kill('SIGKILL') };
}

/** Uses a new folder, then removes it. */
export async function withFolder<T>(use: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-harness-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Duet {
  readonly page: Page;
  readonly folder: string;
  readonly records: { readonly A: string; readonly B: string };
  /** Starts a side of the duet. */
  side(side: 'A' | 'B', program: string, variables?: Readonly<Record<string, string>>): Started;
  /** Starts the same program on both sides and waits for both. */
  both(program: string, variables?: Readonly<Record<string, string>>): Promise<readonly [Ended, Ended]>;
}

/** Plays the runner: a page, a folder for the calibration, a record a side. */
export async function withDuet<T>(use: (duet: Duet) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    const page = createPage(sharedMemoryDirectory() ?? '');
    const started: Started[] = [];
    const records = { A: join(folder, 'A.jsonl'), B: join(folder, 'B.jsonl') };
    const side: Duet['side'] = (side, program, variables = {}) => {
      const one = start(program, {
        DEADHEAT_SIDE: side,
        DEADHEAT_RUN: '0',
        DEADHEAT_PAGE: page.path,
        DEADHEAT_RECORD: records[side],
        DEADHEAT_CALIBRATION: folder,
        ...variables,
      });
      started.push(one);
      return one;
    };
    try {
      return await use({
        page,
        folder,
        records,
        side,
        both: (program, variables) =>
          Promise.all([side('A', program, variables).ended, side('B', program, variables).ended]),
      });
    } finally {
      for (const one of started) one.kill();
      await Promise.all(started.map(({ ended }) => ended));
      removePage(page.path);
    }
  });
}

/** Starts processes that may use one CPU alone. */
export function startOn<T>(cpu: number, start: () => T): T {
  const own = getAffinity();
  setAffinity([cpu]);
  try {
    return start();
  } finally {
    setAffinity(own);
  }
}

/** Waits until `condition` holds, looking often; for what another process does in its own time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Starts a Node, by default this one, in a folder, with the hook that lets files as they are take part. */
export function startHooked(
  folder: string,
  args: readonly string[],
  { node = process.execPath, variables = {} }: HookedOptions = {},
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:DEADHEAT_|VITEST|NODE_ENV|TEST$)/.test(name));
  const hook = { NO_COLOR: '1', NODE_OPTIONS: `--import=${import.meta.resolve('@deadheat/harness/register')}` };
  const env = { ...Object.fromEntries(inherited), ...hook, ...variables };
  const child = spawn(node, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  return new Promise((end) => {
    child.once('close', (status) => end({ status, ...texts }));
  });
}

interface HookedOptions {
  readonly node?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** What a side wrote to its record: name, parameters and iterations of each benchmark, and invocations of its first iteration. */
export interface Taken {
  readonly ended: Ended;
  readonly benchmarks: readonly unknown[];
  readonly invocations: readonly (number | undefined)[];
}

/** Starts side A, of three iterations, as `startHooked`. */
export async function takePartIn(folder: string, args: readonly string[], options: HookedOptions = {}): Promise<Taken> {
  return withFolder(async (place) => {
    const record = join(place, 'record');
    const calibration = join(place, 'calibration');
    mkdirSync(calibration);
    const variables = {
      DEADHEAT_SIDE: 'A',
      DEADHEAT_RECORD: record,
      DEADHEAT_CALIBRATION: calibration,
      DEADHEAT_ITERATIONS: '3',
      ...options.variables,
    };
    const ended = await startHooked(folder, args, { ...options, variables });
    const { benchmarks } = await readWorkloadRecord(record);
    return {
      ended,
      invocations: benchmarks.map(({ iterations }) => iterations.metric('n')?.[0]),
      benchmarks: benchmarks.map(({ benchmark, params, iterations }) => [benchmark, params, iterations.length]),
    };
  });
}
