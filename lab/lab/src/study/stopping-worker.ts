import { parentPort } from 'node:worker_threads';
import { type IterationLengths, iterationLengths } from './iteration-length.ts';
import {
  type StoppingOutcome,
  stoppingOutcome,
  type StoppingSeries,
  type StoppingStudyOptions,
} from './stopping-outcome.ts';

/** What the worker is asked: one benchmark to be replayed. */
export interface ReplayRequest {
  readonly series: StoppingSeries;
  readonly options: StoppingStudyOptions;
}

/** Its answer. */
export interface ReplayAnswer {
  readonly outcome: StoppingOutcome;
  readonly lengths: IterationLengths | null;
}

parentPort?.on('message', ({ series, options }: ReplayRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage({ outcome: stoppingOutcome(series, options), lengths: iterationLengths(series, options) });
});
