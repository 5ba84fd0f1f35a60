import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a pause when something happens, which may have been before the pause began. */
export class Bell {
  #isRung = false;
  #pause = new AbortController();

  ring(): void {
    this.#isRung = true;
    this.#pause.abort();
  }

  /** Forgets what has happened so far. */
  still(): void {
    this.#isRung = false;
  }

  /** Waits until it rings, at most for a time, ms. */
  async wait(ms: number): Promise<void> {
    if (this.#isRung) return;
    this.#pause = new AbortController();
    await sleep(ms, undefined, { signal: this.#pause.signal }).catch(() => undefined);
  }
}
