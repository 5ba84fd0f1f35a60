import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { quoteWord, type Comparison } from '@deadheat/model';
import { verdictSentence } from '@deadheat/report';
import { makeTemporaryFolder, removeRegistered } from '@deadheat/sync';
import { UsageError } from '../errors/usage-error.ts';
import { parseDuration, parseShare } from '../settings/parse-values.ts';
import type { CompareFunctionsOptions, CompareOptions, FunctionComparison } from './options.ts';

/** A call of `compare` with two functions: where it stands, and how often that place has been reached. */
interface Call {
  /** URL of the module that calls. */
  readonly module: string;
  readonly key: string;
}

/** Data of a process that repeats a call, under a key of its global object: the call, its side, and the results of calls before it. */
interface Repetition {
  readonly key: string;
  readonly side: 'a' | 'b';
  readonly results: Readonly<Record<string, FunctionComparison>>;
}

const globalKey = 'deadheat.call';
const reached = new Map<string, number>();
const results: Record<string, FunctionComparison> = {};

/** Duration of an iteration, ms, and their number in a process, the first half of which is warm-up: together about as long as the start of a process. */
const iterationMs = 2;
const iterations = 100;
/** Time for the measurement where none is given; two processes need more of it, as each pair of them starts anew. */
const defaultTime = { 'two-processes': '10s', 'one-process': '2s' };

/** The call in flight, or why no other process can make it. */
function callAt(caller: (...args: never[]) => unknown): Call | string {
  if (!isMainThread) return 'the call is made by a worker thread';
  // The key under which `expect` of jest and of vitest keeps its state in the process of a test.
  if (Symbol.for('$$jest-matchers-object') in globalThis)
    return 'a test runner loads the calling module in its own way';
  const own = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const holder: { readonly stack?: readonly NodeJS.CallSite[] } = {};
  Error.prepareStackTrace = (_, sites) => sites;
  Error.captureStackTrace(holder, caller);
  const [site] = holder.stack ?? [];
  Object.defineProperty(Error, 'prepareStackTrace', own ?? { value: undefined, writable: true, configurable: true });
  const file = site?.getFileName() ?? '';
  const module = file.startsWith('file:') ? file : pathToFileURL(file).href;
  if (file === '' || !existsSync(fileURLToPath(module))) return 'the calling code is in no file';
  const place = `${module}:${site?.getLineNumber() ?? 0}:${site?.getColumnNumber() ?? 0}`;
  const count = (reached.get(place) ?? 0) + 1;
  reached.set(place, count);
  return { module, key: `${place}#${count}` };
}

/** Repetition for which this process was started; absent in a program of a user. */
function ownRepetition(): Repetition | undefined {
  return (globalThis as { readonly [key: symbol]: Repetition | undefined })[Symbol.for(globalKey)];
}

/** Ends a process that was to repeat a call of functions and met something that it would have to repeat as well. */
export function endRepetition(subject: string): void {
  if (ownRepetition() === undefined) return;
  process.stderr.write(`${subject} stands before the call that is to be repeated\n`);
  process.exit(1);
}

/** Measures one function as a side of an experiment, and ends this process. */
async function repeat(fn: () => unknown): Promise<never> {
  const { bench, run } = await import('@deadheat/harness');
  bench('functions', fn, { iterationTime: iterationMs });
  await run();
  process.exit();
}

/**
 * Compares two functions. Two processes load the calling module again, each goes on to the same call, and measures one of the functions there; where
 * that cannot be, both are measured in this process, in blocks of a drawn order and its reverse.
 *
 * @param options.caller the function of the library that the user called
 * @param options.compareCommands compares two commands
 * @throws UsageError
 */
