import { createRandom } from '@deadheat/stats';
import type { FindSegmentsOptions } from '../segments/find-segments.ts';
import { segmentRuns } from '../segments/segment-runs.ts';
import { fitSimulationModel } from './fit-simulation-model.ts';
import type { SimulationModel } from './simulation-model.ts';
import type { SimulationSeries } from './simulation-series.ts';

/** How a series is taken apart. */
export interface FitSeriesOptions extends Pick<FindSegmentsOptions, 'penalty'> {
  /** First iterations of every run to be left out, default 0. */
  readonly warmup?: number;
  /** For the check of a trend, which warns and changes nothing else. */
  readonly seed: string;
}

/** Cuts the runs of a series into segments (`segmentRuns`) and fits the model to them. @throws as both */
export const fitSimulationSeries = (series: SimulationSeries, options: FitSeriesOptions): SimulationModel => {
  const { seed, ...rules } = options;
  const random = createRandom(JSON.stringify(['simulate', seed, series.label, 'trend']));
  return fitSimulationModel(series.label, segmentRuns(series.runs, { ...rules, random }), series.unit);
};
