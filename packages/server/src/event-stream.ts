/** Sends events of a stream. */
export interface EventSink {
  readonly send: (event: string, data: unknown) => void;
}

const pingMs = 15_000;
/** Longest time of a connection; browsers then connect again and are authenticated again. */
const longestMs = 30 * 60_000;

/**
 * Server-sent events: each carries one JSON value. A comment is sent from time to time, so that no proxy closes a
 * silent connection.
 *
 * @param start called once; returns a function that is called when the connection ends
 */
export function eventStream(start: (sink: EventSink) => () => void): Response {
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      let isOpen = true;

      function write(text: string): void {
        if (isOpen) controller.enqueue(encoder.encode(text));
      }

      const stop = start({ send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`) });
      const ping = setInterval(() => write(': still here\n\n'), pingMs);
      const limit = setTimeout(() => {
        end();
        controller.close();
      }, longestMs);
      ping.unref();
      limit.unref();
      end = () => {
        isOpen = false;
        clearInterval(ping);
        clearTimeout(limit);
        stop();
      };
      write('retry: 3000\n\n');
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}
