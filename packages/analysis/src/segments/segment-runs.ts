import { mean, standardDeviation, varianceComponents, type FlatSample, type Random } from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import type { RunsOfTimes } from '../pairing/paired-ratios.ts';
import { cleanRun, type CleaningOptions } from './clean-run.ts';
import { findSegments, type FindSegmentsOptions } from './find-segments.ts';
import { segmentWarnings, type SeriesUnit } from './segment-warnings.ts';
import type { Segment, SegmentedRun, SegmentedRuns } from './segmented-runs.ts';
import { trendOfRuns } from './trend-of-runs.ts';

/** How runs are cleaned, cut into segments and checked for a trend. */
export interface SegmentRunsOptions extends Omit<CleaningOptions, 'warmup'>, FindSegmentsOptions {
  /** Warm-up values of every run, or of each run by itself; default 0. */
  readonly warmup?: number | ArrayLike<number>;
  /** What the values are, for the words of warnings; default `any`. */
  readonly unit?: SeriesUnit;
  /** For the bootstrap of the trend. */
  readonly random: Random;
  /** Whether to check for a trend, default `true`. */
  readonly trend?: boolean;
  /** Level of the trend check, default 0.99. */
  readonly trendLevel?: number;
  /** Bootstrap replicates of the trend check, default 10 000. */
  readonly trendReplicates?: number;
}

const segmentRun = (series: ArrayLike<number>, options: CleaningOptions & FindSegmentsOptions): SegmentedRun => {
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
};

const flatten = (runs: readonly SegmentedRun[]): FlatSample => {
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
};

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
export const segmentRuns = (runs: RunsOfTimes, options: SegmentRunsOptions): SegmentedRuns => {
  const {
    warmup = 0,
    unit = 'any',
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
    warnings: segmentWarnings(segmented, { trend, unit }),
  };
};
