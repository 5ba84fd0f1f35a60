import { closeSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  workloadFacts,
  counterSchema,
  methodFacts,
  sides,
  type Benchmark,
  type Count,
  type Failure,
  type ObservedTasks,
  type ResourceMetric,
  type Side,
} from '@deadheat/model';
import {
  createPage,
  createUnnamedPage,
  Guardian,
  Launcher,
  observeTasks,
  observeWrites,
  openFiles,
  poison,
  processesBelow,
  removePage,
  sharedMemoryDirectory,
  SyncError,
  word,
  type ExecuteReply,
  type Page,
  type WaitPolicy,
} from '@deadheat/sync';
import {
  collisionHint,
  describeFailure,
  mayBeIgnored,
  decisiveExecution,
  type ExceededLimit,
  whyNotStarted,
} from '../describe-failure.ts';
import { programEnvironment, protocolVariables } from '../environment.ts';
import {
  endingGraceMs,
  executeInTurn,
  type Executor,
  type HookName,
  type HookOptions,
  type RunOutcome,
  type RunRequest,
  type SideOutcome,
  sidesInOrder,
} from '../executor.ts';
import { Hooks } from '../hooks.ts';
import type { SideFolders } from '../side-folders.ts';
import { countedProgram, type CountedProgram } from './counted-program.ts';
import { watchLimits, watchStopped } from './watch-limits.ts';

/** Longest time for which one side waits for the other at the barrier: both launchers are alive and idle, so this is ample. */
const barrierDeadlineMs = 30_000;

const endAgainMs = 20;
/** A launcher that has not replied so long after its programs were ended is stopped, and is killed. */
const abortMs = 400;

interface SideReply {
  readonly reply: ExecuteReply | null;
  readonly error: SyncError | null;
  readonly exceeded: ExceededLimit | null;
  /** `true` = it was ended because it had done enough iterations. */
  readonly stopped: boolean;
  readonly observed: ObservedTasks | null;
}

export interface NativeExecutorOptions {
  readonly output: 'null' | 'inherit';
  /** The way in which the sides wait for each other: spinning needs a core each, all the time. */
  readonly wait: WaitPolicy;
  /** Metrics besides time; none when absent. */
  readonly resources?: readonly ResourceMetric[];
  /** Removed when the executor is closed. */
  readonly folders: SideFolders;
  /** Variables that programs and hooks inherit. */
  readonly inherited: NodeJS.ProcessEnv;
}

/** Executes programs through one launcher a side, which stay alive over all runs. Linux. */
export class NativeExecutor implements Executor {
  readonly #page: Page;
  readonly #guardian: Guardian;
  readonly #launchers: Readonly<Record<Side, Launcher>>;
  readonly #benchmarks = new Map<number, Benchmark>();
  readonly #output: 'null' | 'inherit';
  readonly #wait: WaitPolicy;
  readonly #resources: readonly ResourceMetric[];
  readonly #folders: SideFolders;
  readonly #inherited: NodeJS.ProcessEnv;
  readonly #hooks: Hooks;
  /** The page of the programs that meet at a barrier of their own, while they run. */
  #programPage: Page | null = null;
  /** Sides whose programs are to be ended, again and again until the launcher replies. */
  readonly #ending = new Map<Side, NodeJS.Timeout>();
  /** Commands whose standard output goes to a file. */
  readonly #directed = new Set<number>();
  /** Runs so far. */
  #runs = 0;
  /** Sides whose programs are being executed, and those of them that were asked to end since they made enough. */
  readonly #executing = new Set<Side>();
  readonly #stopped = new Map<Side, NodeJS.Timeout>();

