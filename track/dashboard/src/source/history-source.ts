import { setTimeout as sleep } from 'node:timers/promises';
import { HistoryError, type History } from '@deadheat/history';

const mostWaitMs = 30_000;
/** The time that a question under way has for its answer at the end, ms. */
const lastAnswerMs = 2000;

/**
 * The connection to the history. It executes one query after the other, opens the history again after its connection
 * was lost, and gives up a query that is not answered.
 */
export class HistorySource {
  readonly #open: () => Promise<History>;
  readonly #ending = new AbortController();
  readonly #mostWaitMs: number;
  #history: Promise<History> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** @param open its signal cuts the connection */
  constructor(open: (signal: AbortSignal) => Promise<History>, options: { readonly mostWaitMs?: number } = {}) {
    this.#open = () => open(this.#ending.signal);
    this.#mostWaitMs = options.mostWaitMs ?? mostWaitMs;
  }

  /** Opens it, and reads a folder for the first time, however long that takes. @throws HistoryError as opening it */
  async prepare(signal?: AbortSignal): Promise<void> {
    const history = await this.use(async (opened) => opened);
    const end = (): void => this.#ending.abort();
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
    try {
      await history.prepare?.();
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  /** Asks it. @throws HistoryError as what is asked */
  async use<Value>(ask: (history: History) => Promise<Value>): Promise<Value> {
    const before = this.#last;
    const answer = (async () => {
      await before.catch(() => undefined);
      return this.#asked(ask);
    })();
    this.#last = answer;
    return answer;
  }

  /**
   * Executes a long query at the same time as the others, on a connection of its own. @throws HistoryError as what is
   * asked
   */
  async useApart<Value>(ask: (history: History) => Promise<Value>): Promise<Value> {
    const history = await this.#open();
    try {
      return await ask(history);
    } finally {
      await history.close();
    }
  }

  /** Ends the connection. What is asked and not answered soon fails. */
  async close(): Promise<void> {
    await waitAtMost(lastAnswerMs, this.#last);
    const dropped = this.#drop();
    this.#ending.abort();
    await dropped;
  }

  async #asked<Value>(ask: (history: History) => Promise<Value>): Promise<Value> {
    const isFresh = this.#history === null;
    try {
      return await this.#inTime(ask);
    } catch (error) {
      if (!(error instanceof HistoryError) || error.code !== 'NO_CONNECTION') throw error;
      void this.#drop();
      if (isFresh || error instanceof NoAnswer || this.#ending.signal.aborted) throw error;
      return this.#inTime(ask);
    }
  }

  async #inTime<Value>(ask: (history: History) => Promise<Value>): Promise<Value> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NoAnswer()), this.#mostWaitMs);
    });
    try {
      return await Promise.race([this.#opened().then(ask), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #opened(): Promise<History> {
    this.#history ??= this.#open();
    try {
      return await this.#history;
    } catch (error) {
      this.#history = null;
      throw error;
    }
  }

  async #drop(): Promise<void> {
    const history = this.#history;
    this.#history = null;
    await history?.then(
      (one) => one.close(),
      () => undefined,
    );
  }
}

/** Waits until work has ended, however it ends, and no longer than a time in ms. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work.catch(() => undefined), sleep(ms, undefined, ended).catch(() => undefined)]);
  ended.abort();
}

class NoAnswer extends HistoryError {
  constructor() {
    super(
      'NO_CONNECTION',
      'The history does not answer. Try again, and check whether its database or disk can be reached.',
    );
  }
}
