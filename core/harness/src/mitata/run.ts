import * as mitata from 'mitata';
import { flags, type B } from 'mitata';
import { die, session, takingPart, type Session } from '../session.ts';
import { HarnessError } from '../harness-error.ts';
import { adaptedIterationTimeMs, type Benchmark } from '../benchmark.ts';
import type { Outcome } from '../execute.ts';
import { functionWorker } from '../function-worker.ts';
import { parameterProduct, parameterText } from '../create-benchmarks.ts';
import { IteratedState, yieldedBenchmark } from './workers.ts';

let registered: Registered[] = [];
const groups: string[] = [];

type Run = typeof mitata.run;
type Results = Awaited<ReturnType<Run>>;

function register(...args: unknown[]): mitata.B {
  const benchmark = (mitata.bench as (...args: unknown[]) => mitata.B)(...args);
  if (takingPart()) registered.push({ benchmark, group: groups.at(-1) ?? null });
  return benchmark;
}

/** mitata's `bench`. */
export const bench: typeof mitata.bench = register as typeof mitata.bench;

function enter(...args: unknown[]): unknown {
  const [name] = args;
  const inGroup = mitata.group as (...args: unknown[]) => unknown;
  if (typeof name !== 'string') return inGroup(...args);
  groups.push(name);

  function leave(): void {
    groups.pop();
  }

  const result = inGroup(...args);
  if (result instanceof Promise) return result.finally(leave);
  leave();
  return result;
}

/** mitata's `group`; its name is the parameter `group` of the benchmarks in it. */
export const group: typeof mitata.group = enter as typeof mitata.group;

/**
 * mitata's `run`. In an experiment it executes the benchmarks as the runner wants, prints nothing, and gives mitata's
 * results made of iterations: a sample is the mean time of an invocation in one of them.
 */
export const run: Run = async (options = {}) => {
  if (!takingPart()) {
    await session();
    return mitata.run(options);
  }
  const { filter = /.*/, observe = (trial) => trial } = options;
  const benchmarks: Results['benchmarks'] = [];
  const due = registered;
  registered = [];
  try {
    const joined = await session();
    for (const one of due) {
      if (!filter.test(definitionOf(one.benchmark)._name)) continue;
      benchmarks.push(observe((await executeRegistered(joined, one)) as unknown as Results['benchmarks'][number]));
    }
  } catch (error) {
    die(error);
  }
  return { context, benchmarks } as unknown as Results;
};

/** mitata's description of the machine. Its measured overhead is 0 here. */
const context = {
  arch: `${process.arch}-${process.platform}`,
  runtime: 'node',
  version: process.versions.node,
  cpu: { freq: 0, name: null },
} as const;

/** A benchmark of mitata with the group that it is in. */
interface Registered {
  readonly benchmark: B;
  readonly group: string | null;
}

/** A benchmark as mitata keeps it. */
interface Definition {
  readonly f: (...args: unknown[]) => unknown;
  readonly _name: string;
  readonly _args: Readonly<Record<string, readonly unknown[]>>;
  readonly _gc: boolean | 'once' | 'inner';
  readonly _highlight: false | string;
  readonly flags: number;
}

/**
 * Reads the private data of a benchmark of mitata, which has no public interface for them.
 *
 * @throws HarnessError `BAD_BENCHMARK` when this release of mitata keeps something else
 */
function definitionOf(benchmark: B): Definition {
  const inner = benchmark as unknown as Partial<Definition>;
  if (typeof inner.f !== 'function' || typeof inner._name !== 'string' || typeof inner._args !== 'object') {
    throw new HarnessError('BAD_BENCHMARK', 'this release of mitata is not understood; use mitata 1.0.34');
  }
  return inner as Definition;
}

/** The way mitata calls a function: by itself, with a state to iterate over, or as a generator that yields the function. */
function kindOf(fn: (...args: never[]) => unknown): 'fn' | 'iter' | 'yield' {
  if (/^(Async)?GeneratorFunction$/.test(fn.constructor.name)) return 'yield';
  return fn.length === 0 ? 'fn' : 'iter';
}

/** Times as mitata's results have them, ns an invocation. */
interface MitataStatistics {
  readonly kind: 'fn' | 'iter' | 'yield';
  readonly debug: string;
  readonly ticks: number;
  readonly samples: number[];
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p99: number;
  readonly p999: number;
}

/** `times`: one an iteration, ns an invocation; NaN everywhere without any. */
function mitataStatistics(
  kind: MitataStatistics['kind'],
  times: readonly number[],
  invocations: number,
): MitataStatistics {
  const samples = times.toSorted((a, b) => a - b);

  function at(p: number): number {
    return samples[Math.trunc(p * (samples.length - 1))] ?? Number.NaN;
  }

  return {
    kind,
    debug: '',
    ticks: samples.length * invocations,
    samples,
    min: at(0),
    max: at(1),
    avg: samples.reduce((sum, time) => sum + time, 0) / samples.length,
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p99: at(0.99),
    p999: at(0.999),
  };
}

interface MeasuredRun {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly stats: MitataStatistics;
  readonly error: undefined;
}

/** Result of one benchmark in the form of mitata's `run`. */
interface Trial {
  readonly kind: 'static' | 'args' | 'multi-args';
  readonly alias: string;
  readonly args: Readonly<Record<string, readonly unknown[]>>;
  readonly baseline: boolean;
  readonly runs: readonly MeasuredRun[];
  readonly style: { readonly compact: boolean; readonly highlight: false | string };
}

/** Executes each combination of arguments as a benchmark of the program. */
async function executeRegistered(session: Session, registered: Registered): Promise<Trial> {
  const definition = definitionOf(registered.benchmark);
  const { _name: alias, _args: lists, _highlight: highlight, flags: set } = definition;
  const runs: MeasuredRun[] = [];
  for (const args of parameterProduct(lists)) {
    const { times, invocations } = await executeOne(session, definition, { args, group: registered.group });
    const stats = mitataStatistics(kindOf(definition.f), times, invocations);
    const name = Object.entries(args).reduce((text, [key, value]) => text.replaceAll(`$${key}`, String(value)), alias);
    runs.push({ name, args, stats, error: undefined });
  }
  const names = Object.keys(lists).length;
  return {
    kind: names === 0 ? 'static' : names === 1 ? 'args' : 'multi-args',
    alias,
    args: lists,
    baseline: (set & flags.baseline) !== 0,
    runs,
    style: { compact: (set & flags.compact) !== 0, highlight },
  };
}

async function executeOne(
  session: Session,
  { f, _name: name, _gc: gc }: Definition,
  { args, group }: { readonly args: Readonly<Record<string, unknown>>; readonly group: string | null },
): Promise<Outcome> {
  const texts = Object.entries(args).map(([key, value]) => [key, parameterText(value)] as const);
  const benchmark: Benchmark = {
    name,
    params: args,
    paramTexts: Object.fromEntries([...(group === null ? [] : [['group', group] as const]), ...texts]),
    fn: f,
    options: { gc: gc === 'inner', iterationTime: adaptedIterationTimeMs },
  };
  try {
    switch (kindOf(f)) {
      case 'fn':
        return await session.execute(benchmark, functionWorker(f, ''));
      case 'yield': {
        const { options, worker } = await yieldedBenchmark(f as Parameters<typeof yieldedBenchmark>[0], args);
        return await session.execute({ ...benchmark, options: { ...benchmark.options, ...options } }, worker);
      }
      case 'iter': {
        const state = new IteratedState(session.start(benchmark), args);
        await f(state);
        return state.outcome;
      }
    }
  } catch (error) {
    throw session.fail(error, benchmark);
  }
}