  private constructor(parts: {
    page: Page;
    guardian: Guardian;
    launchers: Record<Side, Launcher>;
    output: 'null' | 'inherit';
    wait: WaitPolicy;
    resources?: readonly ResourceMetric[];
    folders: SideFolders;
    inherited: NodeJS.ProcessEnv;
  }) {
    this.#page = parts.page;
    this.#guardian = parts.guardian;
    this.#launchers = parts.launchers;
    this.#output = parts.output;
    this.#wait = parts.wait;
    this.#resources = parts.resources ?? [];
    this.#folders = parts.folders;
    this.#inherited = parts.inherited;
    this.#hooks = new Hooks({
      output: parts.output,
      inherited: parts.inherited,
      onStart: (hook) => this.#watch(hook),
    });
    this.#watch();
  }

  /**
   * Makes the page and starts the launchers.
   *
   * @throws SyncError when that cannot be done here
   */
  static async start(options: NativeExecutorOptions): Promise<NativeExecutor> {
    const { page, fd } = createUnnamedPage();
    const guardian = new Guardian();
    const starting = ([0, 1] as const).map(async (party) => Launcher.start({ page: fd, party }));
    const started = await Promise.allSettled(starting);
    closeSync(fd);
    const [A, B] = started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    if (A !== undefined && B !== undefined) {
      return new NativeExecutor({ page, guardian, launchers: { A, B }, ...options });
    }
    await A?.close();
    await guardian.close();
    throw started.find((start) => start.status === 'rejected')?.reason;
  }

  async define(index: number, benchmark: Benchmark): Promise<void> {
    this.#benchmarks.set(index, this.#folders.place(benchmark));
    // Programs that time themselves are defined with the variables of each run.
    if (workloadFacts[benchmark.workload].timesItself) return;
    for (const side of sides) await this.#defineProgram(index, { side, variables: {}, outputFile: null });
  }

  folderOf(benchmark: number, side: Side): string {
    return this.#benchmarks.get(benchmark)?.workingDirectory[side] ?? process.cwd();
  }

  async run(request: RunRequest): Promise<RunOutcome> {
    return request.counts === undefined ? this.#run(request) : this.#count(request, request.counts);
  }

  /** Runs both sides so that their work is counted, once for each kind of it, and defines them as they are afterwards. */
  async #count(request: RunRequest, counts: readonly Count[]): Promise<RunOutcome> {
    const benchmark = this.#definedBenchmark(request.benchmark);
    const found: Record<Side, Partial<Record<Count, number>>> = { A: {}, B: {} };
    let inBytes: Pick<SideOutcome, 'countedBytes'> = {};
    let outcome: RunOutcome | null = null;
    for (const count of counts) {
      const programs: Partial<Record<Side, CountedProgram>> = {};
      try {
        for (const side of sides) {
          const environment = programEnvironment(side, benchmark, this.#inherited);
          const program = countedProgram(count, { command: benchmark.commands[side], environment });
          programs[side] = program;
          const { argv, variables, isInBytes } = program;
          if (isInBytes) inBytes = { countedBytes: true };
          await this.#defineProgram(request.benchmark, { side, variables, outputFile: null, argv });
        }
        outcome = await this.#run(request);
      } finally {
        for (const side of sides) {
          const value = programs[side]?.take();
          if (value !== undefined) found[side][count] = value;
        }
      }
      if (outcome.failures.length > 0) break;
    }
    for (const side of sides) await this.#defineProgram(request.benchmark, { side, variables: {}, outputFile: null });
    if (outcome === null) throw new RangeError('nothing is to be counted');
    if (outcome.failures.length > 0 || sides.some((side) => Object.keys(found[side]).length < counts.length)) {
      return outcome;
    }
    const { A, B } = outcome.sides;
    return {
      ...outcome,
      sides: { A: { ...A, counts: found.A, ...inBytes }, B: { ...B, counts: found.B, ...inBytes } },
    };
  }

  async #run(request: RunRequest): Promise<RunOutcome> {
    const replies: Partial<Record<Side, SideReply>> = {};
    let ofHooks: readonly Failure[] = [];
    this.#runs++;
    Atomics.store(this.#page.words, word.poison, poison.none);
    for (const side of sides) this.#stopEnding(side);
    try {
      await this.#prepareSelfTimed(request);
      await this.#direct(request);
      request.selfTimed?.ending?.begin((side) => this.#stop(side));
      ofHooks = await this.#executeSides(request, replies);
    } finally {
      request.selfTimed?.steering?.end();
      request.selfTimed?.ending?.end();
      this.#dropProgramPage();
    }
    const outcome = this.#outcome(request, replies);
    return { ...outcome, failures: [...outcome.failures, ...ofHooks] };
  }

  /** Gives failures of hooks. */
  async #executeSides(request: RunRequest, replies: Partial<Record<Side, SideReply>>): Promise<readonly Failure[]> {
    if (!methodFacts[request.method].together) {
      return executeInTurn(request, async (side) => {
        replies[side] = await this.#execute(side, request);
        return isFine(replies[side], request);
      });
    }
    let failed = false;
    await Promise.all(
      sidesInOrder(request).map(async (side) => {
        const reply = await this.#execute(side, request);
        this.#poisonPrograms(poison.peerLost);
        // The other side's further executions have no pair.
        if (!failed) replies[side] = reply;
        if (!failed && !isFine(reply, request)) {
          failed = true;
          this.#abandon(side === 'A' ? 'B' : 'A', reply);
        }
      }),
    );
    return [];
  }

  async hook(name: HookName, options: { readonly benchmark: number } & HookOptions): Promise<Failure | null> {
    return this.#hooks.run(name, { ...options, benchmark: this.#benchmarks.get(options.benchmark) });
  }

  abort(): void {
    Atomics.store(this.#page.words, word.poison, poison.cancelled);
    this.#poisonPrograms(poison.cancelled);
    for (const side of sides) this.#end(side);
    this.#hooks.end();
    const aborted = this.#runs;
    setTimeout(() => {
      if (this.#runs !== aborted) return;
      for (const side of this.#executing) this.#launchers[side].kill('it did not reply');
    }, abortMs).unref();
  }

  async close(): Promise<void> {
    Atomics.store(this.#page.words, word.poison, poison.cancelled);
    for (const side of sides) this.#stopEnding(side);
    await Promise.all(sides.map((side) => this.#launchers[side].close()));
    await this.#guardian.close();
    await this.#folders.remove();
  }

  async #execute(side: Side, request: RunRequest): Promise<SideReply> {
    const { selfTimed, method } = request;
    const watch = watchLimits(request, {
      party: side === 'A' ? 0 : 1,
      page: this.#page,
      programPage: this.#programPage,
      file: selfTimed?.files[side] ?? null,
      end: () => this.#end(side),
    });
    const stopped = watchStopped(this.#launchers[side].pid, {
      onProgram: (limitNs) => watch.exceed({ of: 'stop', limitNs }),
      onLauncher: (limitNs) => this.#launchers[side].kill(`it had been stopped for ${limitNs / 1e9} s`),
    });
    this.#executing.add(side);
    const folder =
      request.phase === 'pilot' && !methodFacts[method].together ? this.folderOf(request.benchmark, side) : null;
    const observer = request.observes ? observeSide(() => processesBelow(this.#launchers[side].pid), folder) : null;
    function observation(): ObservedTasks | null {
      return observer?.stop() ?? null;
    }
    try {
      const reply = await this.#launchers[side].execute({
        program: request.benchmark,
        cpus: request.cpus[side],
        run: request.run,
        padBytes: request.padBytes[side],
        repeat: request.executions,
        barrier:
          methodFacts[method].barrier && selfTimed === null
            ? { wait: this.#waitIn(request), deadlineMs: barrierDeadlineMs }
            : null,
        stopAtFailure: !request.ignoreFailure,
      });
      return {
        reply,
        error: null,
        exceeded: watch.exceeded(),
        stopped: this.#stopped.has(side),
        observed: observation(),
      };
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      return { reply: null, error, exceeded: watch.exceeded(), stopped: false, observed: observation() };
    } finally {
      watch.stop();
      stopped.stop();
      observer?.stop();
      this.#stopEnding(side);
      this.#executing.delete(side);
      clearTimeout(this.#stopped.get(side));
      this.#stopped.delete(side);
    }
  }

  /** A side that spins on the core that both share would keep the other from coming. */
  #waitIn({ method }: RunRequest): WaitPolicy {
    return methodFacts[method].cpus === 'one-shared' ? 'yield' : this.#wait;
  }

  /** Asks a side's programs to end, which made enough, and sees to it that they do. */
  #stop(side: Side): void {
    if (!this.#executing.has(side) || this.#stopped.has(side)) return;
    this.#stopped.set(
      side,
      setTimeout(() => this.#end(side), endingGraceMs),
    );
    this.#launchers[side].endPrograms('SIGTERM');
  }

  /**
   * Ends a side's programs, and does so until it replies: a program that was about to start when the first signal went
   * out would otherwise run on.
   */
  #end(side: Side): void {
    this.#launchers[side].endPrograms();
    if (!this.#ending.has(side)) {
      this.#ending.set(
        side,
        setInterval(() => this.#launchers[side].endPrograms(), endAgainMs),
      );
    }
  }

  #stopEnding(side: Side): void {
    clearInterval(this.#ending.get(side));
    this.#ending.delete(side);
  }

  /** Defines a command whose standard output goes elsewhere in this run than in the one before. */
  async #direct({ benchmark, printed, selfTimed }: RunRequest): Promise<void> {
    if (selfTimed !== null || (printed === undefined && !this.#directed.has(benchmark))) return;
    for (const side of sides) {
      await this.#defineProgram(benchmark, { side, variables: {}, outputFile: printed?.[side] ?? null });
    }
    if (printed === undefined) this.#directed.delete(benchmark);
    else this.#directed.add(benchmark);
  }

  /** Defines a program that times itself, with the variables of this run. */
  async #prepareSelfTimed(request: RunRequest): Promise<void> {
    const { selfTimed, benchmark } = request;
    if (selfTimed === null) return;
    const workload = this.#benchmarks.get(benchmark)?.workload;
    const isHarness = workload !== undefined && workloadFacts[workload].protocol;
    if (isHarness && methodFacts[request.method].barrier) {
      this.#programPage = createPage(sharedMemoryDirectory() ?? tmpdir());
      selfTimed.steering?.begin(this.#programPage, selfTimed.files);
    }
    const page = this.#programPage?.path ?? null;
    for (const side of sides) {
      await this.#defineProgram(benchmark, {
        side,
        variables: protocolVariables(request, { side, page, record: isHarness, wait: this.#waitIn(request) }),
        outputFile: isHarness ? null : selfTimed.files[side],
      });
    }
  }

  #definedBenchmark(index: number): Benchmark {
    const benchmark = this.#benchmarks.get(index);
    if (benchmark === undefined) throw new RangeError(`benchmark ${index} was never defined`);
    return benchmark;
  }

  async #defineProgram(
    index: number,
    facts: {
      readonly side: Side;
      readonly variables: Readonly<Record<string, string>>;
      readonly outputFile: string | null;
      /** Absent = the benchmark's. */
      readonly argv?: readonly string[];
    },
  ): Promise<void> {
    const benchmark = this.#definedBenchmark(index);
    const { side, variables, outputFile, argv = benchmark.commands[side].argv } = facts;
    await this.#launchers[side].define({
      id: index,
      environment: { ...programEnvironment(side, benchmark, this.#inherited), ...variables },
      output: this.#output,
      outputFile,
      workingDirectory: benchmark.workingDirectory[side],
      argv: [...argv],
      input: benchmark.input,
      exactMemory: this.#resources.includes('rss'),
      counters: counterSchema.options.filter((counter) => this.#resources.includes(counter)),
    });
  }

  #poisonPrograms(reason: number): void {
    if (this.#programPage === null) return;
    Atomics.compareExchange(this.#programPage.words, word.poison, poison.none, reason);
  }

  #dropProgramPage(): void {
    if (this.#programPage === null) return;
    removePage(this.#programPage.path);
    this.#programPage = null;
  }

  /** Registers with the guardian the processes to end should this process vanish: a running hook included. */
  #watch(hook: number | null = null): void {
    const { A, B } = this.#launchers;
    this.#guardian.watch({
      processes: [A.pid, B.pid, ...(hook === null ? [] : [hook])],
      marks: [A.mark, B.mark],
      later: this.#hooks.left,
    });
  }

  /** Frees the other side after `reply`: from the barrier and from its program. */
  #abandon(other: Side, reply: SideReply): void {
    Atomics.store(
      this.#page.words,
      word.poison,
      reply.error?.code === 'LAUNCHER_LOST' ? poison.peerLost : poison.cancelled,
    );
    this.#end(other);
  }

  #outcome(request: RunRequest, replies: Partial<Record<Side, SideReply>>): RunOutcome {
    const failures: Failure[] = [];
    const outcome = (side: Side): SideOutcome => {
      const reply = replies[side];
      const benchmark = this.#benchmarks.get(request.benchmark);
      if (reply !== undefined && benchmark !== undefined) {
        const failure = failureOf(side, { reply, request, benchmark });
        if (failure !== null) failures.push(failure);
      }
      return {
        executions: reply?.reply?.executions ?? [],
        strays: reply?.stopped === true ? 0 : (reply?.reply?.strays ?? 0),
        stderrBytes: reply?.reply?.stderrBytes ?? 0,
        stderr: reply?.reply?.stderr ?? '',
        stopped: reply?.stopped ?? false,
        observed: reply?.observed ?? null,
      };
    };
    return { sides: { A: outcome('A'), B: outcome('B') }, failures };
  }
}

