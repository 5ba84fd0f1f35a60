import type { AnyBenchOptions, Benchmark } from '../benchmark.ts';
import { functionWorker } from '../function-worker.ts';
import { measuredResults, matchers } from '../assert/matchers.ts';
import { measureTogether, type MeasuredTogether } from '../assert/measure-together.ts';
import { refuseWholeExecution, session, takingPart } from '../session.ts';
import { harnessOptions, statisticsOf, type BenchOptions, type Statistics } from './tinybench.ts';

/** A benchmark as vitest 5 gives it to its provider, with the hooks of tinybench 6. */
interface Registration {
  readonly name: string;
  readonly fn: (this: unknown) => unknown;
  readonly fnOpts?: Readonly<Partial<Record<TaskHook, (this: unknown, mode: 'run') => unknown>>> | undefined;
}

type TaskHook = 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach';

/** The benchmarks of one `bench(…).run()` or `bench.compare(…)`. */
interface BenchmarkGroup {
  readonly test: { readonly fullTestName: string; readonly file: { readonly name: string } };
  readonly config: { readonly retainSamples: boolean; readonly projectName?: string };
  readonly registrations: readonly Registration[];
  readonly options?: BenchOptions | undefined;
}

/** Result of a benchmark as vitest 5 has it, ms an invocation and invocations a second. */
interface BenchResult {
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

/** Number of groups so far by place and names: it is a parameter of those with everything in common. */
const calls = new Map<string, number>();

async function run(group: BenchmarkGroup): Promise<readonly BenchResult[]> {
  return takingPart() ? takePart(group) : compare(group);
}

/** tinybench 6's. */
const defaultTimeMs = 1000;
/** The fewest that make a 95 % interval are 6. */
const leastBlocks = 8;

/** Measures the benchmarks of a group in turn, each for its time on average. */
async function compare({ config, registrations, options = {} }: BenchmarkGroup): Promise<readonly BenchResult[]> {
  refuseWholeExecution();
  const all = registrations.map(({ name, fn, fnOpts = {} }) => {
    const task = { name, fn };
    return { name, fn: fn.bind(task), hooks: optionsOf(options, fnOpts, task) };
  });
  const { time = defaultTimeMs } = options;
  let measured: MeasuredTogether;
  try {
    for (const { hooks } of all) await hooks.setup?.({});
    measured = await measureTogether(
      all.map(({ fn, hooks: { beforeEach, afterEach } }) => ({
        worker: functionWorker(fn, ''),
        beforeEach: beforeEach && (() => beforeEach(undefined, undefined, 1)),
        afterEach: afterEach && (() => afterEach(undefined, undefined, 1)),
      })),
      { budgetMs: Math.max(1, time * all.length), leastBlocks },
    );
  } finally {
    for (const { hooks } of all) await hooks.teardown?.(undefined, {});
  }
  return all.map(({ name }, index) => {
    const times = (measured.slots[index] ?? []).map(({ wall }) => wall);
    const invocations = measured.invocations[index] ?? 1;
    const result = benchResult(name, times, { invocations, retainSamples: config.retainSamples });
    measuredResults.set(result, { measured, index });
    return result;
  });
}

async function takePart({
  test,
  config,
  registrations,
  options = {},
}: BenchmarkGroup): Promise<readonly BenchResult[]> {
  const joined = await session();
  const { projectName: project = '' } = config;
  const place = { file: test.file.name, ...(project === '' ? {} : { project }), group: test.fullTestName };
  const key = JSON.stringify([place, registrations.map(({ name }) => name)]);
  const call = (calls.get(key) ?? 0) + 1;
  calls.set(key, call);
  const paramTexts = call === 1 ? place : { ...place, call: String(call) };
  const results: BenchResult[] = [];
  for (const { name, fn, fnOpts = {} } of registrations) {
    const task = { name, fn };
    const benchmark: Benchmark = { name, params: {}, paramTexts, fn, options: optionsOf(options, fnOpts, task) };
    const { times, invocations } = await joined.execute(benchmark, functionWorker(fn.bind(task), ''));
    results.push(benchResult(name, times, { invocations, retainSamples: config.retainSamples }));
  }
  return results;
}

function optionsOf(
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

/** `timesNs`: one an iteration, ns an invocation. */
function benchResult(
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

// The key under which vitest keeps its `expect`; its module would be another copy where this one is transformed by Vite.
(globalThis as { readonly [key: symbol]: { extend(all: typeof matchers): void } | undefined })[
  Symbol.for('expect-global')
]?.extend(matchers);

/**
 * The provider of benchmarks of vitest 5. In an experiment each of them takes part in it. Outside, those of one `bench.compare` are
 * measured together in this process, and assertions on their results judge the interval of their ratio.
 */
const provider: { readonly run: typeof run } = { run };
// oxlint-disable-next-line no-default-export -- vitest loads a provider by it.
export default provider;
