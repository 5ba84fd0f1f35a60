import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';

/** Sends an event that carries one JSON value. */
export type SendEvent = (event: string, data: unknown) => void;

const pingMs = 15_000;
/** Longest time of a connection; browsers then connect again and are authenticated again. */
const longestMs = 30 * 60_000;

/**
 * Server-sent events. A comment is sent from time to time, so that no proxy closes a silent connection.
 *
 * @param start called once; returns a function that is called when the connection ends
 */
export function eventStream(c: Context, start: (send: SendEvent) => () => void): Response {
  c.header('x-accel-buffering', 'no');
  return streamSSE(c, async (stream) => {
    void stream.write('retry: 3000\n\n');
    const stop = start((event, data) => void stream.writeSSE({ event, data: JSON.stringify(data) }));
    const ping = setInterval(() => void stream.write(': still here\n\n'), pingMs).unref();
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, longestMs).unref();
      stream.onAbort(() => {
        clearTimeout(limit);
        resolve();
      });
    });
    clearInterval(ping);
    stop();
  });
}
