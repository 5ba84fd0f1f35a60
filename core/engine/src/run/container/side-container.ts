import { spawn, type ChildProcess } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import type { Container } from '@deadheat/model';
import { monotonicNowNs } from '@deadheat/sync';
import { restrictions, type Confinement } from './confinement.ts';
import type { ContainerEngine } from './container-engine.ts';

/** Time that a program has to write its results once it was asked to end; duetbench waits as long. */
const endPatienceMs = 5000;
/** Time that an engine has to pass that on; on a busy machine it takes seconds. */
const askPatienceMs = 60_000;

/** A folder or file of this machine that a container gets to see. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly?: boolean;
}

export interface SideContainerOptions {
  readonly engine: ContainerEngine;
  readonly name: string;
  readonly container: Container;
  /** `null` = the programs are those of the user who runs the experiment. */
  readonly confinement: Confinement | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly cpus: readonly number[];
  readonly mounts: readonly Mount[];
}

/** An execution in a container. */
export interface InsideRequest {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptors for standard output and standard error. */
  readonly output: readonly [number, number];
}

/** The end of an execution in a container, as far as the engine reports it. */
export interface InsideEnd {
  readonly startNs: number;
  readonly endNs: number;
  /** The status as of a shell: 128 and the signal for a program that a signal ended; `null` = the engine's client was killed. */
  readonly status: number | null;
}

/**
 * The container of one side in one run. A shell that waits for its standard input keeps it alive; the program is
 * executed beside it.
 */
export class SideContainer {
  readonly name: string;
  readonly #options: SideContainerOptions;
  readonly #clients = new Set<ChildProcess>();
  #ended = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: SideContainerOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** True once {@link end} was called. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Starts it; when the promise is fulfilled it is ready to execute.
   *
   * @throws ContainerError `ENGINE_FAILED`
   */
  async start(): Promise<void> {
    const { engine, name, container, confinement, labels, mounts } = this.#options;
    const { image, cpus } = container;
    await engine.demand([
      'run',
      '--detach',
      '--interactive',
      '--pull=never',
      `--name=${name}`,
      ...Object.entries(labels).map(([key, value]) => `--label=${key}=${value}`),
      ...restrictions(container, { engine: engine.name, confinement }),
      `--cpuset-cpus=${this.#options.cpus.join(',')}`,
      ...(cpus === null ? [] : [`--cpus=${cpus}`]),
      // Without it SELinux hides the mounted folders from the container.
      '--security-opt=label=disable',
      ...mounts.map(
        ({ source, target, readOnly = false }) =>
          `--mount=type=bind,source=${source},target=${target}${readOnly ? ',readonly' : ''}`,
      ),
      '--entrypoint=/bin/sh',
      image,
      '-c',
      'read _',
    ]);
  }

  /** Number of its first process on this machine; `null` where the engine does not report it. */
  async pid(): Promise<number | null> {
    const { status, stdout } = await this.#options.engine.call(['inspect', '--format={{.State.Pid}}', this.name]);
    const pid = Number(stdout.trim());
    return status === 0 && pid > 0 ? pid : null;
  }

  /** Its state, as far as the engine reports it. */
  async state(): Promise<'running' | 'ended' | 'gone'> {
    const { status, stdout } = await this.#options.engine.call(['inspect', '--format={{.State.Running}}', this.name]);
    if (status !== 0) return 'gone';
    return stdout.trim() === 'true' ? 'running' : 'ended';
  }

