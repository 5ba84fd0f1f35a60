import type { Benchmark } from '../benchmark.ts';
import { matchers, measuredResults, type MeasuredResults } from '../assert/matchers.ts';
import { howText } from '../assert/assert.ts';
import { measureTogether, ratioOf, type MeasuredTogether, type Ratio } from '../assert/measure-together.ts';
import { functionWorker } from '../function-worker.ts';
import { refuseWholeExecution, session, takingPart } from '../session.ts';
import { isPromise } from '../work.ts';
import { benchResult, optionsOf, type BenchmarkGroup, type BenchResult } from './benchmark-group.ts';
import { callsOf, repetition, type CallResults } from './repetition.ts';

export type { BenchmarkGroup } from './benchmark-group.ts';
export { callVariable, type CallResults, type RepeatedCall } from './repetition.ts';
export type { Ratio } from '../assert/measure-together.ts';

/** The benchmarks of a call as pairs of processes measured them. */
export interface MeasuredApart {
  /** Times of an invocation, ns, of each benchmark. */
  readonly timesNs: readonly (readonly number[])[];
  /** Ratios of the times of each benchmark to those of the first one, that of the first to itself included. */
  readonly toFirst: readonly Ratio[];
}

/** Measures a call's benchmarks in other processes, by wall time where one of them waits; a text says why that cannot be. */
type InOtherProcesses = (
  group: BenchmarkGroup,
  others: { readonly earlier: CallResults; readonly tryCalls: () => Promise<TriedCalls> },
) => Promise<MeasuredApart | string>;

interface Provider {
  readonly run: (group: BenchmarkGroup) => Promise<readonly BenchResult[]>;
}

/**
 * The provider of benchmarks of vitest 5. In an experiment each of them takes part in it. Outside, those of one `bench.compare` are
 * measured by `inOtherProcesses` or, where it cannot, together in this process, and assertions on their results judge the interval of their ratio.
 */
export function createProvider(inOtherProcesses?: InOtherProcesses): Provider {
  return {
    run: async (group) => {
      if (takingPart()) return (repetition() ?? takePart)(group);
      refuseWholeExecution();
      const calls = callsOf(group.test);
      const number = calls.push(null) - 1;
      const others = { earlier: calls.slice(0, number), tryCalls: async () => tryCalls(group) };
      const apart = group.registrations.length < 2 ? undefined : await inOtherProcesses?.(group, others);
      if (typeof apart === 'string') warnOnce(apart);
      return (calls[number] = typeof apart === 'object' ? resultsApart(group, apart) : await compare(group, apart));
    },
  };
}

const warned = new Set<string>();

function warnOnce(why: string): void {
  if (!warned.has(why)) process.stderr.write(`deadheat: bench.compare measures in one process: ${why}\n`);
  warned.add(why);
}

function resultsApart(
  { registrations, config: { retainSamples } }: BenchmarkGroup,
  { timesNs, toFirst }: MeasuredApart,
): readonly BenchResult[] {
  const results = registrations.map(({ name }, index) =>
    benchResult(name, timesNs[index] ?? [], { invocations: 1, retainSamples }),
  );
  return remembered(results, {
    ratio: ([i, j]) => throughFirst(toFirst[i], toFirst[j]),
    how: (ratio) => howText(ratio, 'pairs of processes'),
  });
}

/** The ratio of two benchmarks that were both compared with a third: the errors of independent logarithms are added in squares. */
function throughFirst(one: Ratio | undefined, other: Ratio | undefined): Ratio {
  if (one === undefined || other === undefined) throw new RangeError('the call has no such benchmark');
  const estimate = one.estimate / other.estimate;
  const below = Math.hypot(Math.log(one.estimate / one.low), Math.log(other.high / other.estimate));
  const above = Math.hypot(Math.log(one.high / one.estimate), Math.log(other.estimate / other.low));
  return {
    estimate,
    low: estimate * Math.exp(-below),
    high: estimate * Math.exp(above),
    blocks: Math.min(one.blocks, other.blocks),
    metric: one.metric === other.metric ? one.metric : 'wall',
  };
}

