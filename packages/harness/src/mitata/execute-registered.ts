import { flags } from 'mitata';
import type { Benchmark } from '../benchmark.ts';
import type { Outcome } from '../execute.ts';
import { functionWorker } from '../function-worker.ts';
import { parameterProduct } from '../parameter-product.ts';
import { parameterText } from '../parameter-text.ts';
import type { Session } from '../session.ts';
import { IteratedState } from './iterated-state.ts';
import { definitionOf, kindOf, type Definition, type Registered } from './registered.ts';
import { mitataStatistics, type MitataStatistics } from './statistics.ts';
import { yieldedBenchmark } from './yielded-benchmark.ts';

interface Run {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly stats: MitataStatistics;
  readonly error: undefined;
}

/** What mitata's `run` gives about one benchmark. */
export interface Trial {
  readonly kind: 'static' | 'args' | 'multi-args';
  readonly alias: string;
  readonly args: Readonly<Record<string, readonly unknown[]>>;
  readonly baseline: boolean;
  readonly runs: readonly Run[];
  readonly style: { readonly compact: boolean; readonly highlight: false | string };
}

/** Executes each combination of arguments as a benchmark of the program. */
export async function executeRegistered(session: Session, registered: Registered): Promise<Trial> {
  const definition = definitionOf(registered.benchmark);
  const { _name: alias, _args: lists, _highlight: highlight, flags: set } = definition;
  const runs: Run[] = [];
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
    options: { gc: gc === 'inner' },
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
