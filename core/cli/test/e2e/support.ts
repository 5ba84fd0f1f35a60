import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { reportSchema, trialSchema, type Report, type Trial } from '@deadheat/model';
import { getAffinity, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';
import { afterEach, expect, inject } from 'vitest';

const installed = fileURLToPath(new URL('../../bin/deadheat.js', import.meta.url));

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

interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Folder inside the scene; without it the scene's own. */
  readonly cwd?: string;
}

interface StartOptions extends CallOptions {
  /** Words before the command, such as `taskset`. */
  readonly prefix?: readonly string[];
  /** Starts the command by `bin/deadheat.js`, as a user of the repository does, instead of the bundle of these tests. */
  readonly installed?: true;
}

/**
 * A {@link Scene} that is made anew for every test of the `describe` that this is called in.
 *
 * @param after looks at what a test has left, before its scene is removed
 */
export function useScene(after: (scene: Scene) => void | Promise<void> = () => {}): Scene {
  const scene = new Scene();
  afterEach(async () => {
    try {
      await after(scene);
    } finally {
      scene.end();
    }
  });
  return scene;
}

/** Neither shared pages nor processes are left. */
export function leavesNothing(scene: Scene): void {
  expect(scene.leftoverPages()).toEqual([]);
  expect(processesWith(scene.directory)).toEqual([]);
}

/** A folder of its own for one test, with a page folder of its own, so that leftovers are the test's. */
export class Scene {
  static #isCalling = false;
  #made: { readonly directory: string; readonly pages: string } | null = null;

  get directory(): string {
    return this.#folders().directory;
  }

  get #pages(): string {
    return this.#folders().pages;
  }

  get #variables(): Readonly<Record<string, string>> {
    return { GITHUB_STEP_SUMMARY: '', DEADHEAT_SHM: this.#pages };
  }

  /** Made when they are first needed. */
  #folders(): { readonly directory: string; readonly pages: string } {
    if (this.#made === null) {
      const directory = mkdtempSync(join(tmpdir(), 'deadheat-e2e-'));
      this.#made = { directory, pages: mkdtempSync(join(sharedMemoryDirectory() ?? directory, 'deadheat-e2e-')) };
    }
    return this.#made;
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

  /** Starts the command in a process of its own, for tests of signals, pipes, kills and of several commands at the same time. */
  start(args: readonly string[], options: StartOptions = {}): Running {
    const command = options.installed === true ? installed : inject('bundledCommand');
    const [file = '', ...rest] = [...(options.prefix ?? []), process.execPath, command, ...args];
    const child = spawn(file, rest, {
      cwd: join(this.directory, options.cwd ?? '.'),
      env: { ...process.env, ...this.#variables, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Running(child);
  }

  /**
   * Executes the command in this process, which saves the start of Node and the loading of its modules. A second one at the same time is
   * started as a process.
   */
  async run(args: readonly string[], { env = {}, cwd = '.' }: CallOptions = {}): Promise<Ended> {
    if (Scene.#isCalling) return this.start(args, { env, cwd }).ended;
    Scene.#isCalling = true;
    const { main } = await import('@deadheat/cli');
    const folder = process.cwd();
    const before = { ...process.env };
    process.chdir(join(this.directory, cwd));
    Object.assign(process.env, this.#variables, env);
    try {
      const [stdout, stderr] = [new Collected(), new Collected()];
      const streams = { stdout, stderr } as unknown as Pick<NodeJS.Process, 'stdout' | 'stderr'>;
      const status = await main(args, { ...streams, env: process.env });
      return { status, stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      process.chdir(folder);
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
      Scene.#isCalling = false;
    }
  }

  /** The only recording below `.deadheat`, or the folder given. */
  recording(directory?: string): string {
    if (directory !== undefined) return this.path(directory);
    const [name, ...more] = readdirSync(this.path('.deadheat'));
    if (name === undefined || more.length > 0) throw new Error('expected one recording');
    return join(this.directory, '.deadheat', name);
  }

  /** A file of the only recording. */
  read(name: string): string {
    return readFileSync(join(this.recording(), name), 'utf8');
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

  /** Every file in shared memory, with the folders that it is in. */
  shared(): readonly string[] {
    return readdirSync(this.#pages, { recursive: true, encoding: 'utf8' });
  }

  end(): void {
    if (this.#made === null) return;
    for (const folder of [this.#made.directory, this.#made.pages]) rmSync(folder, { recursive: true, force: true });
    this.#made = null;
  }
}

/** Keeps the text written to it. */
class Collected extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString();
  }
}

export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly #stdout = new Collected();
  readonly #stderr = new Collected();

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.pipe(this.#stdout);
    child.stderr?.pipe(this.#stderr);
    this.ended = new Promise((resolve) => {
      child.once('close', (status) => {
        resolve({ status, stdout: this.#stdout.text(), stderr: this.#stderr.text() });
      });
    });
  }

  /** Its output so far. */
  get said(): string {
    return this.#stdout.text() + this.#stderr.text();
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
