import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HarnessError } from './harness-error.ts';
import type { Benchmark, Hook } from './benchmark.ts';
import { isPromise, type Step, type Work } from './work.ts';
import { stop, warmup, type DelayMeter, type Part } from './part.ts';

/**
 * A full garbage collection, whether or not Node was started with `--expose-gc`: a context made after the flag was set
 * has the function.
 *
 * @throws HarnessError `NO_GARBAGE_COLLECTION` where this Node has no such function
 */
function garbageCollector(): () => void {
  const { gc } = globalThis;
  if (gc !== undefined) return () => gc();
  setFlagsFromString('--expose-gc');
  const exposed: unknown = runInNewContext('globalThis.gc');
  if (typeof exposed !== 'function') {
    throw new HarnessError('NO_GARBAGE_COLLECTION', 'the option gc needs a Node with --expose-gc; leave it out here');
  }
  return () => {
    exposed();
  };
}

const defaultIterationTimeMs = 50;
const defaultIterations = 20;
const defaultWarmup = 5;
/** Number of times in an iteration that a side that fills checks whether the other side has finished. */
const looksWhileFilling = 100;

/** Result of one benchmark. */
export interface Outcome {
  readonly benchmark: Benchmark;
  /** Invocations an iteration. */
  readonly invocations: number;
  /** Time of an invocation in each measured iteration, ns. */
  readonly times: readonly number[];
  /** Iterations before those. */
  readonly warmup: number;
}

/**
 * Executes a benchmark: setup, a first call that shows whether the function is asynchronous, calibration, iterations,
 * teardown. Work and promises are handed to the driver of the generator; between two of them everything is synchronous,
 * so that a synchronous function never waits for the event loop.
 */
export function* execute(benchmark: Benchmark, part: Part): Generator<Step, Outcome, unknown> {
  const { options, params } = benchmark;
  const collectGarbage = options.gc === true ? garbageCollector() : null;
  const state = options.setup === undefined ? undefined : yield* awaited(options.setup(params));
  try {
    const work: Work = { invocations: 1, state, params, times: new BigUint64Array(2) };
    yield* surrounded(benchmark, work);
    work.invocations = yield* invocationsFor(benchmark, work, part);
    const fill: Work = { ...work, times: new BigUint64Array(2) };
    fill.invocations = Math.max(1, Math.floor(work.invocations / looksWhileFilling));
    const { total, warmupIterations } = iterationsFor(benchmark, part);
    const times: number[] = [];
    let warmedUp = 0;
    part.begin(benchmark);
    for (let index = 0; index < total; index++) {
      yield* hook(options.beforeEach, work);
      collectGarbage?.();
      part.trade(index);
      const decision = part.arrive();
      if (decision === stop) {
        yield* hook(options.afterEach, work);
        break;
      }
      part.startMeter();
      yield work;
      part.stopMeter();
      const isWarmup = decision === warmup || index < warmupIterations;
      const { samples } = part.environment;
      const done = { index, times: work.times, invocations: work.invocations, warmup: isWarmup };
      if (samples === undefined) part.record(done);
      if (isWarmup) warmedUp += 1;
      else times.push(elapsedNs(work) / work.invocations);
      yield* hook(options.afterEach, work);
      if (samples !== undefined) part.record({ ...done, sampled: yield* sampledTimes(benchmark, work, samples) });
      while (part.mustFill) yield* surrounded(benchmark, fill);
    }
    return { benchmark, invocations: work.invocations, times, warmup: warmedUp };
  } finally {
    if (options.teardown !== undefined) yield* awaited(options.teardown(state, params));
  }
}

/**
 * Times of invocations, ns: as many as an iteration has, done again after it in batches, each timed as a whole, so that the iteration
 * itself has no clock in it. At most `most` values; at least two, of which the iteration's own invocation is one where it has no other.
 */
function* sampledTimes(benchmark: Benchmark, work: Work, most: number): Generator<Step, readonly number[], unknown> {
  const batch = Math.ceil(work.invocations / most);
  const sample: Work = { ...work, invocations: batch, times: new BigUint64Array(2) };
  const times = work.invocations === 1 ? [elapsedNs(work)] : [];
  for (let left = work.invocations; left >= batch; left -= batch) {
    yield* surrounded(benchmark, sample);
    times.push(Number((elapsedNs(sample) / batch).toPrecision(6)));
  }
  return times;
}

function iterationsFor(
  { options }: Benchmark,
  { environment, hasPage }: Part,
): { readonly total: number; readonly warmupIterations: number } {
  const warmupIterations = environment.warmup ?? options.warmup ?? (environment.side === null ? defaultWarmup : 0);
  const measured = options.iterations ?? (hasPage ? Infinity : defaultIterations);
  return { total: environment.iterations ?? measured + warmupIterations, warmupIterations };
}

