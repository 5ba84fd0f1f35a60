import type { AnyBenchOptions } from '../benchmark.ts';
import { harnessOptions, statisticsOf, type BenchOptions, type Statistics } from './tinybench.ts';

/** A benchmark as vitest 5 gives it to its provider, with the hooks of tinybench 6. */
export interface Registration {
  readonly name: string;
  readonly fn: (this: unknown) => unknown;
  readonly fnOpts?: Readonly<Partial<Record<TaskHook, (this: unknown, mode: 'run') => unknown>>> | undefined;
}

type TaskHook = 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach';

/** A test of vitest 5 while it is executed. */
export interface Test {
  /** The same in every process that collects the file's tests. */
  readonly id: string;
  readonly fullTestName: string;
  readonly file: {
    readonly name: string;
    readonly filepath: string;
    readonly pool?: string;
    readonly projectName?: string;
  };
  /** Time limit, ms; 0 or Infinity without one. */
  readonly timeout: number;
  readonly result?: { readonly startTime?: number; readonly retryCount?: number; readonly repeatCount?: number };
  readonly context: { readonly signal: AbortSignal; readonly skip: (note: string) => never };
}

/** The benchmarks of one `bench(…).run()` or `bench.compare(…)`. */
export interface BenchmarkGroup {
  readonly test: Test;
  readonly config: { readonly retainSamples: boolean; readonly projectName?: string };
  readonly registrations: readonly Registration[];
  readonly options?: BenchOptions | undefined;
}

/** Result of a benchmark as vitest 5 has it, ms an invocation and invocations a second. */
export interface BenchResult {
  readonly name: string;
  readonly state: 'completed';
  readonly latency: Statistics;
  readonly throughput: Statistics;
  readonly period: number;
  readonly totalTime: number;
  readonly runtime: 'node';
  readonly runtimeVersion: string;
  readonly timestampProviderName: 'hrtimeNow';
}

/** The harness's options of a benchmark of a group with `options`. */
export function optionsOf(
  options: BenchOptions,
  hooks: NonNullable<Registration['fnOpts']>,
  task: { readonly name: string },
): AnyBenchOptions {
  const { beforeAll, afterAll, beforeEach, afterEach } = hooks;
  const { setup, teardown, ...rest } = harnessOptions(options, task);
  // tinybench calls them around each invocation.
  const single = beforeEach !== undefined || afterEach !== undefined;
  return {
    ...(single ? { invocations: 1 } : rest),
    setup: async () => {
      await setup?.(undefined);
      await beforeAll?.call(task, 'run');
    },
    teardown: async () => {
      await afterAll?.call(task, 'run');
      await teardown?.(undefined, undefined);
    },
    ...(beforeEach === undefined ? {} : { beforeEach: () => beforeEach.call(task, 'run') }),
    ...(afterEach === undefined ? {} : { afterEach: () => afterEach.call(task, 'run') }),
  };
}

/**
 * The result of a benchmark.
 *
 * @param timesNs one an iteration, ns an invocation
 */
export function benchResult(
  name: string,
  timesNs: readonly number[],
  { invocations, retainSamples }: { readonly invocations: number; readonly retainSamples: boolean },
): BenchResult {
  const ms = timesNs.map((time) => time / 1e6);

  function statistics(values: readonly number[]): Statistics {
    const { samples, ...rest } = statisticsOf(values);
    return { ...rest, samples: retainSamples ? samples : undefined };
  }

  const latency = statistics(ms);
  return {
    name,
    state: 'completed',
    latency,
    throughput: statistics(ms.map((time) => 1000 / time)),
    period: latency.mean,
    totalTime: latency.mean * ms.length * invocations,
    runtime: 'node',
    runtimeVersion: process.version,
    timestampProviderName: 'hrtimeNow',
  };
}
