import type { FleetExperiment, FleetView, FleetWorker } from '@deadheat/fleet';

/** The state of a fleet at one moment. */
export interface FleetState {
  readonly experiments: readonly FleetExperiment[];
  readonly workers: readonly FleetWorker[];
}

type FleetListener = (state: FleetState) => void;

const mostExperiments = 100;

/** Publishes the changes of a fleet to all listeners: it is read once for all of them, and not at all without listeners. */
export class FleetFeed {
  readonly #view: FleetView;
  readonly #report: (error: unknown) => void;
  readonly #pauseMs: number;
  readonly #listeners = new Set<FleetListener>();
  #timer: NodeJS.Timeout | null = null;
  #isReading = false;
  /** The state that was read last, also as JSON. */
  #last: { readonly state: FleetState; readonly text: string } | null = null;

  /**
   * @param report called with an error of reading, which is then tried again
   * @param pauseMs pause between two readings, ms: a fleet sends no notifications to viewers
   */
  constructor(view: FleetView, report: (error: unknown) => void, pauseMs = 1000) {
    this.#view = view;
    this.#report = report;
    this.#pauseMs = pauseMs;
  }

  /** The state of now, which all listeners get where it changed. */
  async read(): Promise<FleetState> {
    const [experiments, workers] = [await this.#view.experiments(mostExperiments), await this.#view.workers()];
    const state = { experiments, workers };
    const text = JSON.stringify(state);
    if (this.#last?.text === text) return this.#last.state;
    this.#last = { state, text };
    for (const listener of this.#listeners) listener(state);
    return state;
  }

  /** The state for somebody who begins to watch: that of the others, so that it is neither read nor written anew for each. */
  async current(): Promise<FleetState> {
    return this.#timer !== null && this.#last !== null ? this.#last.state : this.read();
  }

  /** Calls the listener after every change. @returns a function that removes the listener */
  watch(listener: FleetListener): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.#look(), this.#pauseMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await this.read();
    } catch (error) {
      this.#report(error);
    } finally {
      this.#isReading = false;
    }
  }
}
