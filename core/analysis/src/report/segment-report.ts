import {
  methodFacts,
  sides,
  type Benchmark,
  type ComparisonSegments,
  type ExperimentConfig,
  type MeasuredRun,
  type Metric,
  type SeriesSegments,
  type Side,
  type Warning,
} from '@deadheat/model';
import { largest, mean, type Random } from '@deadheat/stats';
import { noCpuTime } from '../analysis-error.ts';
import { analysisRandom } from '../analysis-random.ts';
import { chooseMetric, metricFacts } from '../metric/choose-metric.ts';
import { iterationTimes, pairedTimes, withIterations } from '../metric/iteration-times.ts';
import { logRatioSeries } from '../pairing/paired-ratios.ts';
import { selectRuns, type UsableRun } from '../pairing/select-runs.ts';
import type { FindSegmentsOptions } from '../segments/find-segments.ts';
import {
  segmentInterval,
  type SegmentInterval,
  chooseMethod,
  type ChosenMethod,
  chooseSequentialMethod,
  duetSegmentRatio,
  sequentialSegmentRatio,
} from '../segments/segment-interval.ts';
import type { IntervalMethod } from '../segments/segment-replicates.ts';
import { segmentRuns, type SegmentedRuns } from '../segments/segment-runs.ts';
import { classifyBenchmark, type ClassifiedRun } from '../steady-state/classify-run.ts';
import { steadyStateOfRun } from '../steady-state/steady-states.ts';
import type { Origin } from '../warnings/run-warnings.ts';
import { at } from '../internal/lists.ts';

/** Options of the analysis of segments. */
export interface SegmentRequest {
  /** Repetitions at the end of a run that must be steady for it to have a class; default 500. */
  readonly window?: number;
  /** Cost of one change point; default: at the knee of penalty against number of change points. */
  readonly penalty?: FindSegmentsOptions['penalty'];
  /** `false`: neither intervals nor the check for a trend, which take longest; default `true`. */
  readonly intervals?: boolean;
}

export interface SegmentReportInput {
  readonly runs: readonly MeasuredRun[];
  readonly benchmark: Benchmark;
  /** Configuration of this benchmark (`configOf`). */
  readonly config: ExperimentConfig;
  readonly request: SegmentRequest;
  /** Same meaning as in `compareBenchmark`; `false` when absent. */
  readonly keepOneSided?: boolean;
  /** `experiment` when absent. */
  readonly origin?: Origin;
}

interface Setup {
  readonly origin: Origin;
  readonly runs: readonly UsableRun[];
  readonly metric: Metric;
  readonly confidence: number;
  readonly window: number;
  readonly penalty: NonNullable<FindSegmentsOptions['penalty']>;
  readonly random: (purpose: string) => Random;
  readonly intervals: boolean;
}

const methods: readonly IntervalMethod[] = (['aware', 'ignorant'] as const).flatMap((segments) =>
  (['normal', 't', 'resampling'] as const).map((kind) => ({ segments, kind })),
);

/** Every method's interval; none with a single run, or where they are not asked for. */
function allIntervals(
  { runs, intervals }: Setup,
  make: (method: IntervalMethod) => SegmentInterval,
): SegmentInterval[] {
  return runs.length < 2 || !intervals ? [] : methods.map(make);
}

function chosenOf({ segments, kind, reasons }: ChosenMethod): SeriesSegments['chosen'] {
  return {
    segments,
    kind,
    reasons: [...reasons],
  };
}

function timesOf(run: UsableRun, side: Side, metric: Metric): Float64Array {
  const times = iterationTimes(run, side, metric);
  if (times === null) throw noCpuTime(`side ${side}`);
  return times;
}

interface Found extends SegmentedRuns {
  /** The recorded index of a place in the series of a run. */
  readonly indexOf: (run: number, place: number) => number;
}

interface SeriesShape {
  readonly unit: SeriesSegments['unit'];
  readonly classes: readonly (ClassifiedRun | null)[];
  readonly repetitionsOf: (run: number) => number;
  /** The recorded index of a place in the whole run. */
  readonly steadyIndexOf: (run: number, place: number) => number;
  readonly chosen: ChosenMethod;
  readonly intervals: readonly SegmentInterval[];
}

