import { compileAsyncLoop, compileLoop } from './compile-loop.ts';
import { isPromise } from './is-promise.ts';
import type { Worker } from './work.ts';

/**
 * Does the work of a function, asynchronously when what its first call returned was a promise.
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
