import { randomInt } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import { createRandom, mean, quantile, shuffle, signedRankShift } from '@deadheat/stats';
import { drive, isPromise, type Step, type Work, type Worker } from '../work.ts';

/** A function that is measured beside others. */
export interface Contestant {
  readonly worker: Worker;
  /** Called around each slot, outside the timed part; a promise is awaited. A slot is then one invocation. */
  readonly beforeEach?: (() => unknown) | undefined;
  readonly afterEach?: (() => unknown) | undefined;
}

/** Times of functions that were measured in one process, in blocks of a drawn order and its reverse. */
export interface MeasuredTogether {
  /** Invocations in a slot, a function each. */
  readonly invocations: readonly number[];
  /** Slots of each function, two a block. */
  readonly slots: readonly (readonly Slot[])[];
}

/** Times of an invocation in a slot, ns. */
export interface Slot {
  readonly wall: number;
  /** Of the process, in a worker of the thread; NaN where Node does not say. */
  readonly cpu: number;
}

/** A ratio of times of two functions with its interval. */
export interface Ratio {
  readonly estimate: number;
  /** Ends of the interval: 0 and Infinity where there are too few blocks, NaN where there is none. */
  readonly low: number;
  readonly high: number;
  readonly blocks: number;
  /** The times that were compared. */
  readonly metric: keyof Slot;
}

/** Intended duration of a slot: long against the clock's resolution, short against a time slice of the scheduler. */
const slotNs = 1e6;
/** Share of the time, and rounds at least, before anything counts, for the compiler. */
const warmupShare = 0.2;
const warmupRounds = 2;
/** What is not compiled yet, and a clock's resolution, say little: slots grow at most so many times from round to round. */
const largestStep = 16;

interface Runner extends Contestant {
  readonly work: Work;
  readonly slots: Slot[];
  /**
   * Time of an invocation in the fastest slot of the warm-up, ns, by which slots are filled: in another a preemption would leave one of two equal
   * functions fewer invocations, and so more of what a slot costs.
   */
  fastest: number;
}

function isRepeatable({ beforeEach, afterEach }: Contestant): boolean {
  return beforeEach === undefined && afterEach === undefined;
}

/** In Node from 23.9 on. */
const { threadCpuUsage } = process as { readonly threadCpuUsage?: typeof process.cpuUsage };

/** Where times are read, ns. */
export interface Clock {
  readonly wall: () => bigint;
  /** NaN where it is not known. */
  readonly cpu: () => number;
}

const processClock: Clock = {
  wall: () => process.hrtime.bigint(),
  cpu: () => {
    const usage = isMainThread ? process.cpuUsage() : threadCpuUsage?.call(process);
    return usage === undefined ? Number.NaN : (usage.user + usage.system) * 1e3;
  },
};

/**
 * Measures functions in one process: in each block once in a drawn order and once in its reverse, so that what changes steadily
 * touches all alike.
 *
 * @param options.budgetMs time for all of it, ms > 0; the call, block or warm-up in flight at its end is completed.
 * @param options.leastBlocks blocks that are measured even beyond it, 0 or more.
 * @param options.enough asked after each block with the share of the budget that is used; `true` ends the measurement early.
 */
