import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportSchema, trialSchema, type Report, type Trial } from '@deadheat/model';
import { getAffinity, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';

const bin = fileURLToPath(new URL('../../bin/deadheat.js', import.meta.url));

/** Why duets cannot run here; `null` when they can. */
export const noDuets: string | null = !hasNativeCalls()
  ? 'the C library cannot be called here'
  : sharedMemoryDirectory() === null
    ? 'there is no /dev/shm here'
    : getAffinity().length < 2
      ? 'there is one CPU only'
      : null;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for one test, with a page folder of its own, so that leftovers are the test's. */
export class Scene {
  readonly directory: string = mkdtempSync(join(tmpdir(), 'deadheat-e2e-'));
  readonly #pages: string;

  constructor() {
    this.#pages = mkdtempSync(join(sharedMemoryDirectory() ?? this.directory, 'deadheat-e2e-'));
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  /** Writes an executable shell script and returns its path. */
  script(name: string, text: string): string {
    const path = this.path(name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return path;
  }

  start(args: readonly string[], options: { env?: Record<string, string>; prefix?: readonly string[] } = {}): Running {
    const [file = '', ...rest] = [...(options.prefix ?? []), process.execPath, bin, ...args];
    const child = spawn(file, rest, {
      cwd: this.directory,
      env: { ...process.env, DEADHEAT_SHM: this.#pages, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Running(child);
  }

  async run(args: readonly string[], options?: Parameters<Scene['start']>[1]): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** The only recording below `.deadheat`, or the folder given. */
  recording(directory?: string): string {
    if (directory !== undefined) return this.path(directory);
    const [name, ...more] = readdirSync(this.path('.deadheat'));
    if (name === undefined || more.length > 0) throw new Error('expected one recording');
    return join(this.directory, '.deadheat', name);
  }

  trials(directory?: string): readonly Trial[] {
    return readFileSync(join(this.recording(directory), 'trials.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => trialSchema.parse(JSON.parse(line)));
  }

  /** Shared pages that were not removed. */
  leftoverPages(): readonly string[] {
    return readdirSync(this.#pages);
  }

  end(): void {
    rmSync(this.directory, { recursive: true, force: true });
    rmSync(this.#pages, { recursive: true, force: true });
  }
}

export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;

  constructor(child: ChildProcess) {
    this.child = child;
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on('data', (bytes: Buffer) => stdout.push(bytes));
    child.stderr?.on('data', (bytes: Buffer) => stderr.push(bytes));
    this.ended = new Promise((resolve) => {
      child.once('close', (status) => {
        resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
      });
    });
  }
}

export function parseReport(text: string): Report {
  return reportSchema.parse(JSON.parse(text));
}

/** Processes whose command line holds `marker`. */
export function processesWith(marker: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
      } catch {
        return false;
      }
    });
}

/** Waits until `condition` holds, looking often; for what another process does in its own time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
