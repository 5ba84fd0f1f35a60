import { readFileSync } from 'node:fs';
import { functionWorker } from '../function-worker.ts';
import { session } from '../session.ts';
import { optionsOf, type BenchmarkGroup, type BenchResult, type Test } from './benchmark-group.ts';
import { usualIterations } from './tinybench.ts';

/** A `bench.compare` that other processes repeat. */
export interface RepeatedCall {
  /** Id of the test that makes it. */
  readonly test: string;
  /** Names of its benchmarks. */
  readonly names: readonly string[];
  /** Results of the calls that the test made before it; null where one has none. */
  readonly earlier: CallResults;
}

/** Results of the calls of a test in their order; null while there is none, and where a call failed. */
export type CallResults = readonly (readonly BenchResult[] | null)[];

/** The variable of a process that repeats a call: the number of the benchmark to measure, a colon, and the file with the call. */
export const callVariable = 'DEADHEAT_CALL';

/** Duration of an iteration, ms; their number is the experiment's. */
const iterationMs = 2;

interface Try {
  readonly name: string;
  readonly results: (readonly BenchResult[] | null)[];
}

const tries = new WeakMap<Test, Try>();

/** The results of a test's calls in the try that is being made, in which the next call takes its place. */
export function callsOf(test: Test): (readonly BenchResult[] | null)[] {
  const { retryCount = 0, repeatCount = 0 } = test.result ?? {};
  const name = `${retryCount} ${repeatCount}`;
  const last = tries.get(test);
  if (last?.name === name) return last.results;
  const results: Try['results'] = [];
  tries.set(test, { name, results });
  return results;
}

/** Measures one benchmark of the call that this process repeats, and ends its test; undefined where it repeats none. */
export function repetition(): ((group: BenchmarkGroup) => Promise<readonly BenchResult[]>) | undefined {
  const [, index = '', file = ''] = /^(\d+):(.+)$/s.exec(process.env[callVariable] ?? '') ?? [];
  if (file === '') return undefined;
  const call = JSON.parse(readFileSync(file, 'utf8')) as RepeatedCall;
  return (group) => repeat(group, call, Number(index));
}

async function repeat(
  { test, registrations, options }: BenchmarkGroup,
  call: RepeatedCall,
  index: number,
): Promise<readonly BenchResult[]> {
  if (test.id !== call.test) throw new Error(`'${test.fullTestName}' is another test`);
  const results = callsOf(test);
  const number = results.push(null) - 1;
  if (number < call.earlier.length) {
    const found = call.earlier[number];
    if (found == null) throw new Error('a call before the one to repeat gave no result');
    return (results[number] = found);
  }
  const names = registrations.map(({ name }) => name);
  const registration = registrations[index];
  if (registration === undefined || names.join('\n') !== call.names.join('\n')) {
    throw new Error(`the benchmarks of the call are others when it is repeated: ${names.join(', ')}`);
  }
  const { name, fn, fnOpts = {} } = registration;
  const task = { name, fn };
  const asMany = { ...options, time: iterationMs * usualIterations, iterations: 1 };
  // Both sides measure a benchmark of the same name.
  const benchmark = { name: 'function', params: {}, paramTexts: {}, fn, options: optionsOf(asMany, fnOpts, task) };
  const joined = await session();
  await joined.execute(benchmark, functionWorker(fn.bind(task), ''));
  return test.context.skip('measured');
}
