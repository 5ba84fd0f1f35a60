import type { Side, Warning } from '@deadheat/model';
import { at } from '../internal/at.ts';
import { chooseMetric, metricFacts } from '../metric/choose-metric.ts';
import { iterationTimes, pairedTimes } from '../metric/iteration-times.ts';
import { logRatioSeries, type RunsOfTimes } from '../pairing/paired-ratios.ts';
import { selectRuns } from '../pairing/select-runs.ts';
import { labelOf, type StudyBenchmark } from '../study/study-group.ts';

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

/** Times of one side of one benchmark, or the ratios of a duet's pairs. */
export interface SimulationSeries {
  readonly label: string;
  /** `ns`: times; `ratio`: natural logarithms of B / A. */
  readonly unit: 'ns' | 'ratio';
  /** A value an iteration and run, warm-up left out. */
  readonly runs: RunsOfTimes;
}

/**
 * The sides of every benchmark of a recording, one or both, and of a duet the ratios of its pairs as one series, in the metric that decides their
 * comparison; benchmarks without a usable run are left out.
 *
 * @throws AnalysisError as `overlaps` for `async-duet`.
 */
export function simulationSeries(benchmarks: readonly StudyBenchmark[]): readonly SimulationSeries[] {
  return benchmarks.flatMap(({ benchmark, config, runs: all }) => {
    const { runs } = selectRuns(all, { ...config, workload: benchmark.workload, keepOneSided: true });
    if (runs.length === 0) return [];
    const { metric } = chooseMetric(config.metric, metricFacts(runs));
    const timesOf = (side: Side): Float64Array[] =>
      runs
        .filter(({ iterations }) => iterations[side].length > 0)
        .map((run) => iterationTimes(run, side, metric) ?? new Float64Array(0));
    const times = { A: timesOf('A'), B: timesOf('B') };
    const label = labelOf(benchmark);
    const told = (['A', 'B'] as const).filter((side) => times[side].length > 0);
    const sides = told.map((side) => ({
      label: told.length === 1 ? label : `${label} ${side}`,
      unit: 'ns' as const,
      runs: times[side],
    }));
    if (at(runs, 0).trial.method === 'sequential') return sides;
    const pairs = pairedTimes(runs, { ...times, outliers: 0 });
    return [...sides, { label: `${label} B / A`, unit: 'ratio' as const, runs: logRatioSeries(pairs.B, pairs.A) }];
  });
}
