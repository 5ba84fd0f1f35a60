import type { AnyBenchOptions, Benchmark } from '../benchmark.ts';
import { functionWorker } from '../function-worker.ts';
import { environment, session } from '../session.ts';
import { tQuantile975 } from '../table-printer.ts';

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

/** Result of a task as tinybench 2 has it, ms an invocation. */
interface TinybenchStatistics {
  readonly totalTime: number;
  readonly min: number;
  readonly max: number;
  readonly hz: number;
  readonly period: number;
  /** Ascending; vitest empties it when samples are not to be kept. */
  readonly samples: number[];
  readonly mean: number;
  readonly variance: number;
  readonly sd: number;
  readonly sem: number;
  readonly df: number;
  readonly critical: number;
  readonly moe: number;
  /** Half of the mean's 95 % interval, % of the mean. */
  readonly rme: number;
  readonly p75: number;
  readonly p99: number;
  readonly p995: number;
  readonly p999: number;
}

/**
 * Sums up the iterations of a benchmark.
 *
 * @param timesNs one an iteration, ns an invocation; without any, all numbers are 0
 */
function tinybenchStatistics(timesNs: readonly number[], invocations: number): TinybenchStatistics {
  const samples = timesNs.map((time) => time / 1e6).toSorted((a, b) => a - b);
  const n = samples.length;
  const sum = samples.reduce((total, sample) => total + sample, 0);
  const mean = n === 0 ? 0 : sum / n;
  const df = Math.max(0, n - 1);
  const variance = df === 0 ? 0 : samples.reduce((total, sample) => total + (sample - mean) ** 2, 0) / df;
  const sd = Math.sqrt(variance);
  const sem = n === 0 ? 0 : sd / Math.sqrt(n);
  const critical = df === 0 ? 0 : tQuantile975(df);
  const moe = sem * critical;

  function at(p: number): number {
    return samples[Math.max(0, Math.ceil(p * n) - 1)] ?? 0;
  }

  return {
    totalTime: sum * invocations,
    min: at(0),
    max: at(1),
    hz: mean === 0 ? 0 : 1000 / mean,
    period: mean,
    samples,
    mean,
    variance,
    sd,
    sem,
    df,
    critical,
    moe,
    rme: mean === 0 ? 0 : (moe / mean) * 100,
    p75: at(0.75),
    p99: at(0.99),
    p995: at(0.995),
    p999: at(0.999),
  };
}
