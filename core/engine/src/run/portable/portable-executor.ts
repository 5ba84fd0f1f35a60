import { closeSync, openSync } from 'node:fs';
import { workloadFacts, type Benchmark, type Failure, type Side } from '@deadheat/model';
import { Guardian, makeMark } from '@deadheat/sync';
import { describeFailure, mayBeIgnored, whyNotStarted } from '../describe-failure.ts';
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
} from '../executor.ts';
import { GroupProcess } from '../group-process.ts';
import { Hooks } from '../hooks.ts';
import type { SideFolders } from '../side-folders.ts';

const nothing: SideOutcome = { executions: [], strays: 0, stderrBytes: 0, stopped: false, observed: null };

/**
 * Executes programs through Node alone, one after the other: for machines where the C library cannot be called. It
 * can neither pin a process nor measure its CPU time.
 */
export class PortableExecutor implements Executor {
  readonly #benchmarks = new Map<number, Benchmark>();
  readonly #output: 'null' | 'inherit';
  readonly #process = new GroupProcess();
  readonly #hooks: Hooks;
  readonly #guardian = new Guardian();
  readonly #folders: SideFolders;
  readonly #inherited: NodeJS.ProcessEnv;
  #executing: Side | null = null;
  /** Kills a program that was asked to end since it made enough; `null` = none was. */
  #killing: NodeJS.Timeout | null = null;

  constructor(options: {
    readonly output: 'null' | 'inherit';
    readonly folders: SideFolders;
    /** Variables that programs and hooks inherit. */
    readonly inherited: NodeJS.ProcessEnv;
  }) {
    this.#inherited = options.inherited;
    this.#output = options.output;
    this.#folders = options.folders;
    this.#hooks = new Hooks({ ...options, onStart: (pid) => this.#watch(pid) });
  }

  async define(index: number, benchmark: Benchmark): Promise<void> {
    this.#benchmarks.set(index, this.#folders.place(benchmark));
  }

  folderOf(benchmark: number, side: Side): string {
    return this.#benchmarks.get(benchmark)?.workingDirectory[side] ?? process.cwd();
  }

  async run(request: RunRequest): Promise<RunOutcome> {
    const ending = request.selfTimed?.ending ?? null;
    ending?.begin((side) => this.#stop(side));
    try {
      return await this.#executeSides(request);
    } finally {
      ending?.end();
    }
  }

  async #executeSides(request: RunRequest): Promise<RunOutcome> {
    const outcomes: Record<Side, SideOutcome> = { A: nothing, B: nothing };
    const failures: Failure[] = [];
    const ofHooks = await executeInTurn(request, async (side) => {
      const { outcome, failure } = await this.#execute(side, request);
      outcomes[side] = outcome;
      if (failure !== null) failures.push(failure);
      return failure === null;
    });
    return { sides: outcomes, failures: [...failures, ...ofHooks] };
  }

  async hook(name: HookName, options: { readonly benchmark: number } & HookOptions): Promise<Failure | null> {
    return this.#hooks.run(name, { ...options, benchmark: this.#benchmarks.get(options.benchmark) });
  }

  abort(): void {
    this.#process.end();
    this.#hooks.end();
  }

  async close(): Promise<void> {
    this.abort();
    await this.#guardian.close();
    await this.#folders.remove();
  }

  /** Asks the program of a side to end, which made enough, and sees to it that it does. */
  #stop(side: Side): void {
    if (this.#executing !== side || this.#killing !== null || !this.#process.end('SIGTERM')) return;
    this.#killing = setTimeout(() => this.#process.end(), endingGraceMs);
  }

  /** Has the running process ended when this one is killed. */
  #watch(pid: number | null): void {
    this.#guardian.watch({ processes: pid === null ? [] : [pid], later: this.#hooks.left });
  }

  async #execute(side: Side, request: RunRequest): Promise<{ outcome: SideOutcome; failure: Failure | null }> {
    const benchmark = this.#benchmarks.get(request.benchmark);
    if (benchmark === undefined) throw new Error(`benchmark ${request.benchmark} was never defined`);
    const { argv, commandLine } = benchmark.commands[side];
    const during = `run ${request.run + 1}`;
    const { selfTimed, timeoutNs, runTimeoutNs } = request;
    const isHarness = workloadFacts[benchmark.workload].protocol;
    const limits = [selfTimed === null ? timeoutNs : null, runTimeoutNs].filter((limit) => limit !== null);
    const limitNs = limits.length === 0 ? null : Math.min(...limits);
    const printed = isHarness ? undefined : (selfTimed?.files ?? request.printed);
    const outputFile = printed === undefined ? null : openSync(printed[side], 'w');
    const input = benchmark.input === null ? null : openSync(benchmark.input, 'r');
    // Between its start and the news of its id it could not be ended should this process vanish.
    const mark = makeMark();
    this.#guardian.watch({ processes: [], marks: [mark] });
    this.#executing = side;
    try {
      const { execution, stderr, timedOut, leftStrays } = await this.#process.execute(argv, {
        environment: {
          ...programEnvironment(side, benchmark, this.#inherited),
          ...protocolVariables(request, { side, page: null, record: isHarness, wait: 'spin' }),
          DEADHEAT_RUN: String(request.run),
          DEADHEAT_MARK: mark,
          DEADHEAT_PAD: 'x'.repeat(request.padBytes[side]),
        },
        input,
        output: this.#output,
        outputFile,
        workingDirectory: benchmark.workingDirectory[side],
        timeoutNs: limitNs,
        endStrays: true,
        onStart: (pid) => this.#watch(pid),
      });
      this.#watch(null);
      const stopped = this.#killing !== null;
      const strays = leftStrays && !stopped ? 1 : 0;
      const failure = describeFailure({
        side,
        during,
        commandLine,
        execution,
        strays,
        limit:
          timedOut && limitNs !== null ? { of: limitNs === request.runTimeoutNs ? 'run' : 'execution', limitNs } : null,
        stderr,
      });
      const isAccepted = stopped || (request.ignoreFailure && (failure === null || mayBeIgnored(failure)));
      return {
        outcome: { executions: [execution], strays, stderrBytes: stderr.length, stderr, stopped, observed: null },
        failure: isAccepted && !timedOut ? null : failure,
      };
    } catch (error) {
      const why = whyNotStarted((error as Error).message, benchmark.workingDirectory[side]);
      const message = `${side} could not be started in ${during} (${why}): ${commandLine}`;
      return { outcome: nothing, failure: { side, code: 'NOT_STARTED', message } };
    } finally {
      this.#executing = null;
      if (this.#killing !== null) clearTimeout(this.#killing);
      this.#killing = null;
      for (const fd of [input, outputFile]) if (fd !== null) closeSync(fd);
    }
  }
}
