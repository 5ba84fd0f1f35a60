import type { FleetExperiment, FleetView, FleetWorker } from '@deadheat/fleet';
import type { Caller, ServerContext } from '../context.ts';
import { RequestError } from '../errors.ts';

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
  /** The state that was published last, as JSON. */
  #last = '';

  /**
   * @param report called with an error of reading, which is then tried again
   * @param pauseMs pause between two readings, ms: a fleet sends no notifications to viewers
   */
  constructor(view: FleetView, report: (error: unknown) => void, pauseMs = 1000) {
    this.#view = view;
    this.#report = report;
    this.#pauseMs = pauseMs;
  }

  async read(): Promise<FleetState> {
    const [experiments, workers] = [await this.#view.experiments(mostExperiments), await this.#view.workers()];
    return { experiments, workers };
  }

  /** Calls the listener after every change. @returns a function that removes the listener */
  watch(listener: FleetListener): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.#publish(), this.#pauseMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #publish(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const state = await this.read();
      const text = JSON.stringify(state);
      if (text !== this.#last && this.#timer !== null) for (const listener of this.#listeners) listener(state);
      this.#last = text;
    } catch (error) {
      this.#report(error);
    } finally {
      this.#isReading = false;
    }
  }
}

/** The fleet of this dashboard. @throws RequestError `NO_FLEET` */
export function fleetOf({ fleet }: ServerContext): NonNullable<ServerContext['fleet']> {
  if (fleet !== null) return fleet;
  throw new RequestError('NO_FLEET', 'This dashboard shows no fleet. deadheat history serve --fleet URL shows one.');
}

/** Checks whether a user may cancel experiments. */
export function mayCancel({ fleet }: ServerContext, { access }: Caller): boolean {
  return access === 'write' && fleet !== null && fleet.cancel !== null;
}

/**
 * Cancels an experiment of the fleet.
 *
 * @throws RequestError `NO_FLEET`, `FORBIDDEN`, `NOT_FOUND`
 */
export async function cancelExperiment(
  context: ServerContext,
  { caller, experiment }: { readonly caller: Caller; readonly experiment: string },
): Promise<void> {
  const { cancel, feed } = fleetOf(context);
  if (cancel !== null && mayCancel(context, caller)) {
    if ((await feed.read()).experiments.some(({ id }) => id === experiment)) return cancel(experiment);
    throw new RequestError('NOT_FOUND', `The fleet has no experiment ${experiment}.`);
  }
  throw new RequestError(
    'FORBIDDEN',
    'Only a token to write cancels an experiment: a line `write TOKEN` of --token-file.',
  );
}
