import { Bench as TinyBench, type BenchOptions, type Fn, type FnOptions, type Task } from 'tinybench';
import { adaptedIterationTimeMs, type Benchmark } from '../benchmark.ts';
import { functionWorker } from '../function-worker.ts';
import { die, refuseWholeExecution, session, takingPart } from '../session.ts';
import type { Worker } from '../work.ts';

interface Added {
  readonly fn: Fn;
  readonly options: FnOptions;
}

/** Joined here, because `runSync` cannot wait for a promise. */
const joined = takingPart() ? await session().catch(die) : null;
let unnamed = 0;

/**
 * tinybench's `Bench`. In an experiment, `run` and `runSync` execute the tasks as benchmarks of the program: iterations
 * of many invocations, a barrier before each, as many as the runner wants. tinybench then computes its results from
 * their times. A task with `beforeEach` or `afterEach` has one invocation an iteration, since tinybench calls those
 * around each.
 */
export class Bench extends TinyBench {
  readonly #added = new Map<string, Added>();
  readonly #times = new Map<string, readonly number[]>();
  readonly #params: Readonly<Record<string, string>>;
  #replayed = 0;

  constructor(options?: BenchOptions) {
    super(options);
    if (this.name === undefined) unnamed += 1;
    const label = this.name ?? (unnamed > 1 ? String(unnamed) : null);
    this.#params = label === null ? {} : { bench: label };
  }

  override add(name: string, fn: Fn, options: FnOptions = {}): this {
    if (joined === null) return super.add(name, fn, options);
    const { signal, retainSamples } = options;
    super.add(name, () => ({ overriddenDuration: this.#times.get(name)?.[this.#replayed++] ?? 0 }), {
      async: false,
      ...(signal === undefined ? {} : { signal }),
      ...(retainSamples === undefined ? {} : { retainSamples }),
    });
    this.#added.set(name, { fn, options });
    return this;
  }

  override async run(): Promise<Task[]> {
    if (joined === null) {
      await session();
      return super.run();
    }
    try {
      for (const { benchmark, worker } of this.#due()) {
        this.#keep(benchmark, (await joined.execute(benchmark, worker)).times);
      }
    } catch (error) {
      die(error);
    }
    return this.#replaying(() => super.run());
  }

  override runSync(): Task[] {
    if (joined === null) {
      refuseWholeExecution();
      return super.runSync();
    }
    try {
      for (const { benchmark, worker } of this.#due()) {
        this.#keep(benchmark, joined.executeSync(benchmark, worker).times);
      }
    } catch (error) {
      die(error);
    }
    return this.#replaying(() => super.runSync());
  }

  /** Tasks that have not been executed yet, as benchmarks. */
  *#due(): Generator<{ readonly benchmark: Benchmark; readonly worker: Worker }> {
    for (const task of this.tasks) {
      const added = this.#added.get(task.name);
      if (added === undefined || task.result.state !== 'not-started') continue;
      const { beforeAll, afterAll, beforeEach, afterEach } = added.options;
      const single = beforeEach !== undefined || afterEach !== undefined;
      const benchmark: Benchmark = {
        name: task.name,
        params: {},
        paramTexts: this.#params,
        fn: added.fn,
        options: {
          setup: () => both(this.setup(task, 'run'), () => beforeAll?.call(task, 'run')),
          teardown: () => both(afterAll?.call(task, 'run'), () => this.teardown(task, 'run')),
          ...(beforeEach === undefined ? {} : { beforeEach: () => beforeEach.call(task, 'run') }),
          ...(afterEach === undefined ? {} : { afterEach: () => afterEach.call(task, 'run') }),
          ...(single ? { invocations: 1 } : { iterationTime: adaptedIterationTimeMs }),
        },
      };
      yield { benchmark, worker: functionWorker(added.fn.bind(task), '') };
    }
  }

  #keep({ name }: Benchmark, timesNs: readonly number[]): void {
    this.#times.set(
      name,
      timesNs.map((time) => time / 1e6),
    );
  }

  /** Lets tinybench run once more with the measured times: each task returns them, and no hook is called again. */
  #replaying<T>(run: () => T): T {
    const { time, iterations, warmup, concurrency, setup, teardown } = this;
    const restore = (): unknown => Object.assign(this, { time, iterations, warmup, concurrency, setup, teardown });
    const begin = (task: Task): void => {
      this.#replayed = 0;
      Object.assign(this, { iterations: this.#times.get(task.name)?.length ?? 0 });
    };
    Object.assign(this, { time: 0, warmup: false, concurrency: null, setup: begin, teardown: () => undefined });
    const result = run();
    if (result instanceof Promise) return result.finally(restore) as T;
    restore();
    return result;
  }
}

/** One after the other; a promise when one of them is. */
function both(first: unknown, second: () => unknown): unknown {
  return first instanceof Promise ? first.then(second) : second();
}
