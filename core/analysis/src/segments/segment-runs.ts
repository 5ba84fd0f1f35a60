import type { Warning } from '@deadheat/model';
import {
  mean,
  slopeInterval,
  standardDeviation,
  studentTQuantile,
  varianceComponents,
  type FlatSample,
  type Random,
  type VarianceComponents,
} from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import type { RunsOfTimes } from '../pairing/paired-ratios.ts';
import { type Origin, withOptions, withRuns } from '../warnings/run-warnings.ts';
import {
  cleanRun,
  findSegments,
  type CleaningOptions,
  type CleanRun,
  type FindSegmentsOptions,
  type FoundSegments,
} from './find-segments.ts';

/** Options for cleaning runs, cutting them into segments and checking for a trend. */
interface SegmentRunsOptions extends Omit<CleaningOptions, 'warmup'>, FindSegmentsOptions {
  /** Warm-up values of every run, or of each run by itself; default 0. */
  readonly warmup?: number | ArrayLike<number>;
  /** Kind of the values, for the words of warnings; default `any`. */
  readonly unit?: SeriesUnit;
  /** Default `experiment`. */
  readonly origin?: Origin;
  /** For the bootstrap of the trend. */
  readonly random: Random;
  /** Check for a trend, default `true`. */
  readonly trend?: boolean;
  /** Level of the trend check, default 0.99. */
  readonly trendLevel?: number;
  /** Bootstrap replicates of the trend check, default 10 000. */
  readonly trendReplicates?: number;
}

function segmentRun(series: ArrayLike<number>, options: CleaningOptions & FindSegmentsOptions): SegmentedRun {
  const clean = cleanRun(series, options);
  const { changepoints, penalty, chosenBy } = findSegments(clean.values, options);
  const ends = [...changepoints, clean.values.length - 1];
  const segments = ends.map((end, s): Segment => {
    const start = s === 0 ? 0 : ends[s - 1]! + 1;
    const values = clean.values.subarray(start, end + 1);
    return {
      first: clean.indices[start]!,
      last: clean.indices[end]!,
      count: values.length,
      mean: mean(values),
      standardDeviation: values.length > 1 ? standardDeviation(values) : null,
    };
  });
  return { ...clean, segments, penalty, chosenBy };
}

function flatten(runs: readonly SegmentedRun[]): FlatSample {
  const values = new Float64Array(runs.reduce((total, run) => total + run.values.length, 0));
  const runStarts = [0];
  const segmentStarts = [0];
  let at = 0;
  for (const run of runs) {
    values.set(run.values, at);
    at += run.values.length;
    for (const { count } of run.segments) segmentStarts.push(segmentStarts.at(-1)! + count);
    runStarts.push(segmentStarts.length - 1);
  }
  return { values, offsets: [Int32Array.from(runStarts), Int32Array.from(segmentStarts)] };
}

/**
 * Cleans every run, cuts it into segments of steady performance, estimates the variance between runs, between segments of a run and
 * between measurements of a segment, and checks for a trend.
 *
 * @param runs a value an iteration and run, warm-up included, finite, in any one unit; runs may differ in length. At least one.
 * @returns with named warnings for a trend, one run, few measurements, equal measurements and changes at the ends of runs.
 * @throws AnalysisError `NO_MEASUREMENTS` when warm-up leaves nothing of a run; RangeError for no runs, values that are not finite and
 *   options that are out of range.
 * Source: Antoch et al., OOPSLA'26, section 5 (steps), appendix A.2 (components; `varianceComponents` says how equation 7 is read).
 */
