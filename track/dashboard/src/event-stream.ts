import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { RequestError } from './errors.ts';

/** An event as it is sent, the same bytes to all readers. */
export interface StreamEvent {
  /** The newest of several with one name is sent to a reader that is slow. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An event that carries one JSON value. */
export function eventOf(name: string, data: unknown): StreamEvent {
  return { name, bytes: new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`) };
}

/** Makes the events of a state once, however many readers follow. */
export class StateEvents<State extends object> {
  readonly #made = new WeakMap<State, Map<string, Promise<StreamEvent>>>();

  /** @param variant what is made differs for readers with different ones */
  async of(state: State, variant: string, make: (state: State) => Promise<StreamEvent>): Promise<StreamEvent> {
    const made = this.#made.get(state) ?? new Map<string, Promise<StreamEvent>>();
    this.#made.set(state, made);
    const event = made.get(variant) ?? make(state);
    made.set(variant, event);
    return event;
  }
}

/** Sends an event. */
export type SendEvent = (event: StreamEvent) => void;

const pingMs = 15_000;
/** Longest time of a connection; browsers then connect again and are authenticated again. */
const longestMs = 30 * 60_000;
/** A reader that takes nothing for so long is cut off. */
const longestWriteMs = 60_000;

/** Streams of server-sent events, of which a dashboard keeps a limited number open. */
export class EventStreams {
  readonly #most: number;
  #open = 0;
  /** Readers get an event one after the other, so that pages are answered between them. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Server-sent events. A reader that is slow gets the newest state and not what came before, so that nothing is kept for it. A comment
   * is sent from time to time, so that no proxy closes a silent connection.
   *
   * @param start called once; returns a function that is called when the connection ends
   * @throws RequestError `BUSY` when too many are open
   */
  answer(c: Context, start: (send: SendEvent) => () => void): Response {
    if (this.#open >= this.#most) {
      throw new RequestError(
        'BUSY',
        `${this.#most} pages follow the fleet already. Close some, or open this one again later.`,
      );
    }
    this.#open++;
    c.header('x-accel-buffering', 'no');
    return streamSSE(c, async (stream) => {
      /** By event: what is still to be sent. */
      const waiting = new Map<string, StreamEvent>();
      const done = new AbortController();
      let isWriting = false;

      async function write(work: () => Promise<unknown>): Promise<void> {
        const limit = setTimeout(() => done.abort(), longestWriteMs).unref();
        await work();
        clearTimeout(limit);
      }

      const drain = async (): Promise<void> => {
        if (isWriting) return;
        isWriting = true;
        for (const name of waiting.keys()) {
          await (this.#turn = this.#turn.then(() => turn()));
          const newest = waiting.get(name);
          waiting.delete(name);
          if (newest !== undefined) await write(() => stream.write(newest.bytes));
          if (done.signal.aborted) break;
        }
        isWriting = false;
      };

      const stop = start((event) => {
        waiting.set(event.name, event);
        void drain();
      });
      const ping = setInterval(() => {
        if (!isWriting) void write(() => stream.write(': still here\n\n'));
      }, pingMs).unref();
      const limit = setTimeout(() => done.abort(), longestMs).unref();
      stream.onAbort(() => done.abort());
      void write(() => stream.write('retry: 3000\n\n'));
      try {
        await new Promise<void>((resolve) => {
          done.signal.addEventListener('abort', () => resolve(), { once: true });
          if (done.signal.aborted || stream.aborted) resolve();
        });
      } finally {
        clearTimeout(limit);
        clearInterval(ping);
        stop();
        this.#open--;
        if (!stream.aborted) stream.abort();
      }
    });
  }
}
