import { HarnessError } from '../harness-error.ts';
import { isPromise } from '../is-promise.ts';
import type { Outcome } from '../execute.ts';
import type { Step, Work } from '../work.ts';

const more = { done: false, value: undefined } as const;
const end = { done: true, value: undefined } as const;

/**
 * What a benchmark of mitata iterates over: `for (const _ of state) work()`. Here the function drives the execution, each
 * turn of its loop being one invocation.
 */
export class IteratedState {
  readonly #execution: Generator<Step, Outcome, unknown>;
  readonly #args: Readonly<Record<string, unknown>>;
  #left = 0;
  #work: Work | null = null;
  #outcome: Outcome | null = null;

  constructor(execution: Generator<Step, Outcome, unknown>, args: Readonly<Record<string, unknown>>) {
    this.#execution = execution;
    this.#args = args;
  }

  /** @throws HarnessError `BAD_BENCHMARK` when the function has left its loop before the end */
  get outcome(): Outcome {
    if (this.#outcome !== null) return this.#outcome;
    throw new HarnessError('BAD_BENCHMARK', 'a benchmark of mitata that takes a state must iterate over it to the end');
  }

  get(name: string): unknown {
    return this.#args[name];
  }

  [Symbol.iterator](): Iterator<undefined> {
    return { next: () => (--this.#left > 0 ? more : this.#turn()) };
  }

  [Symbol.asyncIterator](): AsyncIterator<undefined> {
    return { next: () => Promise.resolve(--this.#left > 0 ? more : this.#turn()) };
  }

  /** Ends the work of an iteration and begins that of the next. */
  #turn(): IteratorResult<undefined, undefined> {
    if (this.#work !== null) this.#work.times[1] = process.hrtime.bigint();
    const next = this.#execution.next();
    if (next.done === true) {
      this.#outcome = next.value;
      return end;
    }
    if (isPromise(next.value)) throw new HarnessError('NOT_SYNCHRONOUS', 'a promise where none is expected');
    this.#work = next.value;
    this.#left = next.value.invocations;
    next.value.times[0] = process.hrtime.bigint();
    return more;
  }
}