/** More files of a folder are not looked at. */
const mostFiles = 2000;
/** Number of written files that are reported at most. */
const mostWritten = 100;

/**
 * Observes a side while it is executed.
 *
 * @param folder where it is executed, if nothing else is meanwhile: what changes in it was written by that side; else `null`
 */
function observeSide(processes: () => readonly number[], folder: string | null): { stop(): ObservedTasks } {
  const before = folder === null ? null : fileStates(folder);
  const tasks = observeTasks(processes);
  const writes = observeWrites(processes);
  let result: ObservedTasks | null = null;
  return {
    stop: () => {
      if (result !== null) return result;
      const written = new Set(writes.stop());
      if (folder !== null && before !== null) {
        const own = openFiles();
        for (const [path, state] of fileStates(folder) ?? []) {
          if (before.get(path) !== state && !own.has(path)) written.add(path);
        }
      }
      const paths = [...written].toSorted().slice(0, mostWritten);
      result = { ...tasks.stop(), ...(paths.length === 0 ? {} : { written: paths }) };
      return result;
    },
  };
}

/** A text for each regular file of a folder that changes with its content, by its path; `null` where there are too many files. */
function fileStates(folder: string): ReadonlyMap<string, string> | null {
  const states = new Map<string, string>();
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    if (entries.length > mostFiles) return null;
    for (const { name } of entries) {
      const path = join(folder, name);
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stat !== undefined) states.set(path, `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`);
    }
    return states;
  } catch {
    return null;
  }
}