export async function compareFunctions(
  { a, b, margin = '5%', maxTime, method, ...others }: CompareFunctionsOptions,
  {
    caller,
    compareCommands,
  }: {
    readonly caller: (...args: never[]) => unknown;
    readonly compareCommands: (options: CompareOptions) => Promise<{ readonly comparison: Comparison }>;
  },
): Promise<FunctionComparison> {
  const call = callAt(caller);
  const [other] = Object.keys(others);
  if (typeof a !== 'function' || typeof b !== 'function' || other !== undefined) {
    const problem = other === undefined ? 'a and b must both be functions' : `${other} does nothing for functions`;
    throw new UsageError('CONFLICT', `${problem}, which are compared by their calls`, {
      hint: 'Functions take margin, maxTime and method; what has to be measured with everything else is a command.',
    });
  }
  const by = parseShare('margin', { zero: 'allowed', example: '1%' })(String(margin));
  const budgetNs = (one: FunctionComparison['method']): number =>
    parseDuration('maxTime')(String(maxTime ?? defaultTime[one]));
  if (method !== undefined && method !== 'one-process' && method !== 'two-processes') {
    throw new UsageError('BAD_VALUE', `method must be one-process or two-processes, got ${JSON.stringify(method)}`);
  }
  const repetition = ownRepetition();
  if (repetition !== undefined && typeof call !== 'string') {
    if (call.key === repetition.key) return repeat({ a, b }[repetition.side]);
    const earlier = repetition.results[call.key];
    if (earlier !== undefined) return earlier;
    endRepetition('another comparison of functions');
  }
  let why: string | null = null;
  if (method !== 'one-process') {
    const found =
      typeof call === 'string'
        ? call
        : await inTwoProcesses(call, { by, budgetNs: budgetNs('two-processes'), compareCommands });
    if (typeof found !== 'string') {
      if (typeof call !== 'string') results[call.key] = found;
      return found;
    }
    if (method === 'two-processes') {
      throw new UsageError('CONFLICT', `two processes cannot make this call: ${found}`, {
        hint: 'Call compare at the top level of a module that does the same whenever it is loaded, or leave method out.',
      });
    }
    why = found;
  }
  const functions = await import('@deadheat/harness/assert');
  const judged = await functions.compareFunctions([a, b], {
    by,
    budget: budgetNs('one-process') / 1e6,
    timeOption: 'maxTime',
  });
  const { estimate, low, high, blocks, metric } = judged.ratio;
  const result: FunctionComparison = {
    verdict: judged.outcome,
    interval: { estimate, low, high },
    metric: metric === 'cpu' ? 'cpu' : 'time',
    method: 'one-process',
    blocks,
    sentence: why === null ? judged.sentence : `${judged.sentence}; not in two processes: ${why}`,
  };
  if (typeof call !== 'string') results[call.key] = result;
  return result;
}

/** The comparison of a call that two processes repeat; a text says why they cannot. */
async function inTwoProcesses(
  call: Call,
  {
    by,
    budgetNs,
    compareCommands,
  }: {
    readonly by: number;
    readonly budgetNs: number;
    readonly compareCommands: (options: CompareOptions) => Promise<{ readonly comparison: Comparison }>;
  },
): Promise<FunctionComparison | string> {
  function side(one: Repetition['side']): CompareOptions['a'] {
    const repetition: Repetition = { key: call.key, side: one, results };
    const code = `globalThis[Symbol.for('${globalKey}')] = ${JSON.stringify(repetition)}; await import(${JSON.stringify(call.module)});`;
    const argv = [process.execPath, ...process.execArgv, '--input-type=module', '--eval', code];
    return { command: argv.map(quoteWord).join(' '), name: one };
  }
  const output = makeTemporaryFolder('functions');
  try {
    const { comparison } = await compareCommands({
      a: side('a'),
      b: side('b'),
      workload: 'harness',
      iterations,
      margin: by,
      maxTime: `${Math.round(budgetNs / 1e6)}ms`,
      minRuns: 5,
      confidence: '95%',
      output: join(output, 'recording'),
    });
    const { verdict, interval, metric, runs } = comparison;
    const { estimate, low, high } = interval;
    return {
      verdict,
      interval: { estimate, low: low ?? 0, high: high ?? Infinity },
      metric: metric === 'cpu' ? 'cpu' : 'time',
      method: 'two-processes',
      blocks: runs,
      sentence: `${verdictSentence(comparison)} (in two processes)`,
    };
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? '';
  } finally {
    removeRegistered(output);
  }
}
