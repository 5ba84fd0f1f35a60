import type { CounterName, Counts } from './program-counters.ts';

/** A program that a launcher can execute. The launcher keeps it under `id` until another request replaces it. */
export interface ProgramRequest {
  readonly op: 'program';
  readonly id: number;
  /** Absolute path of the program first. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** File for standard input; `null` = /dev/null. */
  readonly input: string | null;
  /** Where standard output and standard error go; with `null` standard error is kept for a failure's message. */
  readonly output: 'null' | 'inherit';
  /** File that standard output goes to instead; made anew. `null` = none. */
  readonly outputFile: string | null;
  /** Folder in which it is executed; `null` = this process's own. */
  readonly workingDirectory: string | null;
  /**
   * True if the peak memory of small programs is measured too, through a starter, which takes about 0.1 ms of the program's time; absent = it
   * is known only above that of the launcher.
   */
  readonly exactMemory?: boolean;
  /** Events that the processor counts; absent = none. */
  readonly counters?: readonly CounterName[];
}

/** Execute a program, once or several times in a row. */
export interface ExecuteRequest {
  readonly op: 'execute';
  readonly program: number;
  /** CPUs of the process tree. */
  readonly cpus: readonly number[];
  /** Value of DEADHEAT_RUN. */
  readonly run: number;
  /** Length of the value of DEADHEAT_PAD, which moves the stack. */
  readonly padBytes: number;
  readonly repeat: number;
  /** The barrier at which the side meets the other one before the first execution; `null` = no barrier. */
  readonly barrier: { readonly wait: 'spin' | 'yield'; readonly deadlineMs: number } | null;
  /** True if the executions end after the first one that fails. */
  readonly stopAtFailure: boolean;
}

/** The two named pipes of a latch; see `LatchKeeper`. */
export interface LatchFiles {
  readonly go: string;
  readonly end: string;
}

/** Make latches, in place of those that there were. */
export interface GatesRequest {
  readonly op: 'latches';
  readonly latches: readonly LatchFiles[];
}

/** Releases a program that waits behind a latch, and waits for its end. */
export interface OpenLatchRequest {
  readonly op: 'pass';
  /** Index of the latch. */
  readonly latch: number;
  /** CPUs of the launcher while it waits. */
  readonly cpus: readonly number[];
  readonly barrier: ExecuteRequest['barrier'];
}

export type LauncherRequest = ProgramRequest | ExecuteRequest | GatesRequest | OpenLatchRequest;

/** One execution, timed around spawn and wait. Times in ns; `startNs` and `endNs` of CLOCK_MONOTONIC. */
export interface Execution {
  readonly startNs: number;
  readonly endNs: number;
  /** User and system time of the process and of every process below it that has been waited for. */
  readonly userNs: number | null;
  readonly systemNs: number | null;
  /** Time for which the process was runnable and had to wait for its CPU, of its first thread alone, and for which the launcher had to, to see its end. */
  readonly runDelayNs: number | null;
  /** Peak resident memory of its largest process; `null` = not above that of the launcher, which hides it. */
  readonly maxRssBytes: number | null;
  /** Page faults, with and without a read from disk; absent = not measured. */
  readonly pageFaults?: number;
  /** Absent = none was asked for. */
  readonly counters?: Counts;
  readonly voluntarySwitches: number | null;
  readonly involuntarySwitches: number | null;
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  /** Number of the signal that ended it. */
  readonly signal: number | null;
}

export interface ExecuteReply {
  readonly ok: true;
  readonly executions: readonly Execution[];
  /** Processes that outlived the program and were ended. */
  readonly strays: number;
  /** End of what the program wrote to standard error. */
  readonly stderr: string;
  readonly stderrBytes: number;
}

export interface ErrorReply {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
}

/** Times of one passage, ns of CLOCK_MONOTONIC. */
export interface OpenLatchReply {
  readonly ok: true;
  readonly startNs: number;
  readonly endNs: number;
}

export type LauncherReply = { readonly ok: true; readonly ready: true } | ExecuteReply | OpenLatchReply | ErrorReply;
