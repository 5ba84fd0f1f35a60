import type { AnyBenchOptions, Benchmark } from '../benchmark.ts';
import { functionWorker } from '../function-worker.ts';
import { environment, session } from '../session.ts';
import { tinybenchStatistics, type TinybenchStatistics } from './statistics.ts';

/** Options of `bench` in vitest, which are those of tinybench's `Bench`. */
export interface BenchOptions {
  /** Time for which a benchmark is measured in a process, ms; without it 200, so that there can be more processes. */
  readonly time?: number;
  /** Invocations at least; without it 10. */
  readonly iterations?: number;
  readonly setup?: (task: Task, mode: 'run') => unknown;
  readonly teardown?: (task: Task, mode: 'run') => unknown;
}

export type BenchFunction = (this: Task) => unknown;

const defaultTimeMs = 200;
const defaultInvocations = 10;
/** Iterations among which `time` is divided when the runner wants more, or does not say how many. */
const usualIterations = 40;
/** Below it the clock's resolution and the barrier would count, ms. */
const leastIterationTimeMs = 1;

/** The place of tinybench's `Bench` for vitest: it carries the options of one benchmark. */
export class Bench {
  readonly options: BenchOptions;

  constructor(options: BenchOptions = {}) {
    this.options = options;
  }
}

/**
 * The place of tinybench's `Task` for vitest, which calls `warmup` and then `run`. The benchmark is executed by `warmup`, of which
 * alone vitest awaits the failure; `run` hands over the result.
 */
export class Task extends EventTarget {
  readonly name: string;
  readonly fn: BenchFunction;
  result: TinybenchStatistics | undefined;
  readonly #options: BenchOptions;
  readonly #paramTexts: Readonly<Record<string, string>>;

  constructor(
    { options }: Bench,
    {
      name,
      fn,
      params,
    }: { readonly name: string; readonly fn: BenchFunction; readonly params: Readonly<Record<string, string>> },
  ) {
    super();
    this.name = name;
    this.fn = fn;
    this.#options = options;
    this.#paramTexts = params;
  }

  /** @throws HarnessError, SyncError when the benchmark failed or the other side is lost */
  async warmup(): Promise<void> {
    const benchmark: Benchmark = {
      name: this.name,
      params: {},
      paramTexts: this.#paramTexts,
      fn: this.fn,
      options: this.#harnessOptions(),
    };
    const joined = await session();
    const { times, invocations } = await joined.execute(benchmark, functionWorker(this.fn.bind(this), ''));
    this.result = tinybenchStatistics(times, invocations);
  }

  async run(): Promise<this> {
    this.dispatchEvent(Object.assign(new Event('complete'), { task: this }));
    return Promise.resolve(this);
  }

  #harnessOptions(): AnyBenchOptions {
    const { time = defaultTimeMs, iterations = defaultInvocations, setup, teardown } = this.#options;
    const wanted = Math.min(environment().iterations ?? usualIterations, usualIterations);
    const leastInvocations = Math.max(1, Math.ceil(iterations / wanted));
    return {
      ...(setup === undefined ? {} : { setup: () => setup(this, 'run') }),
      ...(teardown === undefined ? {} : { teardown: () => teardown(this, 'run') }),
      ...(time > 0
        ? { iterationTime: Math.max(leastIterationTimeMs, time / wanted), leastInvocations }
        : { invocations: leastInvocations }),
    };
  }
}
