import {
  methodFacts,
  type ExperimentConfig,
  type MeasuredBenchmark,
  type Metric,
  type Side,
  type Warning,
} from '@deadheat/model';
import { AnalysisError, noCpuTime } from '../analysis-error.ts';
import { analysisRandom } from '../analysis-random.ts';
import { chooseMetric, metricFacts } from '../metric/choose-metric.ts';
import { iterationTimes, pairedTimes } from '../metric/iteration-times.ts';
import type { RunsOfTimes } from '../pairing/paired-ratios.ts';
import { selectRuns, type UsableRun } from '../pairing/select-runs.ts';
import { segmentRuns, type SegmentedRuns } from '../segments/segment-runs.ts';
import type { PerformanceModel, PlanningCosts } from './plan-dimensions.ts';
import { at } from '../internal/lists.ts';

/** Fewest short runs with which the paper found variances within 5 %. */
const enoughShortRuns = 25;

/** Long and short runs of one benchmark, both with the same warm-up taken away. */
export interface CalibrationRuns {
  /** Runs long enough to see shifts. */
  readonly long: MeasuredBenchmark;
  /** More runs, each a few iterations beyond warm-up. */
  readonly short: MeasuredBenchmark;
  /** Configuration of this benchmark (`configOf`). */
  readonly config: ExperimentConfig;
  /** Quantity of the model: the ratio of the sides, or the mean time of one of them by itself. */
  readonly of?: Side | 'ratio';
}

/** Result of a calibration for one benchmark. The model is that of the logarithm of B / A, or of one side's times. */
export interface Calibration {
  readonly metric: Metric;
  readonly model: PerformanceModel;
  /** Costs of one run with all benchmarks of its program, and of one iteration of this benchmark. */
  readonly costs: PlanningCosts;
  /** Numbers behind the model. */
  readonly seen: {
    readonly longRuns: number;
    readonly longIterations: number;
    readonly shifts: number;
    readonly shortRuns: number;
    readonly shortIterations: number;
  };
  readonly warnings: readonly Warning[];
}

function logs(times: Float64Array): Float64Array {
  return times.map(Math.log);
}

/** The series whose spread is that of the log ratio: one of paired log ratios, or log times of either side; or of one side alone. */
function seriesOf(
  runs: readonly UsableRun[],
  {
    metric,
    method,
    of,
  }: {
    readonly metric: Metric;
    readonly method: ExperimentConfig['method'];
    readonly of: NonNullable<CalibrationRuns['of']>;
  },
): readonly RunsOfTimes[] {
  const timesOf = (side: Side): Float64Array[] =>
    runs.map((run) => iterationTimes(run, side, metric) ?? new Float64Array(0));
  if (of !== 'ratio') return [timesOf(of).map(logs)];
  const times = { A: timesOf('A'), B: timesOf('B') };
  if (methodFacts[method].pairs === 'none') return [times.A.map(logs), times.B.map(logs)];
  const { A, B } = pairedTimes(runs, { ...times, outliers: 0 });
  return [A.map((below, r) => B.at(r)!.map((above, i) => Math.log(above / below[i]!)))];
}

/** Time that iterations of one benchmark took of a run, their number, and the time of the whole run, ns. */
function spent({ iterations: { A, B }, trial }: UsableRun): { spanNs: number; count: number; wallNs: number } {
  const span = ({ startsNs, endsNs }: UsableRun['iterations'][Side]): number =>
    (endsNs.at(-1) ?? 0) - (startsNs[0] ?? 0);
  const [a, b] = [span(A), span(B)];
  const spanNs = methodFacts[trial.method].together ? Math.max(a, b) : a + b;
  return { spanNs, count: Math.max(A.length, B.length), wallNs: trial.wallNs };
}

function costsOf(runs: readonly UsableRun[]): PlanningCosts {
  const all = runs.map(spent);
  const spanNs = total(all.map((one) => one.spanNs));
  const wallNs = total(all.map((one) => one.wallNs));
  return {
    iterationNs: spanNs / total(all.map(({ count }) => count)),
    runNs: Math.max(1, (wallNs - spanNs) / runs.length),
  };
}

function shiftsOf({ runs }: SegmentedRuns): number {
  return total(runs.map(({ segments }) => segments.length - 1));
}
function valuesOf({ runs }: SegmentedRuns): number {
  return total(runs.map(({ values }) => values.length));
}

/** Variance of the means of short runs, and the part that segments and measurements explain: equation 7 with Var(S) of the long runs. */
function runMeansOf(short: SegmentedRuns, segmentVariance: number) {
  const { runMeanVariance, measurementVariance, runs, segments, measurements } = short.components;
  const explained = (measurementVariance ?? 0) / (measurements / runs) + segmentVariance / (segments / runs);
  return { variance: runMeanVariance ?? 0, explained, degrees: runs - 1 };
}

/** Those of a ratio, whose variance is the sum of both sides'; degrees of freedom by Welch and Satterthwaite. */
function estimatedFrom(sides: readonly ReturnType<typeof runMeansOf>[]): Pick<PerformanceModel, 'estimatedFrom'> {
  const runMeanVariance = total(sides.map(({ variance }) => variance));
  if (runMeanVariance === 0) return {};
  const squares = total(sides.map(({ variance, degrees }) => variance ** 2 / degrees));
  const explained = total(sides.map((side) => side.explained));
  return { estimatedFrom: { runMeanVariance, explained, degrees: runMeanVariance ** 2 / squares } };
}

