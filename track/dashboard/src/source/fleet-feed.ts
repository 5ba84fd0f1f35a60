import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetExperiment, FleetView, FleetWorker } from '@deadheat/fleet';

/** The state of a fleet at one moment. */
export interface FleetState {
  readonly experiments: readonly FleetExperiment[];
  readonly workers: readonly FleetWorker[];
}

export type FleetListener = (state: FleetState) => void;

export const mostExperiments = 100;
/** Changes within this time, ms, are published together. */
const gatherMs = 300;
const retryMs = 3000;

/**
 * Publishes the changes of a fleet to all listeners. The fleet is followed once for all of them, and not at all without
 * listeners.
 */
export class FleetFeed {
  readonly #view: FleetView;
  readonly #report: (error: unknown) => void;
  readonly #listeners = new Set<FleetListener>();
  #following: AbortController | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param report called with an error while following, which is then tried again. */
  constructor(view: FleetView, report: (error: unknown) => void) {
    this.#view = view;
    this.#report = report;
  }

  async read(): Promise<FleetState> {
    const [experiments, workers] = [await this.#view.experiments(mostExperiments), await this.#view.workers()];
    return { experiments, workers };
  }

  /** Calls the listener after every change. @returns a function that removes the listener */
  watch(listener: FleetListener): () => void {
    this.#listeners.add(listener);
    if (this.#following === null) {
      this.#following = new AbortController();
      void this.#follow(this.#following.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    this.#following?.abort();
    this.#following = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Follows the fleet, and tries again when that fails. */
  async #follow(signal: AbortSignal): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        const end = await this.#view.watch(() => {
          if (!signal.aborted) this.#timer ??= setTimeout(() => void this.#publish(signal), gatherMs);
        });
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
        // Changes during the interruption were not published.
        if (!isFirst && !signal.aborted) await this.#publish(signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#report(error);
      }
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #publish(signal: AbortSignal): Promise<void> {
    this.#timer = null;
    try {
      const state = await this.read();
      if (!signal.aborted) for (const listener of this.#listeners) listener(state);
    } catch (error) {
      this.#report(error);
    }
  }
}
