import type { RunStability } from '@deadheat/analysis';
import type { Side, Trial } from '@deadheat/model';
import { decision, packDecision, word, type Page } from '@deadheat/sync';
import { isDeepStrictEqual } from 'node:util';
import { pollIntervalMs, shortestIntervalMs, moveAway } from './end-run.ts';
import { RecordTail, type RecordedBenchmark } from '@deadheat/recording';
import type { Steering } from '../run/executor.ts';

/** One benchmark of the programs, while they do it. */
interface Followed {
  readonly stability: RunStability;
  state: ReturnType<RunStability['follow']>;
}

/** A run whose programs are steered through shared pages, with the stop rules. */
export interface SteeredRun extends Pick<Trial, 'run' | 'phase'> {
  /** `true` = benchmarks begin with warm-up. */
  readonly warmsUp: boolean;
  /** Cores of the sides, which this thread leaves during the run where there are others; `null` = it stays where it is. */
  readonly cpus: Readonly<Record<Side, readonly number[]>> | null;
  /** The stability of a benchmark that the programs hold. */
  readonly stabilityOf: (benchmark: Pick<RecordedBenchmark, 'benchmark' | 'params'>) => RunStability;
}

/**
 * Reads the records of both sides of a run while they are written, and ends the warm-up of each of their benchmarks when both are
 * stable, and the benchmark when it is measured enough. Where there is a core that no side runs on, this process stays there until
 * the run is over; else it checks the page a few times in an iteration, and computes only when there is a new one.
 */
export function steerRun(run: SteeredRun): Steering {
  let tails: Readonly<Record<Side, RecordTail>> | null = null;
  const followed: Followed[] = [];
  let moveBack: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let page: Page | null = null;
  let seen = 0;
  let published: number | null = null;

  function publish(decided: number): void {
    if (page === null || published === decided) return;
    published = decided;
    Atomics.store(page.words, word.decision, decided);
    Atomics.add(page.words, word.epoch, 1);
  }
  function follow(number: number, A: RecordedBenchmark, B: RecordedBenchmark): void {
    const stability = followed[number]?.stability ?? run.stabilityOf(A);
    const one = (followed[number] ??= { stability, state: { from: 0, step: stability.begin(run) } });
    one.state = stability.follow({ A: A.iterations, B: B.iterations }, one.state);
    // Until a decision is about it, a benchmark does what it began with.
    if (one.state.from > 0 && one.state.step !== 'warmup') publish(packDecision(kinds[one.state.step], number + 1));
  }
  /** Gives whether there was anything to read. */
  function look(): boolean {
    if (tails === null) return false;
    const bytes = tails.A.read() + tails.B.read();
    const count = Math.min(tails.A.benchmarks.length, tails.B.benchmarks.length);
    for (let number = Math.max(0, followed.length - 1); number < count; number++) {
      const [A, B] = [tails.A.benchmarks[number], tails.B.benchmarks[number]];
      if (A === undefined || B === undefined) break;
      if (isSame(A, B)) follow(number, A, B);
      else publish(decision.stop);
    }
    return bytes > 0;
  }
  function watch(): void {
    if (page === null || tails === null) return;
    const { words } = page;
    const done = Math.min(Atomics.load(words, word.workDone(0)), Atomics.load(words, word.workDone(1)));
    try {
      // An iteration is counted a little before it is recorded.
      if (done === seen || !look()) seen = done;
    } catch {
      // Unreadable records are reported when the run is over, which is soon now.
      publish(decision.stop);
    }
    timer = setTimeout(watch, pollIntervalMs(lastNs(tails.A.benchmarks.at(-1))));
  }
  return {
    begin(programs, records) {
      page = programs;
      tails = { A: new RecordTail(records.A), B: new RecordTail(records.B) };
      if (run.cpus !== null) moveBack = moveAway(run.cpus);
      const kind = run.warmsUp ? decision.warmup : decision.measure;
      Atomics.store(page.words, word.initial, kind);
      publish(packDecision(kind));
      timer = setTimeout(watch, shortestIntervalMs);
    },
    end() {
      clearTimeout(timer);
      try {
        while (look());
      } catch {
        // Unreadable records are reported when the run is over.
      }
      page = null;
      tails?.A.close();
      tails?.B.close();
      tails = null;
      moveBack?.();
    },
  };
}

const kinds: Readonly<Record<Followed['state']['step'], number>> = {
  warmup: decision.warmup,
  measure: decision.measure,
  stop: decision.stop,
};

function isSame(one: RecordedBenchmark, other: RecordedBenchmark): boolean {
  return one.benchmark === other.benchmark && isDeepStrictEqual(one.params, other.params);
}

function lastNs(benchmark: RecordedBenchmark | undefined): number {
  const iterations = benchmark?.iterations;
  const last = (iterations?.length ?? 0) - 1;
  return iterations === undefined || last < 0 ? 0 : iterations.at(last).e - iterations.at(last).s;
}
