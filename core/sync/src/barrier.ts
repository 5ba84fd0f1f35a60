import { loadLibc } from './libc.ts';
import { poison, resolveDecision, word } from './page-layout.ts';
import type { Page } from './page.ts';
import { SyncError } from './sync-error.ts';

/** The way a side waits: `spin` when it has a core of its own, `yield` when the peer may need the same core. */
export type WaitPolicy = 'spin' | 'yield';

export interface ArriveOptions {
  readonly wait: WaitPolicy;
  /** Longest wait for the peer, milliseconds. */
  readonly deadlineMs: number;
  /** Asked ten times a second while it waits, and ends the wait when it throws. */
  readonly check?: () => void;
}

const checkMs = 100;
const loadsBetweenClockReadings = 256;
const idleYieldsBeforeSleeping = 64;
const leastSleepMs = 0.05;
const longestSleepMs = 10;
/** Of the time that a side has waited: a sleep ends at most by this share too late. */
const shareAsleep = 0.25;
/**
 * A yield that took at least this long, in milliseconds, gave the core to another thread; a yield while no other thread
 * wants the core returns within 2 µs.
 */
const takenAfterMs = 0.05;

/**
 * One side's end of the barrier on a shared page.
 *
 * A side arrives by storing its cursor; it has passed when the peer's cursor is at least as far. Each cursor has one
 * writer, so no read-modify-write is needed. Side A resolves the runner's decision for its benchmark and copies it into
 * the page before it arrives: both sides then take the decision of that very barrier. Two slots are enough, because A cannot arrive at barrier
 * k + 2 before B has arrived at k + 1, hence left k.
 */
export class Barrier {
  readonly #words: Int32Array;
  readonly #party: 0 | 1;

  constructor(page: Page, party: 0 | 1) {
    this.#words = page.words;
    this.#party = party;
  }

  /** Barriers that this side has reached so far. */
  get reached(): number {
    return Atomics.load(this.#words, word.cursor(this.#party));
  }

  /**
   * Begins the next benchmark of the program; call it before the benchmark's first barrier. The runner's decision may
   * be about one benchmark alone.
   *
   * @returns its number, from 1
   */
  beginBenchmark(): number {
    const number = Atomics.load(this.#words, word.benchmark(this.#party)) + 1;
    Atomics.store(this.#words, word.benchmark(this.#party), number);
    return number;
  }

  /**
   * Arrives and waits for the peer.
   *
   * @returns the decision for this barrier, see `decision` of the page's layout
   * @throws SyncError `PAGE_POISONED` when the runner has ended the wait of both sides, `BARRIER_DEADLINE` when the
   *   peer did not come in time
   */
  arrive({ wait, deadlineMs, check }: ArriveOptions): number {
    const words = this.#words;
    const barrier = (this.reached + 1) | 0;
    const decisionSlot = word.decisionAt(barrier);
    const peerCursor = word.cursor(1 - this.#party);
    const began = performance.now();
    const end = began + deadlineMs;
    let nextCheck = began + checkMs;
    const pause = wait === 'yield' ? yieldingPause(began) : undefined;
    if (this.#party === 0) {
      Atomics.store(words, decisionSlot, resolveDecision(words, Atomics.load(words, word.benchmark(0))));
    }
    Atomics.store(words, word.cursor(this.#party), barrier);
    for (let loads = 1; ; loads++) {
      // Read before the cursor: the runner poisons the page also when the peer has done its last work and ended, and
      // this side may not have been executed since the peer came.
      const poisoned = Atomics.load(words, word.poison) !== poison.none;
      if (((Atomics.load(words, peerCursor) - barrier) | 0) >= 0) break;
      if (poisoned) throw this.#calledOff();
      if (pause !== undefined) pause();
      else if (loads % loadsBetweenClockReadings !== 0) continue;
      const now = performance.now();
      if (now > end) throw tooLate(barrier, deadlineMs);
      if (now < nextCheck) continue;
      nextCheck = now + checkMs;
      check?.();
    }
    return Atomics.load(words, decisionSlot);
  }

  #calledOff(): SyncError {
    const reason = Atomics.load(this.#words, word.poison);
    return new SyncError(
      'PAGE_POISONED',
      reason === poison.peerLost ? 'the other side is lost: it ended before the barrier' : 'the run was called off',
    );
  }
}

/**
 * One step of waiting on a core that the peer may need: yields as long as somebody takes the core, and sleeps between
 * yields when nobody does, as it is between sides in sessions of their own, which the kernel schedules in groups: a yield gives the core to the own group alone.
 * A timer that wakes this side every 50 µs while the peer works on the same core adds 12 % to the peer's CPU time, a yield a slice below 0.5 %
 * (`npm run bench -- waiting`); so sleeps grow with the wait.
 */
function yieldingPause(began: number): () => void {
  const libc = loadLibc();
  let idleYields = 0;
  return () => {
    if (idleYields >= idleYieldsBeforeSleeping) {
      const wanted = shareAsleep * (performance.now() - began);
      libc.usleep(Math.round(1000 * Math.min(Math.max(wanted, leastSleepMs), longestSleepMs)));
    }
    const before = performance.now();
    libc.sched_yield();
    idleYields = performance.now() - before < takenAfterMs ? idleYields + 1 : 0;
  };
}

function tooLate(barrier: number, deadlineMs: number): SyncError {
  return new SyncError(
    'BARRIER_DEADLINE',
    `the other side did not reach barrier ${barrier} within ${Math.round(deadlineMs)} ms`,
  );
}
