import { methodFacts, type Side, type Warning } from '@deadheat/model';
import { mean, type Random } from '@deadheat/stats';
import {
  at,
  chooseMetric,
  metricFacts,
  iterationTimes,
  pairedTimes,
  logRatioSeries,
  selectRuns,
  labelOf,
  type StudyBenchmark,
} from '@deadheat/analysis';

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
  /** Mean wall time of an iteration, ns; absent = not known, so that no duration can be simulated. */
  readonly iterationNs?: number;
}

/** Shape of an artificial recording. */
export interface ExperimentDimension {
  /** At least 2. */
  readonly runs: number;
  /** Measurements of a run, warm-up not counted; at least 2. */
  readonly iterations: number;
}

/** A duration that is filled: what each run holds beyond its warm-up follows from the number of runs. */
export interface ExperimentDuration {
  readonly totalNs: number;
  /** Of every run; nothing of it is measured. */
  readonly warmupNs: number;
  /** Number of runs, at least 2; absent = drawn anew for every experiment. */
  readonly runs?: number;
}

/** Durations of which every experiment has one, each as likely as the others. */
export interface ExperimentMix {
  readonly mix: readonly ExperimentDuration[];
}

/** Shape of artificial recordings. */
export type SimulatedDimension = ExperimentDimension | ExperimentDuration | ExperimentMix;

/** Beyond this many measurements an artificial recording is not drawn. */
const mostMeasurements = 2_000_000;

/**
 * Refuses a duration that does not fit a benchmark.
 *
 * @returns runs that the duration holds at most, each with two iterations.
 * @throws RangeError for a duration that holds no two such runs or fewer than it says, more than two million measurements, or an
 *   iteration of unknown time.
 */
export function mostRunsOf(
  { totalNs, warmupNs, runs = 2 }: ExperimentDuration,
  { iterationNs, benchmark }: TimedModel,
): number {
  if (iterationNs === undefined) throw new RangeError(`${benchmark}: the time of an iteration is not known`);
  const mostRuns = Math.floor(totalNs / (warmupNs + 2 * iterationNs));
  if (mostRuns < runs) {
    const wanted = runs === 2 ? 'two' : runs;
    throw new RangeError(`${benchmark}: ${formatHours(totalNs)} do not hold ${wanted} runs with their warm-up`);
  }
  if (totalNs / iterationNs > mostMeasurements) {
    const most = `${formatHours(totalNs)} hold more than ${mostMeasurements} iterations of ${iterationNs / 1e6} ms`;
    throw new RangeError(`${benchmark}: ${most}; take a shorter duration`);
  }
  return mostRuns;
}

type TimedModel = Pick<SimulationModel, 'iterationNs' | 'benchmark'>;

/**
 * The dimension of one experiment. Of a duration without a number of runs it is uniform between 2 and as many as have two iterations each
 * beyond warm-up, and the number of iterations what then fits.
 *
 * @throws RangeError as `mostRunsOf`.
 * Source: Antoch et al., OOPSLA'26, section 5: durations of 1, 8 and 24 h with warm-up of 2, 5 and 10 min, the rest "drawn from a uniform
 * distribution to fit"; that the iterations follow from the runs is ours.
 */
export function drawDimension(dimension: SimulatedDimension, model: TimedModel, random: Random): ExperimentDimension {
  if ('iterations' in dimension) return dimension;
  if ('mix' in dimension) return drawDimension(at(dimension.mix, random.int(dimension.mix.length)), model, random);
  const most = mostRunsOf(dimension, model);
  const runs = dimension.runs ?? 2 + random.int(most - 1);
  const iterations = Math.floor((dimension.totalNs / runs - dimension.warmupNs) / model.iterationNs!);
  return { runs, iterations: Math.max(2, iterations) };
}

function formatHours(ns: number): string {
  const minutes = ns / 60e9;
  return minutes % 60 === 0 ? `${minutes / 60}h` : Number.isInteger(minutes) ? `${minutes}min` : `${ns / 1e9}s`;
}

/** A dimension in words: `10x100`, `1h/2min` (duration and warm-up), `10 in 1h/2min` (runs), `mix of 1h/2min, 8h/5min`. */
export function dimensionText(dimension: SimulatedDimension): string {
  if ('iterations' in dimension) return `${dimension.runs}x${dimension.iterations}`;
  if ('mix' in dimension) return `mix of ${dimension.mix.map((one) => dimensionText(one)).join(', ')}`;
  const duration = `${formatHours(dimension.totalNs)}/${formatHours(dimension.warmupNs)}`;
  return dimension.runs === undefined ? duration : `${dimension.runs} in ${duration}`;
}

/** Times of one side of one benchmark, or the ratios of a duet's pairs. */
export interface SimulationSeries {
  readonly label: string;
  /** `ns`: times; `ratio`: natural logarithms of B / A. */
  readonly unit: 'ns' | 'ratio';
  /** A value an iteration and run, warm-up left out. */
  readonly runs: Parameters<typeof logRatioSeries>[0];
  /** Mean wall time of an iteration, ns; absent = not known. */
  readonly iterationNs?: number;
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
      iterationNs: meanIteration(runs, [side]),
    }));
    if (methodFacts[at(runs, 0).trial.method].pairs === 'none') return sides;
    const pairs = pairedTimes(runs, { ...times, outliers: 0 });
    return [
      ...sides,
      {
        label: `${label} B / A`,
        unit: 'ratio' as const,
        runs: logRatioSeries(pairs.B, pairs.A),
        iterationNs: meanIteration(runs, ['A', 'B']),
      },
    ];
  });
}

/** Mean wall time of the iterations of sides, ns. */
function meanIteration(runs: ReturnType<typeof selectRuns>['runs'], of: readonly Side[]): number {
  const spans = runs.flatMap(({ iterations }) =>
    of.flatMap((side) => {
      const { startsNs, endsNs } = iterations[side];
      return endsNs.length === 0 ? [] : [mean(endsNs.map((end, row) => end - startsNs[row]!))];
    }),
  );
  return mean(spans);
}
