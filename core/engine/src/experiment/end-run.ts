import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { sides, type BuiltInParser, type Params, type Side, type Trial } from '@deadheat/model';
import {
  decision,
  monotonicNowNs,
  packDecision,
  word,
  type Page,
  getAffinity,
  hasNativeCalls,
  setAffinity,
} from '@deadheat/sync';
import { RecordTail } from '@deadheat/recording';
import type { ApartStability } from '@deadheat/analysis';
import { OutputTail, type ParsedIteration } from '@deadheat/readers';
import type { Ending, Steering } from '../run/executor.ts';

/** Number of checks in one iteration of a file or page that grows in a run, within these bounds. */
const pollsInIteration = 4;
export const shortestIntervalMs = 5;
const longestIntervalMs = 100;

/** Time until the next check, ms, by the time of the last iteration, ns; 0 = there was none. */
export function pollIntervalMs(iterationNs: number): number {
  return Math.min(longestIntervalMs, Math.max(shortestIntervalMs, iterationNs / 1e6 / pollsInIteration));
}

/** Moves this thread to cores that no side runs on, where there are any; gives what moves it back. */
export function moveAway(cpus: Readonly<Record<Side, readonly number[]>>): () => void {
  if (!hasNativeCalls()) return () => {};
  const usable = getAffinity();
  const free = usable.filter((cpu) => !cpus.A.includes(cpu) && !cpus.B.includes(cpu));
  if (free.length === 0) return () => {};
  setAffinity(free);
  return () => setAffinity(usable);
}

/** The time that the iterations of a run may take, and the place of the run. */
export interface TimedRun {
  /** Time from the start of the first iteration, ns, > 0. */
  readonly lengthNs: number;
  /** Cores of the sides, which this thread leaves during the run where there are others; `null` = it stays where it is. */
  readonly cpus: Readonly<Record<Side, readonly number[]>> | null;
}

/** Between looks, ms. */
const lookAgainMs = 100;

/**
 * Ends each benchmark of programs that meet at a page when its time is over: at the barrier that comes next, so that both sides have
 * done the same iterations. When one begins is seen to 0.1 s.
 */
export function steerByTime({ lengthNs, cpus }: TimedRun): Steering {
  let page: Page | null = null;
  let moveBack: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Number of the benchmark that both sides do, from 1, and when that was first seen. */
  let current = { number: 0, sinceNs: 0 };

  function look(): void {
    if (page === null) return;
    const { words } = page;
    const number = Math.min(Atomics.load(words, word.benchmark(0)), Atomics.load(words, word.benchmark(1)));
    const nowNs = monotonicNowNs();
    if (number > current.number) current = { number, sinceNs: nowNs };
    else if (number > 0 && nowNs - current.sinceNs >= lengthNs) {
      Atomics.store(words, word.decision, packDecision(decision.stop, number));
      Atomics.add(words, word.epoch, 1);
    }
  }
  return {
    begin(programs) {
      page = programs;
      if (cpus !== null) moveBack = moveAway(cpus);
      timer = setInterval(look, lookAgainMs);
    },
    end() {
      clearInterval(timer);
      page = null;
      moveBack?.();
    },
  };
}

/** Start of the first iteration of a benchmark, ns; `null` = it is not there yet. */
function startOf(tail: RecordTail, number: number): number | null {
  const iterations = tail.benchmarks[number]?.iterations;
  return iterations?.startsNs[0] ?? null;
}

/**
 * Ends programs that know nothing of it when the time of their side is over; an iteration under way is lost, and earlier output counts.
 * A program of several benchmarks runs on once it begins the second: the protocol has no message by which it would go on with the next.
 *
 * @param run.printed `true` = the files hold the output of the programs: their time then begins with the first line, as iterations are
 *   seen when they have ended.
 */
export function endByTime({
  lengthNs,
  cpus,
  files,
  printed,
}: TimedRun & { readonly files: Readonly<Record<Side, string>>; readonly printed: boolean }): Ending {
  const tails = new Map(printed ? [] : sides.map((side) => [side, new RecordTail(files[side])]));
  const readUntil: Partial<Record<Side, number>> = {};
  const startsNs: Partial<Record<Side, number>> = {};
  const left = new Set<Side>(sides);
  let endSide: ((side: Side) => void) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let moveBack: (() => void) | null = null;

  function bytesOf(side: Side): number {
    return statSync(files[side], { throwIfNoEntry: false })?.size ?? 0;
  }
  /** ns until the side is to be ended; Infinity while it has not begun. */
  function leftOf(side: Side): number {
    const tail = tails.get(side);
    if (tail !== undefined) {
      while (tail.read() > 0);
      if (tail.benchmarks.length > 1) left.delete(side);
      const first = startOf(tail, 0);
      if (first !== null) startsNs[side] = first;
    } else if (startsNs[side] === undefined && bytesOf(side) > 0) startsNs[side] = monotonicNowNs();
    const start = startsNs[side];
    return start === undefined ? Infinity : start + lengthNs - monotonicNowNs();
  }
  function end(side: Side): void {
    left.delete(side);
    if (printed) readUntil[side] = bytesOf(side);
    endSide?.(side);
  }
  function look(): void {
    let nextNs = Infinity;
    for (const side of left) {
      try {
        const leftNs = leftOf(side);
        if (leftNs <= 0 && left.has(side)) end(side);
        else nextNs = Math.min(nextNs, leftNs);
      } catch {
        // The failure is reported when the run is over.
        end(side);
      }
    }
    if (left.size === 0) return;
    timer = setTimeout(look, Math.min(Math.max(shortestIntervalMs, nextNs / 1e6), 5 * lookAgainMs));
  }
  return {
    begin(stop) {
      endSide = stop;
      if (cpus !== null) moveBack = moveAway(cpus);
      timer = setTimeout(look, lookAgainMs);
    },
    end() {
      clearTimeout(timer);
      for (const tail of tails.values()) tail.close();
      moveBack?.();
    },
    readUntil: (side) => readUntil[side] ?? null,
  };
}

