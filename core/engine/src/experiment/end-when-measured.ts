import type { ApartStability } from '@deadheat/analysis';
import { sides, type BuiltInParser, type Params, type Side, type Trial } from '@deadheat/model';
import { isDeepStrictEqual } from 'node:util';
import { pollIntervalMs, shortestIntervalMs, moveAway } from './polling.ts';
import { OutputTail, type ParsedIteration } from '@deadheat/readers';
import type { Ending } from '../run/index.ts';

/** A run whose printed iterations are followed, with the parser and the stop rules. */
export interface PrintingRun extends Pick<Trial, 'run' | 'phase'> {
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
