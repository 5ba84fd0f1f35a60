import { parentPort } from 'node:worker_threads';
import { type SegmentRequest } from '@deadheat/analysis';
import { fitSimulationSeries } from './fit-simulation-model.ts';
import { simulateExperiments, type ExperimentRange, type SimulationOptions } from './simulate-experiments.ts';
import { type SimulatedDimension, type SimulationModel, type SimulationSeries } from './simulation-model.ts';

/** A model to be fitted to a series. */
export interface FitRequest {
  readonly kind: 'fit';
  readonly series: SimulationSeries;
  /** First iterations of every run to be left out. */
  readonly warmup: number;
  /** What one change costs where the series are cut into segments. */
  readonly penalty: NonNullable<SegmentRequest['penalty']>;
  readonly rawMeans: boolean;
  readonly seed: string;
}

/** Experiments to be simulated. */
export interface SimulationRequest {
  readonly kind: 'simulate';
  readonly model: SimulationModel;
  readonly dimension: SimulatedDimension;
  readonly range: ExperimentRange;
  readonly options: SimulationOptions;
}

function answer(request: FitRequest | SimulationRequest): unknown {
  if (request.kind === 'simulate') return simulateExperiments(request, request.range, request.options);
  return fitSimulationSeries(request.series, request);
}

parentPort?.on('message', (request: FitRequest | SimulationRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(answer(request));
});
