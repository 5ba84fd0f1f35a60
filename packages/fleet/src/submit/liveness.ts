import type { KnownWorker } from '../worker-rows.ts';

/** A worker that does not hold its lock for so long is dead, ms: one that only lost its connection is back by then. */
const patienceMs = 3000;

/** After the submitter's own connection came back workers are given longer: theirs may still be on its way, ms. */
const graceMs = 3000;

/** Which workers live, seen over time by the locks that they hold. */
export class Liveness {
  readonly #now: () => number;
  readonly #aliveAt = new Map<string, number>();
  #notBefore = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** To be told that the database was away. */
  forgive(): void {
    this.#notBefore = this.#now() + graceMs;
  }

  see(workers: readonly KnownWorker[]): void {
    for (const { id, state } of workers) if (state !== 'gone') this.#aliveAt.set(id, this.#now());
  }

  /** Whether its runs are to go elsewhere. */
  isDead({ id, state, left }: KnownWorker): boolean {
    if (state !== 'gone') return false;
    if (left) return true;
    const now = this.#now();
    return now >= this.#notBefore && now - (this.#aliveAt.get(id) ?? -Infinity) > patienceMs;
  }
}