function* invocationsFor(benchmark: Benchmark, work: Work, part: Part): Generator<Step, number, unknown> {
  const { options } = benchmark;
  const { invocations, iterationTime = defaultIterationTimeMs, leastInvocations = 1, mostInvocations } = options;
  if (invocations !== undefined) return invocations;
  const agreed = part.agreed?.read(part.nextNumber, benchmark) ?? null;
  if (agreed !== null) return agreed;
  // What is prepared for the calls of a round may grow with their number.
  const leastRoundNs = options.beforeEach === undefined ? warmNs : 0;
  const calibration = new Calibration(iterationTime * 1e6, { leastRoundNs, mostInvocations });
  while (calibration.result === null) {
    work.invocations = calibration.next;
    const startNs = process.hrtime.bigint();
    yield* surrounded(benchmark, work, part.delay);
    const delayNs = part.delay.delayNs ?? 0;
    const timedNs = Math.max(0, elapsedNs(work) - delayNs);
    calibration.observe(timedNs, Math.max(timedNs, Number(process.hrtime.bigint() - startNs) - delayNs));
  }
  const enough = Math.max(calibration.result, leastInvocations);
  return part.agreed?.publish(part.nextNumber, benchmark, enough) ?? enough;
}

/** Work that is not recorded, with its hooks; the meter is of the work alone. */
function* surrounded({ options }: Benchmark, work: Work, delay?: DelayMeter): Generator<Step, void, unknown> {
  yield* hook(options.beforeEach, work);
  delay?.start();
  yield work;
  delay?.stop();
  yield* hook(options.afterEach, work);
}

function* hook(
  call: Hook<unknown, unknown> | undefined,
  { state, params, invocations }: Work,
): Generator<Step, void, unknown> {
  if (call !== undefined) yield* awaited(call(state, params, invocations));
}

function* awaited(value: unknown): Generator<Step, unknown, unknown> {
  return isPromise(value) ? yield value : value;
}

function elapsedNs({ times: [start = 0n, end = 0n] }: Work): number {
  return Number(end - start);
}

const maximumInvocations = 2 ** 31 - 1;
const largestStep = 16;
const agreement = 0.1;
const maximumRounds = 40;
/**
 * The search takes this long at least, and each of its rounds where nothing is prepared for them: a function that is called for a few ms is not compiled yet, and may take several
 * times as long as it does later.
 */
const warmNs = 100e6;

/**
 * Finds the number of invocations that takes a wanted time. The number of invocations grows geometrically, since the
 * first ones are not yet compiled. The search ends when two rounds in a row, both of at least half the wanted time and half the shortest round,
 * agree within 10 % on the time of an invocation, or one does the most, and all rounds have taken 100 ms with what was prepared for them, and then after 40 rounds in any case. A function that the compiler makes
 * faster only after that gets shorter iterations than wanted, but both sides have the same number of invocations.
 *
 * The caller executes `next` invocations and passes their time to `observe` until `result` is a number.
 */
export class Calibration {
  readonly #targetNs: number;
  readonly #roundNs: number;
  readonly #most: number;
  #next = 1;
  #result: number | null = null;
  #previousNs: number | null = null;
  #rounds = 0;
  #spentNs = 0;

  /** `targetNs`: the wanted time, above 0; `leastRoundNs`: the shortest round; `mostInvocations` of a round. */
  constructor(
    targetNs: number,
    {
      leastRoundNs = warmNs,
      mostInvocations = maximumInvocations,
    }: { readonly leastRoundNs?: number; readonly mostInvocations?: number | undefined } = {},
  ) {
    this.#targetNs = targetNs;
    this.#roundNs = Math.max(targetNs, leastRoundNs);
    this.#most = mostInvocations;
  }

  /** Invocations to do now. */
  get next(): number {
    return this.#next;
  }

  /** Invocations that take the wanted time, at least 1; `null` until that is known. */
  get result(): number | null {
    return this.#result;
  }

  /**
   * @param elapsedNs time that the `next` invocations took, without that for which they waited for a core, since iterations on a busy machine would else be a tenth as long as
   *   wanted; 0 where the clock has not moved
   * @param spentNs time of the round with what was prepared for it
   */
  observe(elapsedNs: number, spentNs: number = elapsedNs): void {
    this.#rounds += 1;
    this.#spentNs += spentNs;
    const perInvocation = elapsedNs / this.#next;
    const wanted = this.#clamp(Math.round(this.#roundNs / perInvocation));
    const longEnough = elapsedNs >= this.#roundNs / 2;
    const previous = this.#previousNs;
    const agrees = previous !== null && Math.abs(perInvocation - previous) <= agreement * previous;
    const isLargest = this.#next >= this.#most;
    const hasEnded = this.#rounds >= maximumRounds;
    const isFound = (longEnough && agrees) || hasEnded || isLargest;
    if ((isFound && this.#spentNs >= warmNs) || (isLargest && hasEnded) || this.#next >= maximumInvocations) {
      this.#result = this.#clamp(Math.round(this.#targetNs / perInvocation));
      return;
    }
    this.#previousNs = longEnough ? perInvocation : null;
    this.#next = longEnough ? wanted : Math.min(wanted, this.#clamp(this.#next * largestStep));
  }

  #clamp(invocations: number): number {
    return Math.min(Math.max(invocations, 1), this.#most);
  }
}
