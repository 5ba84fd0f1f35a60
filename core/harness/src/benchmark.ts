/** Values of parameters to choose from, by name. */
export type ParameterLists = Readonly<Record<string, readonly unknown[]>>;

/** One value of each parameter. */
export type Chosen<Lists extends ParameterLists> = { readonly [Name in keyof Lists]: Lists[Name][number] };

/** A function that is measured; what it promises is awaited before the next invocation. */
export type Measured<State, Params> = (state: State, params: Params) => unknown;

/**
 * A function that is called before or after an iteration, outside the timed part, with the number of invocations of the
 * iteration. Promises are awaited.
 */
export type Hook<State, Params> = (state: State, params: Params, invocations: number) => unknown;

export interface BenchOptions<Lists extends ParameterLists = ParameterLists, State = unknown> {
  /** Each combination of the values is a benchmark of its own. */
  readonly params?: Lists;
  /** Called once before everything else of a benchmark; its result, awaited, is the first argument of the function. */
  readonly setup?: (params: Chosen<Lists>) => State | PromiseLike<State>;
  /** Called once after everything else, also when the function has failed. */
  readonly teardown?: (state: State, params: Chosen<Lists>) => unknown;
  /** Called before each iteration, those of the calibration included. */
  readonly beforeEach?: Hook<State, Chosen<Lists>>;
  /** Called after each iteration, those of the calibration included. */
  readonly afterEach?: Hook<State, Chosen<Lists>>;
  /** Intended duration of an iteration, ms; the number of invocations is calibrated for it. Without it 50. */
  readonly iterationTime?: number;
  /** Invocations an iteration, instead of a calibrated number. */
  readonly invocations?: number;
  /** Iterations to measure, where the runner does not say how many; without it 20. */
  readonly iterations?: number;
  /** Iterations before those, marked as warm-up, where the runner does not say how many; without it 5 alone, 0 in a duet. */
  readonly warmup?: number;
  /** `true`: a full garbage collection before each iteration (ICPE'20, section 5). */
  readonly gc?: boolean;
}

/** Intended duration of an iteration of files of other harnesses, ms: they hold several benchmarks, and more processes say more than longer ones. */
export const adaptedIterationTimeMs = 10;

/** A function with one combination of parameters, ready to be executed. */
export interface Benchmark {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The parameters as the record has them. */
  readonly paramTexts: Readonly<Record<string, string>>;
  readonly fn: Measured<unknown, unknown>;
  readonly options: AnyBenchOptions;
}

/** Options as the executor sees them: without the types of state and parameters. */
export type AnyBenchOptions = Omit<BenchOptions, 'params' | 'setup' | 'teardown' | 'beforeEach' | 'afterEach'> & {
  readonly setup?: ((params: unknown) => unknown) | undefined;
  readonly teardown?: ((state: unknown, params: unknown) => unknown) | undefined;
  readonly beforeEach?: Hook<unknown, unknown> | undefined;
  readonly afterEach?: Hook<unknown, unknown> | undefined;
  /** Invocations an iteration at least, where their number is calibrated. */
  readonly leastInvocations?: number;
  /** At most, where what is prepared for an iteration grows with them. */
  readonly mostInvocations?: number;
};