function seriesOf(setup: Setup, found: Found, shape: SeriesShape): SeriesSegments {
  const { measurementVariance, segmentVariance, runVariance } = found.components;
  const classes = shape.classes.flatMap((run) => (run === null ? [] : [run.class]));
  const levelOf = (level: number): number => (shape.unit === 'ratio' ? Math.exp(level) : level);
  return {
    unit: shape.unit,
    runs: found.runs.map((run, r) => {
      const steadyFrom = shape.classes[r]?.steadyFrom ?? null;
      return {
        run: at(setup.runs, r).trial.run,
        repetitions: shape.repetitionsOf(r),
        measurements: run.values.length,
        outliers: run.outliers.length,
        penalty: run.penalty,
        penaltyChosenBy: run.chosenBy,
        segments: run.segments.map(({ first, last, count, mean: level, standardDeviation }) => ({
          firstIteration: found.indexOf(r, first),
          lastIteration: found.indexOf(r, last),
          measurements: count,
          mean: levelOf(level),
          standardDeviation,
        })),
        class: shape.classes[r]?.class ?? null,
        steadyFromIteration: steadyFrom === null ? null : shape.steadyIndexOf(r, steadyFrom),
      };
    }),
    class: classes.length === 0 ? null : classifyBenchmark(classes),
    components: { measurementVariance, segmentVariance, runVariance },
    chosen: chosenOf(shape.chosen),
    intervals: [...shape.intervals],
  };
}

/**
 * A run's class over its whole length, warm-up included; `null` where it is too short. Its change points are those of the published
 * classification (`steadyStateOfRun`), whose rule for outliers is another than that of the segments.
 */
function classOf(
  { window, metric, penalty, random }: Setup,
  { run, whole, side }: { readonly run: UsableRun; readonly whole: MeasuredRun; readonly side: Side },
): ClassifiedRun | null {
  const iterations = whole.iterations[side];
  if (iterations.length < window) return null;
  const times = iterationTimes(withIterations(run, whole), side, metric);
  if (times === null) return null;
  const held = iterations.metric('n');
  return steadyStateOfRun(times, {
    window,
    penalty,
    ...(held === null ? {} : { invocations: mean(held) }),
    random: random(`class of ${side} ${run.trial.run}`),
  });
}

function sideSegments(
  setup: Setup,
  wholes: ReadonlyMap<UsableRun['trial'], MeasuredRun>,
  side: Side,
): { readonly found: Found; readonly series: SeriesSegments } {
  const { runs, metric, confidence, random, penalty, origin } = setup;
  const segmented = segmentRuns(
    runs.map((run) => timesOf(run, side, metric)),
    { penalty, origin, unit: 'ns', trend: setup.intervals, random: random(`trend of ${side}`) },
  );
  const found: Found = { ...segmented, indexOf: (r, place) => at(at(runs, r).iterations[side].indices, place) };
  const wholeOf = (r: number): MeasuredRun => {
    const whole = wholes.get(at(runs, r).trial);
    if (whole === undefined) throw new RangeError(`run ${r} is not among those measured`);
    return whole;
  };
  const drawn = random(`segments of ${side}`);
  const series = seriesOf(setup, found, {
    unit: 'ns',
    classes: runs.map((run, r) => classOf(setup, { run, whole: wholeOf(r), side })),
    repetitionsOf: (r) => wholeOf(r).iterations[side].length,
    steadyIndexOf: (r, place) => at(wholeOf(r).iterations[side].indices, place),
    chosen: chooseMethod(segmented.components, { confidence }),
    intervals: allIntervals(setup, (method) =>
      segmentInterval(segmented.sample, method, { confidence, random: drawn }),
    ),
  });
  return { found: { ...found, warnings: [...found.warnings, ...warmUpWarnings(series, setup)] }, series };
}

/** True if runs were still warming up when their measured iterations began. */
function warmUpWarnings({ runs }: SeriesSegments, { origin }: Setup): Warning[] {
  const late = runs.flatMap(({ class: found, steadyFromIteration, segments }) =>
    found === 'warm-up' && steadyFromIteration! > at(segments, 0).lastIteration ? [steadyFromIteration!] : [],
  );
  if (late.length === 0) return [];
  const last = largest(late);
  return [
    {
      code: 'WARM_UP_INCLUDED',
      message:
        `${late.length} of ${runs.length} runs were still warming up after their first measured iterations, the slowest until iteration ${last}: ` +
        `segments of warm-up count like any other, however short; ${origin === 'files' ? `have the tool leave out the first ${last}` : `measure with --warmup-iterations ${last} to leave them out`}`,
    },
  ];
}

