import { createRandom, expandedPercentileInterval, meanInterval } from '@deadheat/stats';
import type { FlatSample } from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import { findSegments } from '../segments/find-segments.ts';
import { grandMeans } from '../segments/grand-mean.ts';
import { segmentReplicates } from '../segments/segment-replicates.ts';
import { drawExperiment } from './draw-experiment.ts';
import { simulatedMethods } from './simulation-options.ts';
import type { SimulationOptions } from './simulation-options.ts';
import type { ExperimentDimension, SimulationModel } from './simulation-model.ts';

/** Experiments that are simulated in a row: `from`, `from` + 1, ... of one benchmark and dimension. */
export interface ExperimentRange {
  /** Number of the first, >= 0. */
  readonly from: number;
  /** How many, >= 1. */
  readonly count: number;
}

/** What intervals one method gave, an entry an experiment. */
export interface SimulatedIntervals {
  /** 1 where the interval missed the true mean. */
  readonly missed: readonly number[];
  /** Width as a share of the true mean; of ratios, of the interval of the ratio. */
  readonly widths: readonly number[];
}

/** What came of simulated experiments. */
export interface SimulatedExperiments {
  /** A method each, as `simulatedMethods` lists them. */
  readonly intervals: readonly SimulatedIntervals[];
  /** Grand mean of every experiment by equation 2, as a share of the true mean. */
  readonly grandMeans: readonly number[];
}

/** The same runs, cut where PELT finds changes. */
const detect = ({ values, offsets }: FlatSample, penalty: number): FlatSample => {
  const [runs, segments] = [offsets[0]!, offsets[1]!];
  const runStarts = [0];
  const segmentStarts = [0];
  for (let r = 1; r < runs.length; r++) {
    const [start, end] = [segments[runs[r - 1]!]!, segments[runs[r]!]!];
    for (const last of findSegments(values.subarray(start, end), { penalty }).changepoints) {
      segmentStarts.push(start + last + 1);
    }
    segmentStarts.push(end);
    runStarts.push(segmentStarts.length - 1);
  }
  return { values, offsets: [Int32Array.from(runStarts), Int32Array.from(segmentStarts)] };
};

/**
 * Simulates experiments and computes every interval of each.
 *
 * Each experiment has a random stream of its own, so the result of a range does not depend on how experiments are shared out.
 *
 * @throws RangeError for dimensions below 2 or options out of range.
 * Source: Antoch et al., OOPSLA'26, sections 5.1 and 5.2.
 */
export const simulateExperiments = (
  { model, dimension }: { readonly model: SimulationModel; readonly dimension: ExperimentDimension },
  { from, count }: ExperimentRange,
  options: SimulationOptions,
): SimulatedExperiments => {
  const { seed, boundaries, replicates, confidence } = options;
  const intervals = simulatedMethods(options).map(() => ({ missed: [] as number[], widths: [] as number[] }));
  const means: number[] = [];
  const share = (value: number): number => (model.unit === 'ratio' ? Math.exp(value - model.mean) : value / model.mean);
  for (let k = from; k < from + count; k++) {
    const { runs, iterations } = dimension;
    const random = createRandom(JSON.stringify(['simulate', seed, model.benchmark, runs, iterations, k]));
    const drawn = drawExperiment(model, dimension, random);
    const sample = boundaries === 'known' ? drawn : detect(drawn, model.penalty);
    const grand = grandMeans(sample);
    means.push(share(grand.aware.mean));
    simulatedMethods(options).forEach(({ segments, kind }, m) => {
      const { mean, variance } = grand[segments];
      if (variance === null) throw new AnalysisError('TOO_FEW_RUNS', 'an interval needs at least 2 runs');
      const { low, high } =
        kind === 'resampling'
          ? expandedPercentileInterval(segmentReplicates(sample, segments, { replicates, random }), confidence, runs)
          : meanInterval({ mean, variance, df: kind === 't' ? runs - 1 : Infinity, level: confidence });
      intervals[m]!.missed.push(model.mean < low || model.mean > high ? 1 : 0);
      intervals[m]!.widths.push(share(high) - share(low));
    });
  }
  return { intervals, grandMeans: means };
};
