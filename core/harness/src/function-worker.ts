import { isPromise, type Worker } from './work.ts';

/** Calls `fn` `invocations` times and writes the time before and after into `times`. */
type Loop = (
  times: BigUint64Array,
  invocations: number,
  fn: (...args: never[]) => unknown,
  state: unknown,
  params: unknown,
) => void;

/** The asynchronous form of {@link Loop}; each promise is awaited before the next call. */
type AsyncLoop = (...args: Parameters<Loop>) => Promise<void>;

const unrolled = 4;
let compiled = 0;

/**
 * Makes a loop for one benchmark alone: calls of different functions from the same place in the code would be compiled
 * into calls of any function, which cannot be inlined. The text differs every time because equal texts are compiled
 * once.
 *
 * The clock's readings go straight into an array of 64-bit integers, so that optimised code makes no BigInt of them.
 *
 * @param passed text of the arguments, made of `state`, `params` and `at`, the number of the invocation from 0
 */
export function compileLoop(passed: string): Loop {
  return compile('', `fn(${passed}); at++;`) as Loop;
}

/** See {@link compileLoop}. */
export function compileAsyncLoop(passed: string): AsyncLoop {
  return compile('async', `await fn(${passed}); at++;`) as AsyncLoop;
}

function compile(kind: string, call: string): unknown {
  compiled += 1;
  const source = `'use strict';
    return ${kind} function iteration${compiled}(times, invocations, fn, state, params) {
      const blocks = (invocations / ${unrolled}) | 0;
      const rest = invocations % ${unrolled};
      let at = 0;
      times[0] = now();
      for (let i = 0; i < blocks; i++) { ${call.repeat(unrolled)} }
      for (let i = 0; i < rest; i++) { ${call} }
      times[1] = now();
    };`;
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval
  const make = new Function('now', source) as (now: () => bigint) => unknown;
  // `process.hrtime.bigint` uses no `this`, and a function around it would be in the timed path.
  // oxlint-disable-next-line typescript/unbound-method
  return make(process.hrtime.bigint);
}

/**
 * Makes a worker that calls a function. It works asynchronously when the first call returned a promise.
 *
 * @param passed see `compileLoop`
 */
export function functionWorker(fn: (...args: never[]) => unknown, passed = 'state, params'): Worker {
  let perform: Worker = ({ state, params }) => {
    // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval
    const call = new Function('fn', 'state', 'params', 'at', `return fn(${passed});`) as (
      ...args: unknown[]
    ) => unknown;
    const result = call(fn, state, params, 0);
    if (isPromise(result)) {
      const loop = compileAsyncLoop(passed);
      perform = ({ times, invocations, state, params }) => loop(times, invocations, fn, state, params);
      return result;
    }
    const loop = compileLoop(passed);
    perform = ({ times, invocations, state, params }) => {
      loop(times, invocations, fn, state, params);
      return undefined;
    };
    return undefined;
  };
  return (work) => perform(work);
}
