import type { Benchmark, Count, Failure, Method, ObservedTasks, RunPhase, Side, SideResult } from '@deadheat/model';
import type { Execution, Page } from '@deadheat/sync';

/** The settings for a program that times its own iterations; `docs/formats/protocol.md`. */
export interface SelfTimed {
  /** Files, absolute, for the sides' iterations: records of a harness, or output of a program. */
  readonly files: Readonly<Record<Side, string>>;
  /** Iterations of each benchmark in the program, warm-up included; `null` = the program decides. */
  readonly iterations: number | null;
  /** Iterations of the runs for which the sides agree on invocations, where this run makes fewer; absent = as many as it makes. */
  readonly laterIterations?: number;
  /** Number of warm-up iterations, the first ones; `null` = the program decides. */
  readonly warmup: number | null;
  /** Most times of invocations that are to be recorded with each iteration; absent = none are needed. */
  readonly samples?: number;
  readonly fill: boolean;
  /** Iterations after which the sides trade cores; `null` = they do not. */
  readonly tradeEvery: number | null;
  /** Folder in which the sides agree on the number of invocations. */
  readonly calibration: string;
  /** Steering for programs that share a page: ends warm-up and the run; `null` = they follow the settings of their start. */
  readonly steering: Steering | null;
  /** For programs that know nothing of it: ends them when they made enough; `null` = they end by themselves. */
  readonly ending: Ending | null;
}

/** One planned run, as a request to the executor. */
export interface RunRequest {
  /** Index of the benchmark that was defined before. */
  readonly benchmark: number;
  readonly method: Method;
  /** Number for DEADHEAT_RUN and for messages, from 0; warm-up runs have numbers of their own. */
  readonly run: number;
  readonly phase: RunPhase;
  /** `true` = the use of CPUs by the tasks of the sides is observed. */
  readonly observes: boolean;
  readonly order: 'AB' | 'BA';
  /** CPUs of each side's process tree. */
  readonly cpus: Readonly<Record<Side, readonly number[]>>;
  readonly padBytes: Readonly<Record<Side, number>>;
  /** Executions of each side; 1 for a program that times itself. */
  readonly executions: number;
  /** `null` for commands, which the executor times. */
  readonly selfTimed: SelfTimed | null;
  /** Files, absolute, for the standard output of commands; absent = it goes where that of all runs goes. */
  readonly printed?: Readonly<Record<Side, string>>;
  /** Longest time of one iteration. */
  readonly timeoutNs: number | null;
  readonly runTimeoutNs: number | null;
  readonly ignoreFailure: boolean;
  /** Work that is to be counted, with programs that run under valgrind; absent = they run as they are. */
  readonly counts?: readonly Count[];
  /** Hooks of sides that are executed one after the other; absent where none belong to a side alone. */
  readonly around?: HooksAround;
}

/** What is executed directly before and after a side; a failure ends the run. */
export interface HooksAround {
  /** False once the run is interrupted or its time is over. */
  goesOn(): boolean;
  before(side: Side): Promise<Failure | null>;
  after(side: Side): Promise<Failure | null>;
}

/** The sides of a run, that which begins first. */
export function sidesInOrder({ order }: Pick<RunRequest, 'order'>): readonly Side[] {
  return order === 'AB' ? ['A', 'B'] : ['B', 'A'];
}

/**
 * Executes the sides of a run one after the other, each between its hooks, as far as they go on.
 *
 * @param execute gives whether the run goes on
 * @returns failures of hooks
 */
export async function executeInTurn(
  request: Pick<RunRequest, 'order' | 'around'>,
  execute: (side: Side) => Promise<boolean>,
): Promise<readonly Failure[]> {
  const { around } = request;
  for (const side of sidesInOrder(request)) {
    const before = await around?.before(side);
    if (before != null) return [before];
    if (around?.goesOn() === false) return [];
    if (!(await execute(side))) return [];
    const after = await around?.after(side);
    if (after != null) return [after];
    if (around?.goesOn() === false) return [];
  }
  return [];
}

export interface SideOutcome {
  readonly executions: readonly Execution[];
  /** Processes that outlived the program and were ended. */
  readonly strays: number;
  /** Number of bytes that the program wrote to standard error. */
  readonly stderrBytes: number;
  /** Its last kilobytes; absent where they are not known. */
  readonly stderr?: string;
  /** `true` = it was ended because it had done enough iterations. */
  readonly stopped: boolean;
  /** Work that was counted; absent = none, or the program does not run under valgrind. */
  readonly counts?: SideResult['counts'];
  /** As in a recording. */
  readonly countedBytes?: SideResult['countedBytes'];
  /** The use of CPUs by its tasks, in observed runs where it is available; else `null`. */
  readonly observed: ObservedTasks | null;
}

export interface RunOutcome {
  readonly sides: Readonly<Record<Side, SideOutcome>>;
  /** Empty when the run counts. */
  readonly failures: readonly Failure[];
}

export type HookName = 'build' | 'setup' | 'prepare' | 'conclude' | 'cleanup';

export interface HookOptions {
  readonly side: Side;
  /** Time after which its end is no longer waited for: it goes on alone, for a while. Absent = there is none. */
  readonly leaveAfterMs?: number;
}

/** The place where programs run, for the engine. One request at a time. */
export interface Executor {
  /** Makes a benchmark's programs and hooks known under its index. */
  define(index: number, benchmark: Benchmark): Promise<void>;
  /** The folder in which a side of a benchmark is executed, absolute. */
  folderOf(benchmark: number, side: Side): string;
  run(request: RunRequest): Promise<RunOutcome>;
  /** Executes a side's hook; `null` when it succeeded or there is none. */
  hook(name: HookName, options: { readonly benchmark: number } & HookOptions): Promise<Failure | null>;
  /** Ends whatever is being executed; the pending request settles soon after. */
  abort(): void;
  close(): Promise<void>;
}

/** Decides during a run when programs without steering have done enough iterations. */
export interface Ending {
  /**
   * To be called before the programs start.
   *
   * @param end ends a side's program, with everything below it; what it did until then counts
   */
  begin(end: (side: Side) => void): void;
  /** To be called when both have ended, while the files are there; also when `begin` was not. */
  end(): void;
  /**
   * Number of bytes of a side's output that count: those that were read when it was ended. Its last words are
   * no iteration. `null` = all.
   */
  readUntil(side: Side): number | null;
}

/** A program that was asked to end gets so long before it is killed, ms. */
export const endingGraceMs = 2000;

/** Decides in the course of a run how its programs go on, through the page at which they meet. */
export interface Steering {
  /**
   * To be called before the programs start.
   *
   * @param page the page that they will get
   * @param records files that their records grow in, as this process sees them
   */
  begin(page: Page, records: Readonly<Record<Side, string>>): void;
  /** To be called when both have ended, while the files are there; also when `begin` was not. */
  end(): void;
}
