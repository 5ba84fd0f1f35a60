import { HarnessError } from './harness-error.ts';
import { isPromise } from './is-promise.ts';
import type { Step, Worker } from './work.ts';

/** Carries out the steps of an execution; whatever fails is thrown into it, so that it can end cleanly. */
export async function drive<T>(execution: Generator<Step, T, unknown>, worker: Worker): Promise<T> {
  let next = execution.next();
  while (next.done !== true) {
    try {
      const pending = isPromise(next.value) ? next.value : worker(next.value);
      const result = pending === undefined ? undefined : await pending;
      next = execution.next(result);
    } catch (error) {
      next = execution.throw(error);
    }
  }
  return next.value;
}

/**
 * As {@link drive}, without ever waiting for the event loop.
 *
 * @throws HarnessError `NOT_SYNCHRONOUS` when there is a promise
 */
export function driveSync<T>(execution: Generator<Step, T, unknown>, worker: Worker): T {
  let next = execution.next();
  while (next.done !== true) {
    try {
      const pending = isPromise(next.value) ? next.value : worker(next.value);
      if (pending !== undefined) {
        throw new HarnessError('NOT_SYNCHRONOUS', 'a promise, where everything must be synchronous');
      }
      next = execution.next();
    } catch (error) {
      next = execution.throw(error);
    }
  }
  return next.value;
}
