import type { AnyBenchOptions, Benchmark } from '../benchmark.ts';
import { functionWorker } from '../function-worker.ts';
import { environment, session } from '../session.ts';
import { tQuantile975 } from '../table-printer.ts';

/** Options of a benchmark in vitest, which are those of tinybench's `Bench`; `Of` is its `Task`. */
export interface BenchOptions<Of = unknown> {
  /** Time for which a benchmark is measured in a process, ms; without it 200, so that there can be more processes. */
  readonly time?: number;
  /** Invocations at least; without it 10. */
  readonly iterations?: number;
  readonly setup?: (task: Of, mode: 'run') => unknown;
  readonly teardown?: (task: Of, mode: 'run') => unknown;
}

export type BenchFunction = (this: Task) => unknown;

const defaultTimeMs = 200;
const defaultInvocations = 10;
/** Iterations among which `time` is divided when the runner wants more, or does not say how many. */
export const usualIterations = 40;
/** Below it the clock's resolution and the barrier would count, ms. */
const leastIterationTimeMs = 1;

/** The place of tinybench's `Bench` for vitest: it carries the options of one benchmark. */
export class Bench {
  readonly options: BenchOptions<Task>;

  constructor(options: BenchOptions<Task> = {}) {
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
  readonly #options: BenchOptions<Task>;
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
      options: harnessOptions(this.#options, this),
    };
    const joined = await session();
    const { times, invocations } = await joined.execute(benchmark, functionWorker(this.fn.bind(this), ''));
    this.result = tinybenchStatistics(times, invocations);
  }

  async run(): Promise<this> {
    this.dispatchEvent(Object.assign(new Event('complete'), { task: this }));
    return Promise.resolve(this);
  }
}

/** The harness's options of a benchmark with `options`; hooks are called with `task` and `'run'`. */
export function harnessOptions<Of>(options: BenchOptions<Of>, task: Of): AnyBenchOptions {
  const { time = defaultTimeMs, iterations = defaultInvocations, setup, teardown } = options;
  const { iterations: own, laterIterations = own ?? usualIterations } = environment();
  const wanted = Math.min(laterIterations, usualIterations);
  const leastInvocations = Math.max(1, Math.ceil(iterations / wanted));
  return {
    ...(setup === undefined ? {} : { setup: () => setup(task, 'run') }),
    ...(teardown === undefined ? {} : { teardown: () => teardown(task, 'run') }),
    ...(time > 0
      ? { iterationTime: Math.max(leastIterationTimeMs, time / wanted), leastInvocations }
      : { invocations: leastInvocations }),
  };
}

/** Result of a task as tinybench 2 has it, ms an invocation. */
interface TinybenchStatistics extends Statistics {
  readonly totalTime: number;
  readonly hz: number;
  readonly period: number;
}

/** Statistics of values as tinybench 2 and 6 have them, in the unit of the values. */
export interface Statistics {
  readonly min: number;
  readonly max: number;
  /** Ascending; vitest 4 empties it when samples are not to be kept. */
  readonly samples: number[] | undefined;
  readonly samplesCount: number;
  readonly mean: number;
  readonly variance: number;
  readonly sd: number;
  readonly sem: number;
  readonly df: number;
  readonly critical: number;
  readonly moe: number;
  /** Half of the mean's 95 % interval, % of the mean. */
  readonly rme: number;
  /** Mean distance from the mean. */
  readonly aad: number;
  /** Median distance from the median. */
  readonly mad: number;
  readonly p50: number;
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
  const statistics = statisticsOf(timesNs.map((time) => time / 1e6));
  const { mean, samplesCount } = statistics;
  return {
    totalTime: mean * samplesCount * invocations,
    hz: mean === 0 ? 0 : 1000 / mean,
    period: mean,
    ...statistics,
  };
}

/** Without any value, all numbers are 0. */
export function statisticsOf(values: readonly number[]): Statistics {
  const samples = values.toSorted((a, b) => a - b);
  const n = samples.length;
  const mean = meanOf(samples);
  const df = Math.max(0, n - 1);
  const variance = df === 0 ? 0 : samples.reduce((total, sample) => total + (sample - mean) ** 2, 0) / df;
  const sd = Math.sqrt(variance);
  const sem = n === 0 ? 0 : sd / Math.sqrt(n);
  const critical = df === 0 ? 0 : tQuantile975(df);
  const moe = sem * critical;
  const p50 = quantile(samples, 0.5);
  return {
    min: quantile(samples, 0),
    max: quantile(samples, 1),
    samples,
    samplesCount: n,
    mean,
    variance,
    sd,
    sem,
    df,
    critical,
    moe,
    rme: mean === 0 ? 0 : (moe / mean) * 100,
    aad: meanOf(samples.map((sample) => Math.abs(sample - mean))),
    mad: quantile(
      samples.map((sample) => Math.abs(sample - p50)).toSorted((a, b) => a - b),
      0.5,
    ),
    p50,
    p75: quantile(samples, 0.75),
    p99: quantile(samples, 0.99),
    p995: quantile(samples, 0.995),
    p999: quantile(samples, 0.999),
  };
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length;
}

function quantile(ascending: readonly number[], p: number): number {
  return ascending[Math.max(0, Math.ceil(p * ascending.length) - 1)] ?? 0;
}
