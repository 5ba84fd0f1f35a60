import { parentPort } from 'node:worker_threads';
import type { SteadySeries } from './steady-series.ts';
import { classifySeries, type SteadyStudyOptions } from './steady-study.ts';

/** What the worker is asked: the runs of one series to be classified. */
export interface ClassifyRequest {
  readonly series: SteadySeries;
  readonly options: SteadyStudyOptions;
}

parentPort?.on('message', ({ series, options }: ClassifyRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(classifySeries(series, options));
});
