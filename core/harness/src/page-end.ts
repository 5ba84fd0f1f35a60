import { cpus } from 'node:os';
import type { Barrier, Page, WaitPolicy } from '@deadheat/sync';
import { HarnessError } from './harness-error.ts';
import type { Sync } from './load-sync.ts';

/** Least wait for the other side, ms: the protocol's deadline. */
const leastDeadlineMs = 30_000;
/** The deadline is this many times the slowest iteration of this side. */
const patience = 10;
const startedMask = 0x7fff_ffff;
/**
 * CLOCK_MONOTONIC at the origin of performance.now(), ms: the latest of ten readings. A delay between the readings of
 * the two clocks makes the result too early, by milliseconds when Node loads the second clock at that moment.
 */
const clockOriginMs = Math.max(
  ...Array.from({ length: 10 }, () => Number(process.hrtime.bigint()) / 1e6 - performance.now()),
);

/** This side's end of the shared page. */
export class PageEnd {
  readonly #sync: Sync;
  readonly #page: Page;
  readonly #barrier: Barrier;
  readonly #party: 0 | 1;
  readonly #arriving: { readonly wait: WaitPolicy; deadlineMs: number };
  #startedAt = 0;

  /**
   * @param options.wait how to wait for the other side; `null` = in a busy loop, unless the machine has one CPU. The
   *   affinity of this process does not show it: a side that has a core of its own is pinned to one, too
   * @throws SyncError when the page is not one, or of another version; HarnessError `FAILED_BEFORE` when an earlier process
   *   of this side has failed
   */
  constructor(
    sync: Sync,
    { path, side, wait }: { readonly path: string; readonly side: 'A' | 'B'; readonly wait: WaitPolicy | null },
  ) {
    this.#sync = sync;
    this.#page = sync.openPage(path);
    this.#party = side === 'A' ? 0 : 1;
    if (this.#load(sync.word.state(this.#party)) === sync.sideState.failed) {
      throw new HarnessError(
        'FAILED_BEFORE',
        'this side has failed already, so that its other benchmarks are left out',
      );
    }
    this.#barrier = new sync.Barrier(this.#page, this.#party);
    this.#arriving = { wait: wait ?? (cpus().length > 1 ? 'spin' : 'yield'), deadlineMs: leastDeadlineMs };
    this.#store(sync.word.pid(this.#party), process.pid);
    this.#store(sync.word.state(this.#party), sync.sideState.running);
  }

  beginBenchmark(): void {
    this.#barrier.beginBenchmark();
  }

  /**
   * Waits for the other side.
   *
   * @returns what to do next: 0 measure, 1 warm-up, 2 stop
   * @throws SyncError `PAGE_POISONED`, `BARRIER_DEADLINE`
   */
  arrive(): number {
    const decision = this.#barrier.arrive(this.#arriving);
    this.#startedAt = performance.now();
    this.#store(this.#sync.word.startedMs(this.#party), Math.floor(clockOriginMs + this.#startedAt) & startedMask);
    return decision;
  }

  /** Counts an iteration that has ended. */
  count(): void {
    const { workDone } = this.#sync.word;
    this.#store(workDone(this.#party), (this.#load(workDone(this.#party)) + 1) | 0);
    const slowest = patience * (performance.now() - this.#startedAt);
    if (slowest > this.#arriving.deadlineMs) this.#arriving.deadlineMs = slowest;
  }

  /** True while the other side is still in the iteration that this one has ended; not when nobody waits any longer. */
  get peerBehind(): boolean {
    const { word, poison } = this.#sync;
    const behind = (this.#load(word.workDone(1 - this.#party)) - this.#load(word.workDone(this.#party))) | 0;
    if (behind >= 0 || this.#load(word.poison) !== poison.none) return false;
    return performance.now() - this.#startedAt < this.#arriving.deadlineMs;
  }

  /** Reports to the runner how the side ended. */
  close(state: 'finished' | 'failed'): void {
    this.#store(this.#sync.word.state(this.#party), this.#sync.sideState[state]);
    this.#store(this.#sync.word.pid(this.#party), 0);
  }

  #load(index: number): number {
    return Atomics.load(this.#page.words, index);
  }

  #store(index: number, value: number): void {
    Atomics.store(this.#page.words, index, value);
  }
}
