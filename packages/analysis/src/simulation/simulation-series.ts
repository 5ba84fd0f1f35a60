import type { Side } from '@deadheat/model';
import { at } from '../internal/at.ts';
import { chooseMetric } from '../metric/choose-metric.ts';
import { iterationTimes } from '../metric/iteration-times.ts';
import { metricFacts } from '../metric/metric-facts.ts';
import { pairedTimes } from '../metric/paired-times.ts';
import { logRatioSeries, type RunsOfTimes } from '../pairing/paired-ratios.ts';
import { selectRuns } from '../pairing/select-runs.ts';
import { labelOf, type StudyBenchmark } from '../study/study-group.ts';

/** Times of one side of one benchmark, or the ratios of a duet's pairs. */
export interface SimulationSeries {
  readonly label: string;
  /** `ns`: times; `ratio`: natural logarithms of B / A. */
  readonly unit: 'ns' | 'ratio';
  /** A value an iteration and run, warm-up left out. */
  readonly runs: RunsOfTimes;
}

/**
 * Both sides of every benchmark of a recording, and of a duet the ratios of its pairs as one series, in the metric that decides their
 * comparison; benchmarks without a usable run are left out.
 *
 * @throws AnalysisError as `overlaps` for `async-duet`.
 */
export const simulationSeries = (benchmarks: readonly StudyBenchmark[]): readonly SimulationSeries[] =>
  benchmarks.flatMap(({ benchmark, config, runs: all }) => {
    const { runs } = selectRuns(all, { ...config, workload: benchmark.workload });
    if (runs.length === 0) return [];
    const { metric } = chooseMetric(config.metric, metricFacts(runs));
    const timesOf = (side: Side): Float64Array[] =>
      runs.map((run) => iterationTimes(run, side, metric) ?? new Float64Array(0));
    const times = { A: timesOf('A'), B: timesOf('B') };
    const label = labelOf(benchmark);
    const sides = (['A', 'B'] as const).map((side) => ({
      label: `${label} ${side}`,
      unit: 'ns' as const,
      runs: times[side],
    }));
    if (at(runs, 0).trial.method === 'sequential') return sides;
    const pairs = pairedTimes(runs, { ...times, outliers: 0 });
    return [...sides, { label: `${label} B / A`, unit: 'ratio' as const, runs: logRatioSeries(pairs.B, pairs.A) }];
  });
