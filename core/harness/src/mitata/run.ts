import * as mitata from 'mitata';
import { die, session, takingPart } from '../session.ts';
import { executeRegistered, definitionOf, type Trial, type Registered } from './execute-registered.ts';

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
      benchmarks.push(observe(asMitata(await executeRegistered(joined, one))));
    }
  } catch (error) {
    die(error);
  }
  return { context, benchmarks } as unknown as Results;
};

function asMitata(trial: Trial): Results['benchmarks'][number] {
  return trial as unknown as Results['benchmarks'][number];
}

/** mitata's description of the machine. Its measured overhead is 0 here. */
const context = {
  arch: `${process.arch}-${process.platform}`,
  runtime: 'node',
  version: process.versions.node,
  cpu: { freq: 0, name: null },
} as const;