function duetRatio(setup: Setup): { readonly found: Found; readonly series: SeriesSegments } {
  const { runs, metric, confidence, random, penalty, origin } = setup;
  const times = {
    A: runs.map((run) => timesOf(run, 'A', metric)),
    B: runs.map((run) => timesOf(run, 'B', metric)),
    outliers: 0,
  };
  const pairs = pairedTimes(runs, times);
  const segmented = segmentRuns(logRatioSeries(pairs.B, pairs.A), {
    penalty,
    origin,
    unit: 'log-ratio',
    trend: setup.intervals,
    random: random('trend of the ratio'),
  });
  const found: Found = {
    ...segmented,
    indexOf: (r, place) => {
      const { iterations, pairs: rows } = at(runs, r);
      return at(iterations.A.indices, at(rows.a, place));
    },
  };
  const drawn = random('segments of the ratio');
  const series = seriesOf(setup, found, {
    unit: 'ratio',
    classes: runs.map(() => null),
    repetitionsOf: (r) => at(runs, r).pairs.a.length,
    steadyIndexOf: found.indexOf,
    chosen: chooseMethod(segmented.components, { confidence }),
    intervals: allIntervals(setup, (method) =>
      duetSegmentRatio(segmented.sample, method, { confidence, random: drawn }),
    ),
  });
  return { found, series };
}

function sequentialRatio(setup: Setup, a: SegmentedRuns, b: SegmentedRuns): SeriesSegments {
  const { confidence, random } = setup;
  const drawn = random('segments of the ratio');
  return {
    unit: 'ratio',
    runs: [],
    class: null,
    components: null,
    chosen: chosenOf(chooseSequentialMethod(a.components, b.components, { confidence })),
    intervals: allIntervals(setup, (method) =>
      sequentialSegmentRatio(a.sample, b.sample, method, { confidence, random: drawn }),
    ),
  };
}

/** One warning for all series that give the same, with their names in front. */
function namedWarnings(series: readonly (readonly [name: string, warnings: readonly Warning[]])[]): Warning[] {
  const namesOf = new Map<string, { readonly warning: Warning; readonly names: string[] }>();
  for (const [name, warnings] of series) {
    for (const warning of warnings) {
      const key = `${warning.code} ${warning.message}`;
      const known = namesOf.get(key);
      if (known === undefined) namesOf.set(key, { warning, names: [name] });
      else known.names.push(name);
    }
  }
  return [...namesOf.values()].map(({ warning: { code, message }, names }) => ({
    code,
    message: `segments of ${names.join(', ')}: ${message}`,
  }));
}

/**
 * One benchmark by segments: both sides and their ratio, in the metric that decides the comparison. In a duet the logarithms of the
 * paired ratios are one series a run; sides that were measured by themselves keep their own segments.
 *
 * @returns `null` where no run is usable.
 * @throws AnalysisError as `overlaps` for `async-duet`; RangeError for a window below 1.
 */
export function segmentReport(
  input: SegmentReportInput,
): { readonly segments: ComparisonSegments; readonly warnings: readonly Warning[] } | null {
  const { benchmark, config, request, keepOneSided = false, origin = 'experiment' } = input;
  const { method, runs } = selectRuns(input.runs, { ...config, workload: benchmark.workload, keepOneSided });
  const runsOf = (side: Side): readonly UsableRun[] => runs.filter(({ iterations }) => iterations[side].length > 0);
  if (sides.some((side) => runsOf(side).length === 0)) return null;
  const setup: Setup = {
    origin,
    runs,
    metric: chooseMetric(config.metric, metricFacts(runs)).metric,
    confidence: config.confidence,
    window: request.window ?? 500,
    penalty: request.penalty ?? 'knee',
    random: (purpose) => analysisRandom(config.seed, benchmark, purpose),
    intervals: request.intervals ?? true,
  };
  const wholes = new Map(input.runs.map((run) => [run.trial, run] as const));
  const [a, b] = sides.map((side) => sideSegments({ ...setup, runs: runsOf(side) }, wholes, side)) as [
    ReturnType<typeof sideSegments>,
    ReturnType<typeof sideSegments>,
  ];
  const fewerRuns = runsOf(runsOf('A').length < runsOf('B').length ? 'A' : 'B');
  const duet = methodFacts[method].pairs === 'none' ? null : duetRatio(setup);
  return {
    segments: {
      window: setup.window,
      sides: { A: a.series, B: b.series },
      ratio: duet === null ? sequentialRatio({ ...setup, runs: fewerRuns }, a.found, b.found) : duet.series,
    },
    warnings: namedWarnings([
      ['A', a.found.warnings],
      ['B', b.found.warnings],
      ...(duet === null ? [] : ([['B / A', duet.found.warnings]] as const)),
    ]),
  };
}
