import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { errorName, lastErrorName, loadLibc, type Libc } from '../libc.ts';
import { endAll, processesBelow } from '../processes.ts';
import type { Page } from '../page.ts';
import { SyncError } from '../sync-error.ts';
import type { ExecuteReply, Execution, ProgramRequest } from './messages.ts';
import { ProgramCounters } from './program-counters.ts';
import { ProgramImage, type ImageValues } from './program-image.ts';
import { SmallStarter, starterResult } from './small-starter.ts';

// Constants of the C library, named after their C names: CLOCK_MONOTONIC, WNOHANG and so on, with the values of Linux.
const clockMonotonic = 1;
const wNoHang = 1;
const wExited = 4;
const wNoWait = 0x0100_0000;
const pPid = 1;
const sigPipe = 13;
const fSetFd = 2;
const fSetFl = 4;
const fdCloseOnExec = 1;
const oAppend = 0x400;
const mfdCloseOnExec = 1;
const prSetChildSubreaper = 36;
const spawnFlags = 0x02 | 0x04 | 0x08; // SETPGROUP | SETSIGDEF | SETSIGMASK

/** Where things lie in the block of native memory; sizes are upper bounds over glibc and musl. */
const offset = {
  start: 0,
  end: 16,
  status: 32,
  usage: 48,
  attributes: 256,
  signals: 1024,
  fileActions: 1280,
  info: 1600,
  nothing: 1800,
};
const blockBytes = 2048;

/** Descriptors on which the engine hands its own standard output and standard error down. */
export const inheritedOutput = 3;
export const inheritedError = 4;
/** Descriptor of the page, where it has no name. */
export const inheritedPage = 5;

const tailBytes = 4096;
const strayGraceMs = 100;

interface Program {
  readonly image: ProgramImage;
  readonly fileActions: bigint;
  readonly input: number;
  /** Descriptor of a file for standard output; `null` = none. */
  readonly outputFile: number | null;
  /** The starter of a program whose memory is measured exactly. */
  readonly starter: SmallStarter | null;
  readonly counters: ProgramCounters | null;
}

/** Where the id of a running program is stored. */
export interface PidPlace {
  readonly page: Page;
  readonly pidWord: number;
}

/** A program that is ready to start. */
export interface PreparedProgram {
  /**
   * Starts twice a program with an empty path, which fails at once: this loads the code path of the timed start into
   * the caches of a core that slept between two runs. It takes about 0.2 ms.
   */
  warmUp(): void;
  /** Puts its standard input back to the beginning. */
  rewindInput(): void;
  /** One execution; may be called repeatedly. */
  start(): Execution;
}

/**
 * Starts programs and waits for them: the timed path of a command. Between the two readings of the clock there are
 * `posix_spawn` and `waitid`, on memory that was laid out before.
 */
export class Spawner {
  readonly #libc: Libc;
  readonly #block: bigint;
  readonly #view: DataView;
  readonly #programs = new Map<number, Program>();
  /** Images of programs that were replaced. */
  readonly #freeImages: ProgramImage[] = [];
  /** Made when it is needed; `null` = there is none here. */
  #starter: SmallStarter | null | undefined;
  readonly #null: number;
  readonly #stderr: number;
  readonly #onSignal: () => void;