function* together(
  runners: readonly Runner[],
  { budgetMs, leastBlocks = 0, enough = () => false, clock = processClock }: TogetherOptions,
): Generator<Step, MeasuredTogether, unknown> {
  const random = createRandom(randomInt(2 ** 47));
  const start = clock.wall();

  function used(): number {
    return Number(clock.wall() - start) / (budgetMs * 1e6);
  }

  function* slot({ work, beforeEach, afterEach }: Runner): Generator<Step, Slot, unknown> {
    yield* awaited(beforeEach?.());
    const before = clock.cpu();
    yield work;
    const cpu = clock.cpu() - before;
    yield* awaited(afterEach?.());
    const [from = 0n, to = 0n] = work.times;
    return { wall: Math.max(1, Number(to - from)) / work.invocations, cpu: cpu / work.invocations };
  }

  function* block(keep: boolean): Generator<Step, void, unknown> {
    const order = shuffle(runners, random);
    for (const runner of [...order, ...order.toReversed()]) {
      const time = yield* slot(runner);
      if (keep) runner.slots.push(time);
      else runner.fastest = Math.min(runner.fastest, time.wall);
    }
  }

  // The first calls show which functions are asynchronous; they have no times.
  for (const runner of runners) yield* slot(runner);
  for (let round = 0; round < warmupRounds || used() < warmupShare; round++) {
    yield* block(false);
    for (const { work, fastest } of runners.filter(isRepeatable))
      work.invocations = Math.min(Math.ceil(slotNs / fastest), largestStep * work.invocations);
  }
  const measured = {
    invocations: runners.map(({ work }) => work.invocations),
    slots: runners.map(({ slots }) => slots),
  };
  for (let blocks = 0; blocks < leastBlocks || used() < 1; blocks++) {
    yield* block(true);
    if (enough(measured, used())) break;
  }
  return measured;
}

interface TogetherOptions {
  readonly clock?: Clock | undefined;
  readonly budgetMs: number;
  readonly leastBlocks?: number;
  readonly enough?: (measured: MeasuredTogether, used: number) => boolean;
}

function* awaited(value: unknown): Generator<Step, void, unknown> {
  if (isPromise(value)) yield value;
}

/** As {@link together}; a promise only where one of the functions or hooks gives one. */
export function measureTogether(
  contestants: readonly Contestant[],
  options: TogetherOptions,
): MeasuredTogether | Promise<MeasuredTogether> {
  const runners: Runner[] = contestants.map((one) => ({
    ...one,
    work: { invocations: 1, state: undefined, params: undefined, times: new BigUint64Array(2) },
    slots: [],
    fastest: Infinity,
  }));
  const workers = new Map(runners.map(({ work, worker }) => [work, worker]));
  const execution = together(runners, options);

  function perform(work: Work): ReturnType<Worker> {
    return workers.get(work)?.(work);
  }

  for (;;) {
    const next = execution.next();
    if (next.done === true) return next.value;
    const pending = isPromise(next.value) ? next.value : perform(next.value);
    if (pending !== undefined) return Promise.resolve(pending).then(() => drive(execution, perform));
  }
}

/** A function whose CPU time is less than this share of the wall time even in its best tenth of slots waits for something. */
const workingShare = 0.9;

/**
 * The ratio of the times of function `i` to those of function `j`: the centre of the blocks' log ratios by the signed-rank test. CPU time is
 * compared, which other work on the machine leaves alone, unless one of the two waits; then it is wall time.
 *
 * @param level of the interval, in (0, 1).
 */
export function ratioOf({ slots }: MeasuredTogether, [i, j]: readonly [number, number], level: number): Ratio {
  const both = [slots[i] ?? [], slots[j] ?? []];
  const metric = both.every(works) ? 'cpu' : 'wall';
  const [one = [], other = []] = both.map((all) => all.map((slot) => Math.log(slot[metric])));
  const blocks = Math.floor(one.length / 2);
  if (blocks === 0) return { estimate: Number.NaN, low: 0, high: Infinity, blocks, metric };
  const ratios = one.map((log, k) => log - (other[k] ?? Number.NaN));
  const logs = Array.from({ length: blocks }, (_, k) => mean(ratios.slice(2 * k, 2 * k + 2)));
  const shift = signedRankShift(logs);
  const { low, high } = shift.interval(level);
  return { estimate: Math.exp(shift.estimate), low: Math.exp(low), high: Math.exp(high), blocks, metric };
}

function works(slots: readonly Slot[]): boolean {
  return (
    slots.length > 0 &&
    slots.every(({ cpu }) => cpu > 0) &&
    quantile(
      slots.map(({ cpu, wall }) => cpu / wall),
      0.9,
    ) >= workingShare
  );
}