export function segmentRuns(runs: RunsOfTimes, options: SegmentRunsOptions): SegmentedRuns {
  const {
    warmup = 0,
    unit = 'any',
    origin = 'experiment',
    random,
    trend: asked = true,
    trendLevel = 0.99,
    trendReplicates = 10_000,
    ...rules
  } = options;
  if (runs.length === 0) throw new RangeError('segments need at least 1 run, got 0');
  const segmented = runs.map((series, r) => {
    const own = typeof warmup === 'number' ? warmup : warmup[r];
    if (own === undefined) throw new RangeError(`warmup must have a number for each of ${runs.length} runs`);
    if (series.length <= own) {
      throw new AnalysisError(
        'NO_MEASUREMENTS',
        `run ${r + 1} has ${series.length} measurements, all of them warm-up (${own}); make runs longer (--iterations) or warm-up shorter (--warmup-iterations)`,
      );
    }
    return segmentRun(series, { ...rules, warmup: own });
  });
  const points = segmented.map(({ indices, values, warmup: own }) => ({
    times: Float64Array.from(indices, (index) => index - own),
    values,
  }));
  const checkable = asked && segmented.length > 1 && segmented.some(({ values }) => values.length > 1);
  const trend = checkable ? trendOfRuns(points, { random, level: trendLevel, replicates: trendReplicates }) : null;
  const sample = flatten(segmented);
  return {
    runs: segmented,
    sample,
    components: varianceComponents(sample),
    trend,
    warnings: segmentWarnings(segmented, { trend, unit, origin }),
  };
}

/** A stretch of steady performance. */
interface Segment {
  /** Index of its first value in the run as it was measured. */
  readonly first: number;
  /** Index of its last value there; outliers may lie between. */
  readonly last: number;
  /** Values in it, without outliers. */
  readonly count: number;
  readonly mean: number;
  /** Sample standard deviation; null for a single value. */
  readonly standardDeviation: number | null;
}

/** One run in its segments. */
interface SegmentedRun extends CleanRun {
  readonly segments: readonly Segment[];
  readonly penalty: number;
  readonly chosenBy: FoundSegments['chosenBy'];
}

/** All runs in their segments, and what that says about where the spread comes from. */
export interface SegmentedRuns {
  readonly runs: readonly SegmentedRun[];
  /** The cleaned values as runs of segments of measurements. */
  readonly sample: FlatSample;
  /** Equations 2, 3, 5, 6 and 7. */
  readonly components: VarianceComponents;
  /** Null with one run, or where it was not asked for. */
  readonly trend: TrendOfRuns | null;
  /** In the order of: trend, one run, few measurements, all equal, change at an end. */
  readonly warnings: readonly Warning[];
}

/** Below this number of runs a bootstrap over runs cannot hold 99 %: all slopes have one sign in 2 / 2^n of the trend-free experiments. */
const enoughRuns = 10;

type TrendRun = Parameters<typeof slopeInterval>[0][number];

/** Drift of performance while a run lasts. */
interface TrendOfRuns extends ReturnType<typeof slopeInterval> {
  /** The interval leaves out 0, and with fewer than ten runs so does the t interval of the slopes of single runs. */
  readonly present: boolean;
}

function slopeOf({ times, values }: TrendRun): number | null {
  const [t, y] = [mean(times), mean(values)];
  let spread = 0;
  let shared = 0;
  for (let i = 0; i < times.length; i++) {
    spread += (times[i]! - t) ** 2;
    shared += (times[i]! - t) * (values[i]! - y);
  }
  return spread > 0 ? shared / spread : null;
}

/** True if the t interval of the single runs' slopes leaves out 0. */
function runsAgree(runs: readonly TrendRun[], level: number): boolean {
  const slopes = runs.map(slopeOf).filter((slope) => slope !== null);
  if (slopes.length < 2) return false;
  const error = standardDeviation(slopes) / Math.sqrt(slopes.length);
  return Math.abs(mean(slopes)) > studentTQuantile((1 + level) / 2, slopes.length - 1) * error;
}

/**
 * The trend within runs: the slope of the common least-squares line and its bootstrap interval over runs (`slopeInterval`).
 *
 * With fewer than ten runs a percentile interval leaves out 0 far too often (with five in 6 % of the cases, whatever its level), so
 * a trend is reported only when the t interval of the runs' own slopes leaves it out too.
 *
 * @param runs at least two, with at least two different times in all.
 * @param options.level default 0.99; options.replicates default 10 000.
 * @throws RangeError as `slopeInterval`.
 * Source: Antoch et al., OOPSLA'26, section 5, "Checking trends"; the rule for few runs is ours.
 */
