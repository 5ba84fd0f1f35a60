import { HarnessError } from './harness-error.ts';
import type { AnyBenchOptions, Benchmark, Measured, ParameterLists } from './benchmark.ts';

/**
 * Every combination of one value each, the last parameter changing fastest. No parameters: one combination, empty.
 *
 * @throws HarnessError `BAD_BENCHMARK` for a parameter that is no array or has no value
 */
export function parameterProduct(
  lists: Readonly<Record<string, readonly unknown[]>>,
): readonly Readonly<Record<string, unknown>>[] {
  let combinations: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(lists)) {
    if (!Array.isArray(values) || values.length === 0) {
      throw new HarnessError('BAD_BENCHMARK', `params.${name} must be an array with at least one value`);
    }
    combinations = combinations.flatMap((chosen) => values.map((value: unknown) => ({ ...chosen, [name]: value })));
  }
  return combinations;
}

/** A parameter's value as the record has it: texts as they are, objects as JSON, functions by their name. */
export function parameterText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'function') return value.name;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value);
}

/**
 * Makes one benchmark for each combination of parameters.
 *
 * @throws HarnessError `BAD_BENCHMARK` for a name, function or option that makes no sense
 */
export function createBenchmarks(
  name: string,
  fn: Measured<unknown, unknown>,
  { params: lists = {}, ...options }: AnyBenchOptions & { readonly params?: ParameterLists | undefined },
): readonly Benchmark[] {
  if (typeof name !== 'string' || name === '') bad('a benchmark needs a name, a text that is not empty');
  if (typeof fn !== 'function') bad(`bench('${name}', …): the second argument must be the function to measure`);
  for (const key of Object.keys(options)) {
    if (!isOption(key)) bad(`bench('${name}', …): there is no option '${key}'; there are params, ${optionNames()}`);
  }
  for (const [key, least] of Object.entries(counts) as [keyof typeof counts, number][]) {
    const value = options[key];
    if (value !== undefined && !(Number.isInteger(value) && value >= least && value <= maximumCount)) {
      bad(`bench('${name}', …): ${key} is ${value}; expected a whole number from ${least} to ${maximumCount}`);
    }
  }
  const { iterationTime } = options;
  if (iterationTime !== undefined && !(iterationTime > 0 && iterationTime < Infinity)) {
    bad(`bench('${name}', …): iterationTime is ${iterationTime}; expected milliseconds above 0`);
  }
  return parameterProduct(lists).map((params) => ({
    name,
    params,
    paramTexts: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, parameterText(value)])),
    fn,
    options,
  }));
}

/** Loops count in 32 bits. */
const maximumCount = 2 ** 31 - 1;

/** Options that are counts, and the least that each may be. */
const counts = { invocations: 1, iterations: 1, warmup: 0 } as const;

const others = ['setup', 'teardown', 'beforeEach', 'afterEach', 'iterationTime', 'gc'];

function isOption(key: string): boolean {
  return others.includes(key) || key in counts;
}

function optionNames(): string {
  return [...others, ...Object.keys(counts)].join(', ');
}

function bad(message: string): never {
  throw new HarnessError('BAD_BENCHMARK', message);
}
