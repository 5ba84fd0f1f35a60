import { HarnessError } from './harness-error.ts';

/** Invocations to be done in one go, and between what times they were done. One object is used again and again. */
export interface Work {
  invocations: number;
  readonly state: unknown;
  readonly params: unknown;
  /** Start and end, ns of CLOCK_MONOTONIC; filled in by whoever does the work. */
  readonly times: BigUint64Array;
}

/** What the execution of a benchmark asks of whoever drives it: to do work or to await something. */
export type Step = Work | PromiseLike<unknown>;

/** Does work; a promise when the function is asynchronous. */
export type Worker = (work: Work) => PromiseLike<unknown> | undefined;

/** Whether a value is to be awaited. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
  );
}

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