export function trendOfRuns(
  runs: readonly TrendRun[],
  options: { readonly random: Random; readonly level?: number; readonly replicates?: number },
): TrendOfRuns {
  const { random, level = 0.99, replicates = 10_000 } = options;
  const slope = slopeInterval(runs, { random, level, replicates });
  const outside = slope.low > 0 || slope.high < 0;
  return { ...slope, present: outside && (runs.length >= enoughRuns || runsAgree(runs, level)) };
}

const fewestMeasurements = 4;
const shortestEnd = 2;

function list(places: readonly number[]): string {
  const shown = places.slice(0, 3).map((place) => place + 1);
  const rest = places.length - shown.length;
  return `${places.length === 1 ? 'run' : 'runs'} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function places(runs: readonly SegmentedRun[], holds: (run: SegmentedRun) => boolean): number[] {
  return runs.flatMap((run, r) => (holds(run) ? [r] : []));
}

/** Kind of the values of runs: nanoseconds, logarithms of ratios, or of any one unit. */
type SeriesUnit = 'ns' | 'log-ratio' | 'any';

function trendText({ slope, low, high, level }: TrendOfRuns, unit: SeriesUnit): string {
  const scale = unit === 'log-ratio' ? 100 : 1;
  const suffix = { ns: ' ns', 'log-ratio': ' %', any: '' }[unit];
  const [by, from, to] = [Math.abs(slope), low, high].map((value) => (scale * value).toPrecision(3));
  return (
    `values ${slope > 0 ? 'rise' : 'fall'} while a run lasts, by ${by}${suffix} an iteration ` +
    `(${100 * level} % interval ${from} to ${to}${suffix})`
  );
}

/** Reasons why the segments, or a mean over them, are doubtful. */
function segmentWarnings(
  runs: readonly SegmentedRun[],
  { trend, unit, origin }: { readonly trend: TrendOfRuns | null; readonly unit: SeriesUnit; readonly origin: Origin },
): Warning[] {
  const warnings: Warning[] = [];
  const lessWarmup = withOptions('take more warm-up away', '--warmup-iterations', origin);
  if (trend?.present) {
    warnings.push({
      code: 'TREND',
      message:
        `${trendText(trend, unit)}: a mean over such runs depends on their length; ` +
        `look for a leak, or ${lessWarmup}, and compare runs of equal length`,
    });
  }
  if (runs.length === 1) {
    warnings.push({
      code: 'ONE_RUN',
      message:
        'only one run: how much runs differ is unknown, so no interval holds for the next run; ' +
        withRuns('give it 10 runs or more', 10, origin),
    });
  }
  const few = places(runs, (run) => run.values.length < fewestMeasurements);
  if (few.length > 0) {
    warnings.push({
      code: 'FEW_MEASUREMENTS',
      message: `${list(few)} had fewer than ${fewestMeasurements} measurements after warm-up: no change can be seen in so few; ${withOptions('make runs longer', '--iterations', origin)}`,
    });
  }
  const equal = places(runs, ({ values }) => values.length > 1 && values.every((value) => value === values[0]));
  if (equal.length > 0) {
    warnings.push({
      code: 'ALL_EQUAL',
      message: `all measurements of ${list(equal)} are equal: the clock may be too coarse for them; put more work into one iteration`,
    });
  }
  const edge = places(runs, ({ segments }) => {
    const [first, last] = [segments[0]!, segments.at(-1)!];
    return segments.length > 1 && Math.min(first.count, last.count) <= shortestEnd;
  });
  if (edge.length > 0) {
    warnings.push({
      code: 'CHANGE_AT_EDGE',
      message:
        `${list(edge)} changed at the first or last point, which makes a segment of ${shortestEnd} values with the weight of a long one: ` +
        `${lessWarmup}, or a higher penalty (--penalty)`,
    });
  }
  return warnings;
}