/** The metric by the runs that have both sides; without any wall time, unless CPU time is asked for. */
function metricOf(runs: readonly UsableRun[], asked: ExperimentConfig['metric']): Metric {
  const compared = runs.filter(({ iterations: { A, B } }) => A.length > 0 && B.length > 0);
  if (compared.length > 0) return chooseMetric(asked, metricFacts(compared)).metric;
  return asked === 'cpu' ? 'cpu' : 'time';
}

function tooFew(benchmark: string, what: string): AnalysisError {
  return new AnalysisError(
    'TOO_FEW_RUNS',
    `${benchmark}: ${what}, so nothing can be learned from them; give it more (deadheat calibrate)`,
    {
      benchmark,
    },
  );
}

/**
 * Model of a benchmark from long and short runs: Var(S) and the rate of shifts from the long ones, Var(B) and Var(R) from the short
 * ones, costs from both. Of `sequential` runs the components of both sides add up.
 *
 * The cost of a run holds its warm-up and, where its program holds several benchmarks, the others too: who plans for all of them
 * takes the others' iterations away.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` without a usable long run or with fewer than two short ones; as `segmentRuns`.
 * Source: Antoch et al., OOPSLA'26, section 7, "Estimate Segment Variability" and "Estimate Run and Measurement Variability". That
 * logarithms of ratios are segmented as one series is ours.
 */
export function calibrate({ long, short, config, of = 'ratio' }: CalibrationRuns): Calibration {
  const { benchmark } = short;
  const select = ({ runs: all }: MeasuredBenchmark): readonly UsableRun[] => {
    const { runs } = selectRuns(all, { ...config, workload: benchmark.workload, keepOneSided: of !== 'ratio' });
    return of === 'ratio' ? runs : runs.filter(({ iterations }) => iterations[of].length > 0);
  };
  const [longRuns, shortRuns] = [select(long), select(short)];
  if (longRuns.length === 0) throw tooFew(benchmark.name, 'no long run can be used');
  if (shortRuns.length < 2) throw tooFew(benchmark.name, `${shortRuns.length} short runs can be used`);
  const metric = metricOf([...longRuns, ...shortRuns], config.metric);
  const { method } = at(shortRuns, 0).trial;
  const hasTimes = ([...longRuns, ...shortRuns] as const).every((run) =>
    (of === 'ratio' ? (['A', 'B'] as const) : [of]).every((side) => iterationTimes(run, side, metric) !== null),
  );
  if (!hasTimes) throw noCpuTime(benchmark.name);
  const series = {
    long: seriesOf(longRuns, { metric, method, of }),
    short: seriesOf(shortRuns, { metric, method, of }),
  };
  const segmented = (runs: RunsOfTimes, purpose: string, options: { readonly window?: null } = {}): SegmentedRuns =>
    segmentRuns(runs, { random: analysisRandom(config.seed, benchmark, `calibrate ${purpose}`), ...options });
  const sides = series.long.map((runs, k) => ({
    long: segmented(runs, `long ${k}`),
    // The planned experiment keeps far iterations, which scatter its runs' means.
    short: segmented(at(series.short, k), `short ${k}`, { window: null }),
  }));
  const shifts = total(sides.map((side) => shiftsOf(side.long)));
  const runMeans = sides.map((side) => runMeansOf(side.short, side.long.components.segmentVariance ?? 0));
  const model = {
    measurementVariance: total(sides.map((side) => side.short.components.measurementVariance ?? 0)),
    segmentVariance: total(sides.map((side) => side.long.components.segmentVariance ?? 0)),
    runVariance: total(runMeans.map(({ variance, explained }) => Math.max(0, variance - explained))),
    shiftRate: shifts / total(sides.map((side) => valuesOf(side.long))),
    ...estimatedFrom(runMeans),
  };
  const iterationsOf = (runs: readonly UsableRun[]): number =>
    Math.round(total(runs.map((run) => spent(run).count)) / runs.length);
  const seen = {
    longRuns: longRuns.length,
    longIterations: iterationsOf(longRuns),
    shifts,
    shortRuns: shortRuns.length,
    shortIterations: iterationsOf(shortRuns),
  };
  return {
    metric,
    model,
    costs: costsOf(shortRuns),
    seen,
    warnings: warningsOf(
      sides.map((side) => side.long),
      seen,
    ),
  };
}

function warningsOf(long: readonly SegmentedRuns[], { shortRuns }: Calibration['seen']): readonly Warning[] {
  const trend = long.flatMap(({ warnings }) => warnings.filter(({ code }) => code === 'TREND'));
  if (shortRuns >= enoughShortRuns) return trend;
  const message =
    `${shortRuns} short runs: variances of runs are known within 5 % with about ${enoughShortRuns} of them, ` +
    `and only roughly with fewer; give it --short-runs ${enoughShortRuns}`;
  return [...trend, { code: 'FEW_RUNS', message }];
}

/**
 * Costs of runs whose program holds several benchmarks: an iteration is one of each of them, and a run without measured
 * iterations costs what the program's start and warm-up do.
 *
 * @param calibrations of all benchmarks of one program, at least one.
 * @throws RangeError for none.
 */
export function sharedCosts(calibrations: readonly Calibration[]): PlanningCosts {
  const [first] = calibrations;
  if (first === undefined) throw new RangeError('calibrations must hold at least one');
  const measuredNs = ({ costs, seen }: Calibration): number => costs.iterationNs * seen.shortIterations;
  return {
    iterationNs: total(calibrations.map(({ costs }) => costs.iterationNs)),
    runNs: Math.max(1, first.costs.runNs + measuredNs(first) - total(calibrations.map(measuredNs))),
  };
}

/** Sum of numbers, in their order. */
function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
