import { HarnessError } from './harness-error.ts';
import type { Benchmark } from './benchmark.ts';
import { drive, driveSync, type Step, type Worker } from './work.ts';
import { execute, type Outcome } from './execute.ts';
import { functionWorker } from './function-worker.ts';
import { Part } from './part.ts';
import { readEnvironment, type Environment } from './read-environment.ts';

/**
 * An error that a function, a hook or a setup threw, with the benchmark's name; errors of deadheat are returned as they
 * are.
 */
function withBenchmark(error: unknown, { name, paramTexts }: Benchmark): unknown {
  if (isOurs(error)) return error;
  const params = Object.entries(paramTexts).map(([key, value]) => `, ${key}=${value}`);
  const message = `benchmark '${name}'${params.join('')} failed: ${error instanceof Error ? error.message : String(error)}`;
  return new HarnessError('BENCHMARK_FAILED', message, { cause: error });
}

/** Text that is printed for an error: errors of a benchmark with their stack, errors of deadheat without. */
function explain(error: unknown): string {
  if (!isOurs(error)) return `deadheat: ${stackOf(error)}\n`;
  const { message, cause } = error;
  const stack = error instanceof HarnessError && error.code === 'BENCHMARK_FAILED' ? `\n${stackOf(cause)}` : '';
  return `deadheat: ${message}${stack}\n`;
}

/** Errors of `@deadheat/sync` are known by their name: the package may be absent. */
function isOurs(error: unknown): error is Error {
  return error instanceof HarnessError || (error instanceof Error && error.name === 'SyncError');
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * The session of a program of benchmarks: its connection to the experiment, and the benchmarks that were executed so
 * far.
 */
export class Session {
  readonly #part: Part;
  readonly #executed = new Set<string>();

  constructor(part: Part) {
    this.#part = part;
    process.once('exit', (status) => {
      part.close(status === 0 ? 'finished' : 'failed');
    });
  }

  /**
   * Executes a benchmark and waits for it.
   *
   * @throws HarnessError, SyncError; the runner then knows that the side failed, and the process's exit status
   *   is 1
   */
  async execute(benchmark: Benchmark, worker: Worker = functionWorker(benchmark.fn)): Promise<Outcome> {
    try {
      return await drive(this.start(benchmark), worker);
    } catch (error) {
      throw this.fail(error, benchmark);
    }
  }

  /** The synchronous form of {@link execute}; throws `NOT_SYNCHRONOUS` when there is a promise. */
  executeSync(benchmark: Benchmark, worker: Worker = functionWorker(benchmark.fn)): Outcome {
    try {
      return driveSync(this.start(benchmark), worker);
    } catch (error) {
      throw this.fail(error, benchmark);
    }
  }

  /**
   * The steps of a benchmark, to be driven by the caller; call {@link fail} when they fail.
   *
   * @throws HarnessError `DUPLICATE_BENCHMARK`
   */
  start(benchmark: Benchmark): Generator<Step, Outcome, unknown> {
    const key = JSON.stringify([benchmark.name, benchmark.paramTexts]);
    if (this.#executed.has(key)) {
      throw new HarnessError(
        'DUPLICATE_BENCHMARK',
        `there are two benchmarks '${benchmark.name}' with the same parameters; give one of them another name`,
      );
    }
    this.#executed.add(key);
    return execute(benchmark, this.#part);
  }

  /** Reports to the runner that this side has failed; gives the error, with the benchmark's name. */
  fail(error: unknown, benchmark: Benchmark): unknown {
    this.#part.close('failed');
    process.exitCode = 1;
    return withBenchmark(error, benchmark);
  }
}

/** The environment of this process, read once. */
export const environment: () => Environment = once(() => readEnvironment(process.env));

/** True if this process is to take part in an experiment; an invalid environment is reported later. */
export function takingPart(): boolean {
  const { DEADHEAT_PAGE: page = '', DEADHEAT_RECORD: record = '' } = process.env;
  return page !== '' || record !== '';
}

/**
 * Ends a program of benchmarks of which an experiment measures the whole execution: how long that takes is how long the benchmarks are
 * asked to take, however fast their functions are. Outside an experiment nothing happens.
 */
export function refuseWholeExecution(): void {
  if (takingPart() || process.env['DEADHEAT_WORKLOAD'] !== 'command') return;
  die(
    new HarnessError(
      'MEASURED_AS_A_WHOLE',
      'this program has benchmarks of its own, which take as long as they are asked to, so that the time of the whole program hides every ' +
        'slowdown; add --harness (workload: harness in deadheat.yaml), and each of them is compared',
    ),
  );
}

/** The one session of this process. */
export const session: () => Promise<Session> = once(async () => {
  refuseWholeExecution();
  return new Session(await Part.join(environment()));
});

/** Says on standard error what went wrong and ends the process with status 1. */
export function die(error: unknown): never {
  process.stderr.write(explain(error));
  process.exit(1);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