/** A run whose printed iterations are followed, with the parser and the stop rules. */
interface PrintingRun extends Pick<Trial, 'run' | 'phase'> {
  readonly parser: BuiltInParser;
  /** Files with the output of the sides. */
  readonly files: Readonly<Record<Side, string>>;
  /** Cores of the sides, which this thread leaves during the run where there are others. */
  readonly cpus: Readonly<Record<Side, readonly number[]>>;
  /** Called after each reading, before it is parsed, so that the caller can note the time and the size. */
  readonly onRead: () => void;
  /** The stability of the programs' benchmark, by the parameters that they print. */
  readonly stabilityOf: (params: Params) => ApartStability;
}

interface Followed {
  readonly tail: OutputTail;
  stability: ApartStability | null;
  warmup: ReturnType<ApartStability['warmupOf']> | null;
  taken: number;
  /** Bytes that were read when it was ended; `null` = it was not. */
  readUntil: number | null;
}

/**
 * Reads the output of a run's programs while they run, and ends them when enough is measured. It is meant for programs of one
 * benchmark: a program cannot be made to go on with the next one from outside, so that one with several ends by itself.
 *
 * The phase of an iteration is decided after the run, from its times. Here it is only foreseen: an iteration that was under way
 * when both sides were warm is not counted on, so that never fewer are measured than are asked for.
 */
export function endWhenMeasured({ parser, files, cpus, onRead, stabilityOf, ...begun }: PrintingRun): Ending {
  function follow(side: Side): Followed {
    const tail = new OutputTail(files[side], parser);
    return { tail, stability: null, warmup: null, taken: 0, readUntil: null };
  }
  const followed: Readonly<Record<Side, Followed>> = { A: follow('A'), B: follow('B') };
  /** Iterations of each side when both were seen to be warm. */
  let warm: Readonly<Record<Side, number>> | null = null;
  let endSide: ((side: Side) => void) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let moveBack: (() => void) | null = null;

  function end(side: Side): void {
    if (followed[side].readUntil !== null) return;
    followed[side].readUntil = followed[side].tail.bytes;
    endSide?.(side);
  }
  function take(side: Side): void {
    const one = followed[side];
    const { iterations } = one.tail;
    const [first] = iterations;
    if (first === undefined) return;
    one.stability ??= stabilityOf(first.params ?? {});
    one.warmup ??= one.stability.warmupOf(begun, side);
    for (; one.taken < iterations.length; one.taken++) one.warmup.take(timeOf(iterations[one.taken]));
  }
  function decide(): void {
    const { A, B } = followed;
    for (const side of sides) {
      const { stability, warmup, taken } = followed[side];
      if (stability === null || stability.isTogether || warmup?.length == null) continue;
      if (taken >= warmup.length + stability.measured) end(side);
    }
    if (A.stability?.isTogether !== true || A.warmup?.length == null || B.warmup?.length == null) return;
    const { measured } = A.stability;
    warm ??= { A: A.taken, B: B.taken };
    const { A: a, B: b } = warm;
    if (A.taken > a + measured && B.taken > b + measured) for (const side of sides) end(side);
  }
  function look(): void {
    const read = sides.filter((side) => followed[side].tail.read() > 0);
    if (read.length > 0) onRead();
    for (const side of sides) {
      if (read.includes(side)) take(side);
      // Later iterations belong to another benchmark: the program runs on.
      if (!isOneBenchmark(followed[side].tail.iterations)) return;
    }
    decide();
    timer = setTimeout(watch, pollIntervalMs(Math.max(...sides.map((side) => lastNs(followed[side])))));
  }
  function watch(): void {
    try {
      look();
    } catch {
      // Unreadable output is reported when the run is over, which is soon now.
      for (const side of sides) end(side);
    }
  }
  return {
    begin(stop) {
      endSide = stop;
      moveBack = moveAway(cpus);
      timer = setTimeout(watch, shortestIntervalMs);
    },
    end() {
      clearTimeout(timer);
      for (const side of sides) followed[side].tail.close();
      moveBack?.();
    },
    readUntil: (side) => followed[side].readUntil,
  };
}

/** Time of one invocation, from whole ns, as in the record. */
function timeOf(iteration: ParsedIteration | undefined): number {
  return Math.round(iteration?.durationNs ?? 0) / (iteration?.invocations ?? 1);
}

function lastNs({ tail }: Followed): number {
  return tail.iterations.at(-1)?.durationNs ?? 0;
}

function isOneBenchmark(iterations: readonly ParsedIteration[]): boolean {
  const [first, last] = [iterations[0], iterations.at(-1)];
  return first?.benchmark === last?.benchmark && isDeepStrictEqual(first?.params, last?.params);
}