function remembered(results: readonly BenchResult[], measured: MeasuredResults): readonly BenchResult[] {
  for (const [index, result] of results.entries()) measuredResults.set(result, { measured, index });
  return results;
}

/** Number of groups so far by place and names: it is a parameter of those with everything in common. */
const calls = new Map<string, number>();

function tasksOf({ registrations, options = {} }: Pick<BenchmarkGroup, 'registrations' | 'options'>): readonly {
  readonly name: string;
  readonly fn: () => unknown;
  readonly hooks: ReturnType<typeof optionsOf>;
}[] {
  return registrations.map(({ name, fn, fnOpts = {} }) => {
    const task = { name, fn };
    return { name, fn: fn.bind(task), hooks: optionsOf(options, fnOpts, task) };
  });
}

/** A function that computes for less than this share of the time until its promise is settled, in the best of a few calls, waits. */
const computingShare = 0.8;
const mostCalls = 5;

/** A few calls of the functions of a group, before any is measured. */
export interface TriedCalls {
  /** One of the functions returns a promise and waits for something. */
  readonly waits: boolean;
  /** The quickest call of the slowest function, ms: CPU time, or wall time of one that waits. */
  readonly callMs: number;
}

async function tryCalls(group: BenchmarkGroup): Promise<TriedCalls> {
  let [waits, slowestMs] = [false, 0];
  for (const { fn, hooks } of tasksOf(group)) {
    await hooks.setup?.({});
    try {
      let share = 0;
      let callMs = Infinity;
      for (let calls = 0; calls < mostCalls && share < computingShare; calls++) {
        await hooks.beforeEach?.(undefined, undefined, 1);
        const [wall, cpu] = [performance.now(), process.cpuUsage()];
        const result = fn();
        if (isPromise(result)) await result;
        const wallMs = performance.now() - wall;
        const { user, system } = process.cpuUsage(cpu);
        share = isPromise(result) ? Math.max(share, (user + system) / 1e3 / wallMs) : 1;
        callMs = Math.min(callMs, share < computingShare ? wallMs : (user + system) / 1e3);
        await hooks.afterEach?.(undefined, undefined, 1);
      }
      slowestMs = Math.max(slowestMs, callMs);
      waits ||= share < computingShare;
    } finally {
      await hooks.teardown?.(undefined, {});
    }
  }
  return { waits, callMs: slowestMs };
}

/** tinybench 6's. */
const defaultTimeMs = 1000;
/** The fewest that make a 95 % interval are 6. */
const leastBlocks = 8;
const level = 0.95;

/** Measures the benchmarks of a group in turn, each for its time on average; `why` there are no other processes. */
async function compare(
  { config, registrations, options = {} }: BenchmarkGroup,
  why?: string,
): Promise<readonly BenchResult[]> {
  const all = tasksOf({ registrations, options });
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
  const results = all.map(({ name }, index) => {
    const times = (measured.slots[index] ?? []).map(({ wall }) => wall);
    const invocations = measured.invocations[index] ?? 1;
    return benchResult(name, times, { invocations, retainSamples: config.retainSamples });
  });
  return remembered(results, {
    ratio: (pair) => ratioOf(measured, pair, level),
    how: (ratio) => howText(ratio) + (why === undefined ? '' : `; not in two processes: ${why}`),
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

// The key under which vitest keeps its `expect`; its module would be another copy where this one is transformed by Vite.
(globalThis as { readonly [key: symbol]: { extend(all: typeof matchers): void } | undefined })[
  Symbol.for('expect-global')
]?.extend(matchers);

/** The provider that measures in one process. */
const provider: Provider = createProvider();
// oxlint-disable-next-line no-default-export -- vitest loads a provider by it.
export default provider;