function isFine(reply: SideReply, request: RunRequest): boolean {
  if (reply.reply === null || reply.exceeded !== null) return false;
  if (reply.stopped) return true;
  if (request.ignoreFailure) return reply.reply.executions.every(({ signal }) => signal === null);
  return reply.reply.strays === 0 && reply.reply.executions.every(({ exitCode }) => exitCode === 0);
}

function failureOf(
  side: Side,
  context: { readonly reply: SideReply; readonly request: RunRequest; readonly benchmark: Benchmark },
): Failure | null {
  const { reply, request, benchmark } = context;
  const command = benchmark.commands[side];
  const during = `run ${request.run + 1}`;
  const { together } = methodFacts[request.method];
  if (reply.error !== null) {
    const notStarted = reply.error.code === 'SPAWN_FAILED';
    const { message } = reply.error;
    const why = notStarted ? whyNotStarted(message, benchmark.workingDirectory[side]) : message;
    return {
      side,
      code: notStarted ? 'NOT_STARTED' : reply.error.code === 'LAUNCHER_LOST' ? 'LAUNCHER_LOST' : 'PEER_LOST',
      message: `${side} ${notStarted ? 'could not be started' : 'was lost'} in ${during} (${why}): ${command.commandLine}${collisionHint({ stderr: message, together })}`,
    };
  }
  if (reply.stopped && reply.exceeded === null) return null;
  const failure = describeFailure({
    side,
    during,
    commandLine: command.commandLine,
    execution: decisiveExecution(reply.reply?.executions ?? []),
    strays: reply.reply?.strays ?? 0,
    limit: reply.exceeded,
    stderr: reply.reply?.stderr ?? '',
    together,
  });
  return failure !== null && request.ignoreFailure && mayBeIgnored(failure) ? null : failure;
}
