import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Function and data of a computation in threads. */
export interface WorkerJob<Request, Result> {
  /** The worker's module: it answers each message, in turn, with one. */
  readonly module: URL;
  readonly requests: readonly Request[];
  /** Number of threads; default: one a processor. */
  readonly threads?: number;
  /** Ends the work early: what is being computed is dropped. */
  readonly signal?: AbortSignal;
  /** Called with each result as it comes, in any order. */
  readonly onResult?: (result: Result, request: Request) => void;
}

/**
 * Answers requests on several threads. The results come in the order of the requests and do not depend on how many threads there were;
 * after an abort those that were not reached are left out.
 */
export async function mapInWorkers<Request, Result>({
  module,
  requests,
  threads = availableParallelism(),
  signal,
  onResult,
}: WorkerJob<Request, Result>): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  let next = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(module);
    try {
      for (let place = next++; place < requests.length; place = next++) {
        const request = requests[place] as Request;
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
        worker.postMessage(request);
        // `once` throws when the worker fails, and from an abort on.
        const [result] = (await once(worker, 'message', signal === undefined ? {} : { signal })) as [Result];
        results.set(place, result);
        onResult?.(result, request);
      }
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, requests.length) }, () => work()));
  return requests.flatMap((_, place) => (results.has(place) ? [results.get(place) as Result] : []));
}
