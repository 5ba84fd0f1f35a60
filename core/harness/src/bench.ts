import type { AnyBenchOptions, Benchmark, BenchOptions, Chosen, Measured, ParameterLists } from './benchmark.ts';
import { createBenchmarks } from './create-benchmarks.ts';
import type { Outcome } from './execute.ts';
import { die, environment, session, takingPart } from './session.ts';
import { TablePrinter } from './table-printer.ts';

const sink: unknown[] = [undefined];

/**
 * Keeps a value, so that the compiler cannot leave out what computes it.
 *
 * @returns the value
 */
export function keep<T>(value: T): T {
  // An element of an array: a store to a variable would be left out where another one follows at once.
  sink[0] = value;
  return value;
}

const waiting: Benchmark[] = [];
let running: Promise<readonly Outcome[]> | null = null;
let willStart = false;

/**
 * The options leave this open: TypeScript looks at the function before them, and `setup` comes after it. A parameter with a type of its
 * own is checked against them.
 */
// oxlint-disable-next-line typescript/no-explicit-any
type Untyped = any;
type UnknownLists = Readonly<Record<string, readonly Untyped[]>>;

/**
 * Registers a benchmark; with `params`, one benchmark for each combination of values. Benchmarks begin, in order, when
 * the program has nothing else left to do, or when it calls {@link run}.
 *
 * @param name unique together with the parameters
 * @param fn what is measured; gets what `setup` returned and the parameters. Each promise that it returns is awaited
 * @throws HarnessError `BAD_BENCHMARK`
 */
export function bench<const Lists extends ParameterLists = UnknownLists, State = Untyped>(
  name: string,
  fn: Measured<State, Chosen<Lists>>,
  options: BenchOptions<Lists, State> = {},
): void {
  waiting.push(...createBenchmarks(name, fn as Measured<unknown, unknown>, options as AnyBenchOptions));
  if (willStart) return;
  willStart = true;
  process.on('beforeExit', () => {
    if (waiting.length > 0) run().catch(die);
  });
}

/**
 * Executes the registered benchmarks, also those that are registered while it runs. It is only needed in programs that
 * continue afterwards or that a server or a timer keeps alive; otherwise benchmarks begin by themselves.
 *
 * @returns the outcome of each benchmark, in order
 * @throws HarnessError, SyncError when a benchmark failed or the other side is lost; the exit status is 1 then
 */
export function run(): Promise<readonly Outcome[]> {
  running ??= executeAll().finally(() => {
    running = null;
  });
  return running;
}

async function executeAll(): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  try {
    const part = await session();
    const alone = !takingPart() || environment().side === null;
    const table = alone ? new TablePrinter(process.stdout, waiting) : null;
    for (let benchmark = waiting.shift(); benchmark !== undefined; benchmark = waiting.shift()) {
      const outcome = await part.execute(benchmark);
      table?.print(outcome);
      outcomes.push(outcome);
    }
  } catch (error) {
    process.exitCode = 1;
    waiting.length = 0;
    throw error;
  }
  return outcomes;
}
