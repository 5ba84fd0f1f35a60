import { closeSync, constants, existsSync, fchmodSync, fstatSync, openSync, readSync, rmSync, watch } from 'node:fs';
import { constants as systemConstants } from 'node:os';
import { join } from 'node:path';
import { methodFacts } from '@deadheat/model';
import {
  SyncError,
  type Execution,
  type Launcher,
  type TaskObservation,
  type WaitPolicy,
  type LatchFiles,
} from '@deadheat/sync';
import type { ExceededLimit } from '../describe-failure.ts';
import type { RunRequest } from '../executor.ts';
import { ContainerError } from './container-engine.ts';
import { observeContainer, openContainerUsage, usedBetween, type ContainerUsage } from './container-usage.ts';
import { toExecution, type SideEnd, type SideProgram } from './describe-end.ts';
import { inside } from './inside.ts';
import type { InsideEnd, SideContainer } from './side-container.ts';
import type { SideOutput } from './side-output.ts';

const lookMs = 2;
/** Longest time for which one side waits for the other: both programs are at their latches, so this is ample. */
const barrierDeadlineMs = 30_000;
/** A program that has ended has closed its latch; what still holds it open then was left behind. */
const strayGraceMs = 100;
/** Node's timers hold 31 bits. */
const longestTimerMs = 2 ** 31 - 1;

export interface LatchedProgramOptions {
  readonly request: RunRequest;
  readonly cpus: readonly number[];
  readonly place: SideContainer;
  /** `true` = it is asked to end, and not killed, when the run takes too long. */
  readonly countsCut: boolean;
  readonly launcher: Launcher;
  readonly wait: WaitPolicy;
  readonly argv: readonly string[];
  readonly hasInput: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly output: SideOutput;
  /** The run's folder on this machine. */
  readonly folder: string;
}

/**
 * A command that we time. Its executions wait at latches in the container; between the two readings of the clock there
 * are the opening of the latch, the shell's `exec`, the program, and its end.
 */
export class LatchedProgram implements SideProgram {
  readonly #options: LatchedProgramOptions;
  readonly #executions: Execution[] = [];
  #usage: (() => ContainerUsage) | null = null;
  /** File that the statuses are written to; `null` = it is not there yet. */
  #statuses: StatusFile | null = null;
  #pid: number | null = null;
  #observed: TaskObservation | null = null;
  /** The end of the engine's client; `null` = it is still running. */
  #left: InsideEnd | null = null;
  #leaving: Promise<void> = Promise.resolve();
  #strays = 0;
  #exceeded: ExceededLimit | null = null;

  constructor(options: LatchedProgramOptions) {
    this.#options = options;
  }

  /**
   * Brings every execution to its latch; returns early when the program cannot be started.
   *
   * @throws ContainerError `ENGINE_FAILED` when the image's own programs get in the way; SyncError
   */
  async ready(): Promise<void> {
    const { request, place, launcher, argv, hasInput, environment, output, folder } = this.#options;
    const { executions } = request;
    const pid = await place.pid();
    this.#pid = pid;
    this.#usage = pid === null ? null : openContainerUsage(pid);
    this.#statuses = new StatusFile(folder);
    await launcher.makeLatches(latchFiles(folder, executions));
    const client = place.execute({
      argv: latchedArgv(argv, { executions, input: hasInput ? inside.input : '/dev/null' }),
      environment,
      output: output.descriptors,
    });
    this.#leaving = client.then((end) => {
      this.#left = end;
    });
    for (let index = 0; index < executions; index++) {
      while (!existsSync(join(folder, `ready.${index}`)) && this.#left === null)
        await Promise.race([this.#leaving, pause()]);
    }
    await place.settle();
  }

  async execute(): Promise<SideEnd> {
    const { request, place } = this.#options;
    const { executions, ignoreFailure, runTimeoutNs } = request;
    if (this.#left !== null) return this.#end([toExecution(this.#left)], null);
    const timer = runTimeoutNs === null ? undefined : this.#limit({ of: 'run', limitNs: runTimeoutNs });
    try {
      for (let index = 0; index < executions && !place.ended; index++) {
        const execution = await this.#pass(index);
        this.#executions.push(execution);
        if ((execution.exitCode !== 0 && !ignoreFailure) || this.#strays > 0) break;
      }
      return await this.#end(this.#executions, null);
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      return await this.#end(this.#executions, error);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#options.output.close();
    this.#statuses?.close();
  }

  /** Waits for the engine's client first, which hands on output a moment later. */
  async #end(executions: readonly Execution[], error: SyncError | null): Promise<SideEnd> {
    const { request, place, output } = this.#options;
    if (executions.length < request.executions) place.end();
    await this.#leaving;
    return {
      executions,
      strays: this.#strays,
      ...output.written,
      exceeded: this.#exceeded,
      observed: this.#observed,
      error,
    };
  }

  async #pass(index: number): Promise<Execution> {
    const { request, launcher, cpus, wait } = this.#options;
    const { timeoutNs, method } = request;
    const before = this.#usageNow();
    const stray = this.#watchStray(index);
    const timer = timeoutNs === null ? undefined : this.#limit({ of: 'execution', limitNs: timeoutNs });
    try {
      const barrier = methodFacts[method].barrier ? { wait, deadlineMs: barrierDeadlineMs } : null;
      const observer = request.observes && this.#pid !== null ? observeContainer(this.#pid) : null;
      const times = await launcher.openLatch({ latch: index, cpus, barrier }).finally(() => {
        this.#observed = observer?.stop() ?? null;
      });
      clearTimeout(timer);
      stray.close();
      const status = (await this.#status(index)) ?? 128 + systemConstants.signals.SIGKILL;
      const after = this.#usageNow();
      const used = before === undefined || after === undefined ? {} : usedBetween(before, after);
      return toExecution({ ...times, status }, used);
    } finally {
      clearTimeout(timer);
      stray.close();
    }
  }

  /** `null` when the container has ended. */
  #usageNow(): ContainerUsage | undefined {
    try {
      return this.#usage?.();
    } catch {
      return undefined;
    }
  }

  #limit(limit: ExceededLimit): NodeJS.Timeout {
    const exceed = (): void => {
      this.#exceeded ??= limit;
      if (this.#options.countsCut) this.#options.place.askToEnd();
      else this.#options.place.end();
    };
    return setTimeout(exceed, Math.min(limit.limitNs / 1e6, longestTimerMs));
  }

  /** Status of an execution that has ended; `null` when its container ended with it. */
  async #status(index: number): Promise<number | null> {
    for (;;) {
      const hasLeft = this.#left !== null;
      const status = this.#statuses?.read()[index];
      if (status !== undefined) return status;
      if (hasLeft) return null;
      await pause();
    }
  }

  /** Looks only when a status is written: nothing of ours wakes up while a program is timed. */
  #watchStray(index: number): { close(): void } {
    const { folder, place } = this.#options;
    const statuses = this.#statuses;
    if (statuses === null) return { close: () => {} };
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(statuses.path, () => {
      if (timer !== undefined || statuses.read().length <= index) return;
      timer = setTimeout(() => {
        // The launcher may merely not have had its turn yet.
        if (!isHeldOpen(latchFiles(folder, index + 1)[index]?.end)) return;
        this.#strays += 1;
        place.end();
      }, strayGraceMs);
    });
    return {
      close: () => {
        clearTimeout(timer);
        watcher.close();
      },
    };
  }
}