  /** @param onSignal called when a signal interrupts the wait for a program */
  constructor(onSignal: () => void) {
    this.#onSignal = onSignal;
    const libc = loadLibc();
    this.#libc = libc;
    this.#block = BigInt(libc.koffi.alloc('uint64_t', blockBytes / 8));
    this.#view = new DataView(libc.koffi.view(this.#block, blockBytes));
    this.#null = openSync('/dev/null', 'r+');
    this.#stderr = libc.memfd_create('deadheat-stderr', mfdCloseOnExec);
    if (this.#stderr < 0) throw new SyncError('SPAWN_FAILED', `memfd_create failed: ${lastErrorName(libc)}`);
    libc.fcntl(this.#stderr, fSetFl, oAppend);
    for (const fd of [inheritedOutput, inheritedError, inheritedPage]) libc.fcntl(fd, fSetFd, fdCloseOnExec);
    // Orphans of the programs become children of this process, which can then see and end them.
    libc.prctl(prSetChildSubreaper, 1, 0, 0, 0);
    const signals = this.#at(offset.signals);
    libc.posix_spawnattr_init(this.#at(offset.attributes));
    libc.posix_spawnattr_setflags(this.#at(offset.attributes), spawnFlags);
    libc.posix_spawnattr_setpgroup(this.#at(offset.attributes), 0);
    libc.sigemptyset(signals);
    libc.posix_spawnattr_setsigmask(this.#at(offset.attributes), signals);
    // Node ignores SIGPIPE; a program started by a shell would not.
    libc.sigaddset(signals, sigPipe);
    libc.posix_spawnattr_setsigdefault(this.#at(offset.attributes), signals);
  }

  /** Lays a program out in memory for later starts; it replaces a program with the same id. */
  define(request: ProgramRequest): void {
    const libc = this.#libc;
    this.#forget(request.id);
    const input = request.input === null ? this.#null : openSync(request.input, 'r');
    const outputFile = request.outputFile === null ? null : openSync(request.outputFile, 'w');
    const fileActions = BigInt(libc.koffi.alloc('uint64_t', 32));
    libc.posix_spawn_file_actions_init(fileActions);
    const inherit = request.output === 'inherit';
    libc.posix_spawn_file_actions_adddup2(fileActions, input, 0);
    libc.posix_spawn_file_actions_adddup2(fileActions, outputFile ?? (inherit ? inheritedOutput : this.#null), 1);
    libc.posix_spawn_file_actions_adddup2(fileActions, inherit ? inheritedError : this.#stderr, 2);
    const starter = request.exactMemory === true ? (this.#starter ??= SmallStarter.make(libc)) : null;
    if (starter !== null) libc.posix_spawn_file_actions_adddup2(fileActions, starter.result, starterResult);
    const { counters = [] } = request;
    const image = this.#freeImages.pop() ?? new ProgramImage(libc);
    image.layOut(this.#argvInFolder(request, fileActions), request.environment);
    this.#programs.set(request.id, {
      image,
      fileActions,
      input,
      outputFile,
      starter,
      counters: counters.length === 0 ? null : new ProgramCounters(libc, counters),
    });
  }

  /** The arguments that execute a program in its folder; where the C library can change folders, its own. */
  #argvInFolder({ argv, workingDirectory }: ProgramRequest, fileActions: bigint): readonly string[] {
    if (workingDirectory === null) return argv;
    const addChdir = this.#libc.posix_spawn_file_actions_addchdir_np;
    if (addChdir === undefined) return ['/bin/sh', '-c', 'cd "$0" && exec "$@"', workingDirectory, ...argv];
    addChdir(fileActions, workingDirectory);
    return argv;
  }

  /** Frees the memory and the files of a program that is replaced. */
  #forget(id: number): void {
    const program = this.#programs.get(id);
    if (program === undefined) return;
    this.#programs.delete(id);
    if (program.input !== this.#null) closeSync(program.input);
    if (program.outputFile !== null) closeSync(program.outputFile);
    program.counters?.close();
    this.#libc.posix_spawn_file_actions_destroy(program.fileActions);
    this.#libc.koffi.free(program.fileActions);
    this.#freeImages.push(program.image);
  }

  /**
   * Prepares a start: everything that need not be timed.
   *
   * @param page the process id is stored in its word `pidWord` while the program runs
   */
  prepare(id: number, values: ImageValues, { page, pidWord }: PidPlace): PreparedProgram {
    const libc = this.#libc;
    const program = this.#programs.get(id);
    if (program === undefined) throw new SyncError('LAUNCHER_PROTOCOL', `program ${id} was never defined`);
    const { image, fileActions, input, starter, counters } = program;
    image.set(values);
    const { words } = page;
    const pidAddress = page.address + BigInt(pidWord * words.BYTES_PER_ELEMENT);
    const { argv, environment } = image;
    const path = starter?.path ?? image.path;

    function ended(pid: number): void {
      while (libc.wait4(pid, status, 0, usage) < 0);
    }

    const attributes = this.#at(offset.attributes);
    const start = this.#at(offset.start);
    const end = this.#at(offset.end);
    const status = this.#at(offset.status);
    const usage = this.#at(offset.usage);
    const info = this.#at(offset.info);
    const nothing = this.#at(offset.nothing);
    return {
      warmUp: (): void => {
        for (let starts = 0; starts < 2; starts++) {
          libc.posix_spawn(nothing, nothing + 8n, fileActions, attributes, argv, environment);
        }
      },
      rewindInput: (): void => {
        if (input !== this.#null) libc.lseek(input, 0, 0);
      },
      start: (): Execution => {
        libc.clock_gettime(clockMonotonic, start);
        const error = libc.posix_spawn(pidAddress, path, fileActions, attributes, argv, environment);
        if (error !== 0) {
          Atomics.store(words, pidWord, 0);
          throw new SyncError('SPAWN_FAILED', errorName(libc, error));
        }
        const started = Atomics.load(words, pidWord);
        // The word keeps the number of the starter: that it is not 0 says that a program runs.
        let pid = started;
        if (starter !== null) {
          ended(started);
          const answer = starter.read();
          if ('error' in answer) {
            Atomics.store(words, pidWord, 0);
            throw new SyncError('SPAWN_FAILED', errorName(libc, answer.error));
          }
          ({ pid } = answer);
        }
        // The process stays a zombie until wait4, so that what the kernel knows of it can still be read.
        while (libc.waitid(pPid, pid, info, wExited | wNoWait) < 0) this.#onSignal();
        libc.clock_gettime(clockMonotonic, end);
        const runDelayNs = readRunDelay(pid, this.#timeAt(offset.end) - this.#timeAt(offset.start));
        ended(pid);
        Atomics.store(words, pidWord, 0);
        return this.#execution({ runDelayNs, hasExactMemory: starter !== null, counters });
      },
    };
  }

  /**
   * Waits a moment for processes that outlived the program, then ends them.
   *
   * @returns how many had to be ended
   */
  endStrays(): number {
    const end = performance.now() + strayGraceMs;
    for (;;) {
      const reaped = this.#reap();
      if (reaped < 0) return 0;
      if (performance.now() > end) break;
      if (reaped === 0) this.#libc.usleep(1000);
    }
    const strays = endAll(() => {
      while (this.#reap() > 0);
      return processesBelow(process.pid);
    });
    while (this.#reap() > 0);
    return strays;
  }

  /** Takes the end of one child; gives its id, 0 when none has ended, -1 when there is none. */
  #reap(): number {
    return this.#libc.wait4(-1, this.#at(offset.status), wNoHang, 0n);
  }

  /** End of what was written to standard error since the last call, and how much it was in all. */
  takeStderr(): Pick<ExecuteReply, 'stderr' | 'stderrBytes'> {
    const { size } = fstatSync(this.#stderr);
    if (size === 0) return { stderr: '', stderrBytes: 0 };
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    readSync(this.#stderr, tail, 0, tail.length, size - tail.length);
    ftruncateSync(this.#stderr, 0);
    return { stderr: tail.toString('utf8'), stderrBytes: size };
  }

  #at(bytes: number): bigint {
    return this.#block + BigInt(bytes);
  }

  #long(at: number): number {
    return Number(this.#view.getBigInt64(at, true));
  }

  /** A reading of the clock, ns. */
  #timeAt(at: number): number {
    return this.#long(at) * 1e9 + this.#long(at + 8);
  }

  #execution({
    runDelayNs,
    hasExactMemory,
    counters,
  }: Pick<Execution, 'runDelayNs'> & {
    readonly hasExactMemory: boolean;
    readonly counters: ProgramCounters | null;
  }): Execution {
    const usage = (index: number): number => this.#long(offset.usage + index * 8);
    const status = this.#view.getInt32(offset.status, true);
    const signal = status & 0x7f;
    return {
      startNs: this.#timeAt(offset.start),
      endNs: this.#timeAt(offset.end),
      userNs: usage(0) * 1e9 + usage(1) * 1e3,
      systemNs: usage(2) * 1e9 + usage(3) * 1e3,
      runDelayNs,
      maxRssBytes: hasExactMemory ? usage(4) * 1024 : beyondOwn(usage(4)),
      pageFaults: usage(8) + usage(9),
      ...(counters === null ? {} : { counters: counters.take() }),
      voluntarySwitches: usage(16),
      involuntarySwitches: usage(17),
      exitCode: signal === 0 ? (status >> 8) & 0xff : null,
      signal: signal === 0 ? null : signal,
    };
  }
}

/**
 * Peak resident set of a child in bytes. A child shares this process's memory until it executes its program, and the
 * kernel counts that: a figure that is not above our own says nothing.
 */
function beyondOwn(kibibytes: number): number | null {
  return kibibytes > process.resourceUsage().maxRSS ? kibibytes * 1024 : null;
}

const description = Buffer.alloc(8192);

/** The beginning of a file below /proc; empty where it cannot be read. */
function beginning(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return description.toString('latin1', 0, readSync(file, description, 0, description.length, 0));
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Time that an execution neither computed nor waited for a CPU, below which it is not asked how late its end was seen, ns. */
const leastUnexplainedNs = 200_000;

/**
 * Time for which the first thread of a process that ended waited for a CPU, and the launcher to see it, ns; `null` on a kernel that does not say. The thread's time on a
 * CPU and its wait are the numbers of its schedstat (the kernel's sched-stats.rst). Nothing was seen late beyond what they leave of the wall time: where that is less than 0.2 ms,
 * it is not looked for, which takes four more files.
 *
 * @param wallNs of the execution
 * @param read text of a file below /proc, empty where there is none
 */
export function readRunDelay(pid: number, wallNs: number, read: (path: string) => string = beginning): number | null {
  const [onCpu = Number.NaN, delay = Number.NaN] = read(`/proc/${pid}/schedstat`).split(' ').map(Number);
  if (!Number.isFinite(delay)) return null;
  return wallNs - onCpu - delay < leastUnexplainedNs ? delay : delay + readLateness(pid, read);
}

/** CPU of the last turn of a thread, and its time on the clock of that CPU, ns; `null` on a kernel that does not say. */
function lastTurn(
  of: number | 'thread-self',
  read: typeof beginning,
): { readonly cpu: number; readonly ns: number } | null {
  const stat = read(`/proc/${of}/stat`);
  const cpu = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[36]);
  const ns = Number(/^se\.exec_start\s*:\s*([\d.]+)/m.exec(read(`/proc/${of}/sched`))?.[1]) * 1e6;
  return Number.isFinite(cpu) && Number.isFinite(ns) ? { cpu, ns } : null;
}

/**
 * Time that passed on a busy CPU before this thread had its turn and saw that a process had ended, ns. The clocks of two CPUs differ, as each leaves out what a hypervisor
 * took from it: 0 where the process ended on another one.
 */
function readLateness(pid: number, read: typeof beginning): number {
  const [its, own] = [lastTurn(pid, read), lastTurn('thread-self', read)];
  return its === null || own === null || its.cpu !== own.cpu ? 0 : Math.max(0, own.ns - its.ns);
}

/** Ends everything below this process; for a launcher whose engine is gone. */
export function endEverythingBelow(): void {
  endAll(() => processesBelow(process.pid));
}
