import { HarnessError } from './harness-error.ts';

/**
 * A number of invocations to execute without interruption, and their start and end. One object is used for all
 * iterations.
 */
export interface Work {
  invocations: number;
  readonly state: unknown;
  readonly params: unknown;
  /** Start and end, ns of CLOCK_MONOTONIC; filled in by the worker. */
  readonly times: BigUint64Array;
}

/** A request of a benchmark's execution to its driver: to do work or to await a promise. */
export type Step = Work | PromiseLike<unknown>;

/** Executes work; returns a promise when the function is asynchronous. */
export type Worker = (work: Work) => PromiseLike<unknown> | undefined;

/** True if a value is to be awaited. */
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
 * The form of {@link drive} that works without ever waiting for the event loop.
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