/** True while a process can still write to a named pipe, or when the pipe is gone or something else is in its place. */
function isHeldOpen(path: string | undefined): boolean {
  if (path === undefined) return false;
  let pipe: number | null = null;
  try {
    pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    return !fstatSync(pipe).isFIFO() || readSync(pipe, Buffer.alloc(1)) > 0;
  } catch {
    return true;
  } finally {
    if (pipe !== null) closeSync(pipe);
  }
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, lookMs));
}

/**
 * The script that keeps executions of a command ready in a container: a shell process each, which waits at its latch and then becomes
 * the program. The pipe `end` stays open (descriptor 9) until the program and all that it started have ended or closed
 * it. Statuses are written in the order of the executions.
 *
 * Arguments: the file for standard input, the number of executions, the command.
 */
const script = `
input=$1 count=$2
shift 2
command -v "$1" > /dev/null || { echo "$1: not found in the image" >&2; exit 127; }
i=0 waiting=
while [ "$i" -lt "$count" ]; do
  (
    exec 8< "${inside.run}/go.$i" 9> "${inside.run}/end.$i"
    : > "${inside.run}/ready.$i"
    read _ <&8
    exec 8<&-
    exec "$@"
  ) < "$input" &
  waiting="$waiting $!"
  i=$((i + 1))
done
for pid in $waiting; do
  wait "$pid"
  echo "$?" >> ${inside.run}/status
done
`;

/** Arguments that make executions of a command wait at their latches. */
function latchedArgv(
  argv: readonly string[],
  { executions, input }: { readonly executions: number; readonly input: string },
): readonly string[] {
  return ['/bin/sh', '-c', script, 'sh', input, String(executions), ...argv];
}

/** The latches of a run in a folder of this machine that is the run's in the container. */
function latchFiles(folder: string, executions: number): readonly LatchFiles[] {
  return Array.from({ length: executions }, (_, index) => ({
    go: join(folder, `go.${index}`),
    end: join(folder, `end.${index}`),
  }));
}

/** A status takes four characters at most; nobody waits at more latches than this file holds statuses of. */
const mostStatusBytes = 1 << 20;

/**
 * The file of a run's folder in which the script writes how executions ended. It is reached by its descriptor alone: the folder is the
 * container's, which may put a link or a pipe in the file's place.
 */
class StatusFile {
  readonly #fd: number;

  /** @throws ContainerError `ENGINE_FAILED` when something is put there at the same time */
  constructor(folder: string) {
    const path = join(folder, 'status');
    const { O_RDONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    try {
      rmSync(path, { recursive: true, force: true });
      this.#fd = openSync(path, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
      fchmodSync(this.#fd, 0o666);
    } catch (cause) {
      throw new ContainerError(
        'ENGINE_FAILED',
        `The file ${path} was put there by the image itself. Use another image.`,
        {
          cause,
        },
      );
    }
  }

  /** The same file, whatever lies in the folder by now. */
  get path(): string {
    return `/proc/self/fd/${this.#fd}`;
  }

  /** Statuses of the executions that have ended, in order, as a shell numbers them. */
  read(): readonly number[] {
    const bytes = Buffer.alloc(Math.min(fstatSync(this.#fd).size, mostStatusBytes));
    const length = readSync(this.#fd, bytes, 0, bytes.length, 0);
    const lines = bytes.toString('latin1', 0, length).split('\n');
    return lines.slice(0, -1).map(Number);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
