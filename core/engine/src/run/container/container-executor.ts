import { workloadFacts, sides, type Benchmark, type Failure, type Side } from '@deadheat/model';
import { createPage, Guardian, Launcher, poison, word, type Page } from '@deadheat/sync';
import type { Executor, HookName, HookOptions, RunOutcome, RunRequest } from '../executor.ts';
import { Hooks } from '../hooks.ts';
import { type ContainerExecutorOptions, ContainerRun } from './container-run.ts';
import { RunFolders } from './run-folders.ts';

/**
 * Executes programs in containers, a new one a side and run, both of which are ready before either program starts.
 * Programs that time themselves are started by the engine's `exec`. Executions of a command are brought to a latch in
 * their container first; what is timed lies between the latch and the end of the program.
 */
export class ContainerExecutor implements Executor {
  readonly #options: ContainerExecutorOptions;
  readonly #folders = new RunFolders();
  readonly #guardian = new Guardian();
  readonly #benchmarks = new Map<number, Benchmark>();
  readonly #hooks: Hooks;
  /** Where the launchers meet. */
  readonly #page: Page;
  #launchers: Readonly<Record<Side, Launcher>> | null = null;
  #hook: number | null = null;
  #run: ContainerRun | null = null;

  constructor(options: ContainerExecutorOptions) {
    this.#options = options;
    this.#hooks = new Hooks({
      output: options.output,
      inherited: options.inherited,
      onStart: (pid) => {
        this.#hook = pid;
        this.#watch();
      },
    });
    this.#watch();
    this.#page = createPage(this.#folders.memory);
  }

  async define(index: number, benchmark: Benchmark): Promise<void> {
    this.#benchmarks.set(index, benchmark);
    if (workloadFacts[benchmark.workload].timesItself || this.#launchers !== null) return;
    const start = (party: 0 | 1): Promise<Launcher> => Launcher.start({ page: this.#page.path, party });
    const [A, B] = await Promise.all([start(0), start(1)]);
    this.#launchers = { A, B };
    this.#watch();
  }

  folderOf(): string {
    throw new TypeError('folders of containers are not seen from outside');
  }

  async run(request: RunRequest): Promise<RunOutcome> {
    const benchmark = this.#benchmarks.get(request.benchmark);
    if (benchmark?.containers == null) throw new RangeError(`benchmark ${request.benchmark} has no containers`);
    Atomics.store(this.#page.words, word.poison, poison.none);
    const run = new ContainerRun({
      ...this.#options,
      request,
      benchmark,
      containers: benchmark.containers,
      folders: this.#folders,
      page: this.#page,
      launchers: this.#launchers,
    });
    this.#run = run;
    this.#watch();
    try {
      return await run.make();
    } finally {
      this.#run = null;
      this.#watch();
    }
  }

  async hook(name: HookName, options: { readonly benchmark: number } & HookOptions): Promise<Failure | null> {
    const benchmark = this.#benchmarks.get(options.benchmark);
    return this.#hooks.run(name, { ...options, benchmark: benchmark && this.#outside(benchmark) });
  }

  /** The benchmark as hooks see it, with a TMPDIR a side; programs have the temporary files of their containers. */
  #outside(benchmark: Benchmark): Benchmark {
    const of = (side: Side): Readonly<Record<string, string>> => ({
      TMPDIR: this.#folders.temporary(side),
      ...benchmark.environment[side],
    });
    return { ...benchmark, environment: { A: of('A'), B: of('B') } };
  }

  abort(): void {
    this.#run?.callOff();
    this.#hooks.end();
  }

  async close(): Promise<void> {
    this.#run?.callOff();
    await Promise.all(sides.map(async (side) => this.#launchers?.[side].close()));
    await this.#guardian.close();
    this.#folders.remove();
  }

  /** Registers with the guardian the processes to end should this process vanish. */
  #watch(): void {
    const { engine } = this.#options;
    const names = this.#run?.names ?? [];
    this.#guardian.watch({
      processes: [
        ...sides.flatMap((side) => this.#launchers?.[side].pid ?? []),
        ...(this.#hook === null ? [] : [this.#hook]),
      ],
      marks: sides.flatMap((side) => this.#launchers?.[side].mark ?? []),
      later: this.#hooks.left,
      commands: names.length === 0 ? [] : [[engine.name, ...engine.removal(names)]],
    });
  }
}