  /** Executes a program in it and waits for its end. Rejects when the engine's client cannot be started. */
  async execute({ argv, environment, output }: InsideRequest): Promise<InsideEnd> {
    const { engine, container } = this.#options;
    const args = [
      'exec',
      ...(container.workingDirectory === null ? [] : [`--workdir=${container.workingDirectory}`]),
      ...Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`),
      this.name,
      ...argv,
    ];
    return new Promise((resolve, reject) => {
      const startNs = monotonicNowNs();
      const child = spawn(engine.name, args, { stdio: ['ignore', ...output], detached: true });
      this.#clients.add(child);
      child.once('error', reject);
      child.once('exit', (status) => {
        this.#clients.delete(child);
        // Files are copied out of it now, which no end is to get in the way of.
        if (this.#clients.size === 0) clearTimeout(this.#patience);
        resolve({ startNs, endNs: monotonicNowNs(), status });
      });
    });
  }

  /** Waits until the engine's clients, which stay until their programs end, have nothing more to do. */
  async settle(): Promise<void> {
    await Promise.all([...this.#clients].flatMap(({ pid }) => (pid === undefined ? [] : [waitUntilIdle(pid)])));
  }

  /** Copies a file out of it, from the folder that programs are executed in; returns the reason of a failure, or `null`. */
  async copyOut(path: string, to: string): Promise<string | null> {
    const from = isAbsolute(path) ? path : join(await this.#workingDirectory(), path);
    const { status, stderr } = await this.#options.engine.call(['cp', `${this.name}:${from}`, to]);
    return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? '');
  }

  async #workingDirectory(): Promise<string> {
    const { engine, container } = this.#options;
    if (container.workingDirectory !== null) return container.workingDirectory;
    const { stdout } = await engine.call(['inspect', '--format={{.Config.WorkingDir}}', this.name]);
    return join('/', stdout.trim());
  }

  /** Asks everything that is executed in it to end, by SIGTERM, so that it may write its results; after a while ends it. */
  askToEnd(): void {
    if (this.#ended || this.#patience !== undefined) return;
    this.#endIn(askPatienceMs);
    const passedOn = (): void => this.#endIn(endPatienceMs);
    // All but the shell that keeps the container, which is its first process.
    void this.#options.engine.call(['exec', this.name, '/bin/sh', '-c', 'kill -TERM -1']).then(passedOn, passedOn);
  }

  #endIn(ms: number): void {
    clearTimeout(this.#patience);
    if (!this.#ended && this.#clients.size > 0) this.#patience = setTimeout(() => this.end(), ms);
  }

  /** Ends everything in it; executions end soon after. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#patience);
    const { engine } = this.#options;
    // A container that is not there yet, or no longer, is dealt with when it is removed.
    void engine.call(['kill', this.name]).catch(() => {});
  }

  /**
   * Removes it, with everything that is still executed in it.
   *
   * @throws ContainerError `ENGINE_FAILED`
   */
  async remove(): Promise<void> {
    const { engine } = this.#options;
    clearTimeout(this.#patience);
    const { status, stderr } = await engine.call(engine.removal([this.name]));
    // Docker has no way of passing over a container that is not there.
    if (status !== 0 && !/no such container/i.test(stderr)) await engine.demand(engine.removal([this.name]));
    for (const client of this.#clients) client.kill('SIGKILL');
  }
}

const lookMs = 10;
/** Looks in a row at which a process did nothing. */
const idleLooks = 3;
const idlePatienceMs = 2000;

/**
 * Waits until a process has nothing more to do: the client of an engine works on after what it started is ready, and
 * would take time from what is timed then. Not longer than two seconds, and not at all where the kernel does not report its state.
 */
async function waitUntilIdle(pid: number): Promise<void> {
  const end = performance.now() + idlePatienceMs;
  let before = readRunTime(pid);
  for (let idle = 0; idle < idleLooks && before !== null && performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const now = readRunTime(pid);
    idle = now === before ? idle + 1 : 0;
    before = now;
  }
}

/** CPU time of all threads of a process, ns (the kernel's sched-stats.rst); `null` when it cannot be known. */
function readRunTime(pid: number): bigint | null {
  try {
    let sum = 0n;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      sum += BigInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0] ?? '0');
    }
    return sum;
  } catch {
    return null;
  }
}
