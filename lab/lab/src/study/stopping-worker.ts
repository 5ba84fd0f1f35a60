import { parentPort } from 'node:worker_threads';
import { stoppingOutcome, type StoppingSeries, type StoppingStudyOptions } from './stopping-outcome.ts';

/** What the worker is asked: one benchmark to be replayed. */
export interface ReplayRequest {
  readonly series: StoppingSeries;
  readonly options: StoppingStudyOptions;
}

parentPort?.on('message', ({ series, options }: ReplayRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(stoppingOutcome(series, options));
});
