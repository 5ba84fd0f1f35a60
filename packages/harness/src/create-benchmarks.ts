import type { AnyBenchOptions, Benchmark, Measured, ParameterLists } from './benchmark.ts';
import { HarnessError } from './harness-error.ts';
import { parameterProduct } from './parameter-product.ts';
import { parameterText } from './parameter-text.ts';

/**
 * One benchmark a combination of parameters.
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
