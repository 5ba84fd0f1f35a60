import { statSync } from 'node:fs';
import { sides, type Side } from '@deadheat/model';
import { decision, monotonicNowNs, packDecision, word, type Page } from '@deadheat/sync';
import { RecordTail } from '@deadheat/recording';
import type { Ending, Steering } from '../run/index.ts';
import { moveAway, shortestIntervalMs } from './polling.ts';

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
