import type { Warning } from '@deadheat/model';
import type { SimulationSeries } from './simulation-series.ts';

/** Where an effect is drawn from: one of the values, plus normal noise. Both are such that its mean is 0. */
export interface EffectDistribution {
  /** Deviations, in the unit of the series; a single 0 where the effect is none. */
  readonly values: Float64Array;
  /** Standard deviation of the noise, in the same unit. */
  readonly bandwidth: number;
}

/** A benchmark as artificial recordings of it are drawn: every measurement is `mean` + a run's + a segment's + its own effect. */
export interface SimulationModel {
  readonly benchmark: string;
  /** `ratio`: mean, effects and measurements are natural logarithms of paired ratios B / A. */
  readonly unit: SimulationSeries['unit'];
  /** What intervals are to hold: the mean of all measurements there could be, in the unit of the series; times are above 0. */
  readonly mean: number;
  /** B, its mean taken away. */
  readonly measurementEffect: EffectDistribution;
  /** S. */
  readonly segmentEffect: EffectDistribution;
  /** R. */
  readonly runEffect: EffectDistribution;
  /** Lambda: changes a measurement, in [0, 1). */
  readonly shiftRate: number;
  /** What a change point costs where boundaries are detected: the median over the runs that the model was made from. */
  readonly penalty: number;
  /** What it was made from. */
  readonly seen: { readonly runs: number; readonly segments: number; readonly measurements: number };
  /** What makes it doubtful. */
  readonly warnings: readonly Warning[];
}

/** Shape of an artificial recording. */
export interface ExperimentDimension {
  /** At least 2. */
  readonly runs: number;
  /** Measurements of a run, warm-up not counted; at least 2. */
  readonly iterations: number;
}
