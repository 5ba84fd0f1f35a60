import { HarnessError } from '../harness-error.ts';
import { isPromise, type Step, type Work, type Worker } from '../work.ts';
import type { Outcome } from '../execute.ts';
import type { AnyBenchOptions } from '../benchmark.ts';
import { functionWorker } from '../function-worker.ts';

const more = { done: false, value: undefined } as const;
const end = { done: true, value: undefined } as const;

/**
 * The state that a benchmark of mitata iterates over: `for (const _ of state) work()`. Here the function drives the execution, each
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

  /** @throws HarnessError `BAD_BENCHMARK` when the function left its loop too early */
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

type Make = (context: { get(name: string): unknown }) => Iterator<unknown> | AsyncIterator<unknown>;

/** Values are made anew for each invocation, all of them before the iteration: it must not need too many, of 8 bytes and more. */
const iterationTimeWithValuesMs = 5;
const mostValues = 2 ** 20;

/**
 * A benchmark that a generator yields: what it does before the yield is the setup, what it does afterwards the teardown.
 * `{ [0]() { … }, bench(value) { … } }` computes the function's arguments.
 */
export function yieldedBenchmark(
  make: Make,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly options: AnyBenchOptions; readonly worker: Worker }> {
  return begin(make({ get: (name) => args[name] }));
}

async function begin(
  generator: Iterator<unknown> | AsyncIterator<unknown>,
): Promise<{ readonly options: AnyBenchOptions; readonly worker: Worker }> {
  const { value, done } = await generator.next();

  async function finish(): Promise<void> {
    if ((await generator.next()).done !== true) bad('the generator yields twice');
  }

  if (done === true) bad('the generator yields nothing');
  if (typeof value === 'function' && value.length === 0) {
    return { options: { teardown: finish }, worker: functionWorker(value as () => unknown, '') };
  }
  const { bench, manual, concurrency = 1 } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (manual !== undefined) bad('it measures time by itself (manual)');
  if (concurrency !== 1) bad(`it has a concurrency of ${String(concurrency)}`);
  if (typeof bench !== 'function') bad('the generator yields no function to measure');
  const makers = Array.from({ length: bench.length }, (_, k) => (value as Readonly<Record<number, unknown>>)[k]);
  const values: unknown[][] = makers.map(() => []);
  const options: AnyBenchOptions = {
    iterationTime: iterationTimeWithValuesMs,
    mostInvocations: mostValues,
    setup: () => values,
    teardown: finish,
    beforeEach: async (_state, _params, invocations) => {
      for (const [k, maker] of makers.entries()) {
        if (typeof maker !== 'function') bad(`the argument [${k}] has no function that makes it`);
        const made: unknown[] = [];
        for (let i = 0; i < invocations; i++) {
          const value = (maker as () => unknown)();
          made.push(isPromise(value) ? await value : value);
        }
        values[k] = made;
      }
    },
  };
  const passed = makers.map((_, k) => `state[${k}][at]`).join(', ');
  return { options, worker: functionWorker(bench as () => unknown, passed) };
}

function bad(message: string): never {
  throw new HarnessError('BAD_BENCHMARK', `a benchmark of mitata cannot take part in a duet: ${message}`);
}
