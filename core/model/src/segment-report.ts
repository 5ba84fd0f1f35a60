import { z } from 'zod';

/** A stretch of steady performance in one run. */
const reportedSegmentSchema = z.object({
  /** Recorded indices of its first and last iteration; of a ratio those of A. */
  firstIteration: z.int().nonnegative(),
  /** Recorded index of its last iteration. */
  lastIteration: z.int().nonnegative(),
  /** Measurements in it, without outliers. */
  measurements: z.int().positive(),
  /** Mean of the measurements; of a ratio the geometric mean. */
  mean: z.number(),
  /** `null` for a single measurement; of a ratio that of its logarithms. */
  standardDeviation: z.number().nullable(),
});

/** The class of one run by its segments. */
const runClassSchema = z.enum(['flat', 'warm-up', 'slowdown', 'no-steady-state']);

/** One run in its segments, with the class of the whole run, warm-up included. */
const reportedRunSchema = z.object({
  /** Number of the run, from 0. */
  run: z.int().nonnegative(),
  /** All that were recorded, warm-up and outliers included; of a ratio the pairs that are judged. */
  repetitions: z.int().nonnegative(),
  /** Without warm-up and outliers. */
  measurements: z.int().nonnegative(),
  /** Measurements that were left out as outliers. */
  outliers: z.int().nonnegative(),
  /** The penalty for one change point, and how it was chosen. */
  penalty: z.number().nonnegative(),
  /** Choice of the penalty. */
  penaltyChosenBy: z.enum(['knee', 'no-knee', 'only', 'given', 'short']),
  /** Stretches of steady performance, in their order. */
  segments: z.array(reportedSegmentSchema),
  /** `null` where the run is shorter than the window, and for a ratio. */
  class: runClassSchema.nullable(),
  /** Recorded index of the first iteration of the steady state; `null` without one. */
  steadyFromIteration: z.int().nonnegative().nullable(),
});

/** The class of all runs of a benchmark. */
const benchmarkClassSchema = z.enum([...runClassSchema.options, 'good-inconsistent', 'bad-inconsistent']);

/** The classes of one benchmark's runs. */
export const steadyStateSchema = z.object({
  /** Benchmark, parameters and side. */
  name: z.string(),
  /** Those that were classified. */
  runs: z.int().positive(),
  /** Repetitions of a run, the mean, rounded. */
  repetitions: z.int().nonnegative(),
  /** Repetition from which on runs were steady, the mean of those that were, rounded; `null` when none was. */
  steadyFrom: z.int().nonnegative().nullable(),
  /** Shares of the runs by class, from 0 to 1. */
  shares: z.object({
    /** Runs that are steady from their beginning. */
    flat: z.number(),
    /** Runs whose steady state is their fastest part. */
    'warm-up': z.number(),
    /** Runs whose steady state is slower than an earlier part. */
    slowdown: z.number(),
    /** Runs without a steady state. */
    'no-steady-state': z.number(),
  }),
  /** Class of all runs together. */
  class: benchmarkClassSchema,
});
export type SteadyState = z.infer<typeof steadyStateSchema>;

/** Intervals of means of runs and segments. */
const segmentKindSchema = z.enum(['normal', 't', 'resampling']);

/** Properties of such an interval: its name in texts, and what it is made from. */
export const segmentIntervalFacts: Readonly<
  Record<
    z.infer<typeof segmentKindSchema>,
    { readonly name: string; readonly from: 'known-variance' | 'estimated-variance' | 'replicates' }
  >
> = {
  normal: { name: 'normal quantiles', from: 'known-variance' },
  t: { name: "Student's t", from: 'estimated-variance' },
  resampling: { name: 'expanded percentile', from: 'replicates' },
};

/** Method of an interval: see docs/methods/procedures/segments.md. */
const methodShape = {
  /** `aware` where the interval takes segments into account. */
  segments: z.enum(['aware', 'ignorant']),
  /** The kind of interval. */
  kind: segmentKindSchema,
};

/** An interval of one method. */
const segmentIntervalSchema = z.object({
  ...methodShape,
  /** The estimate. */
  estimate: z.number(),
  /** Lower end of the interval. */
  low: z.number(),
  /** Upper end of the interval. */
  high: z.number(),
  /** Confidence level of the interval: 0.99 = 99 %. */
  level: z.number(),
  /** Standard error; of a ratio that of its logarithm. */
  standardError: z.number().nonnegative(),
  /** Number of runs. */
  runs: z.int().positive(),
  /** Bootstrap replicates; 0 without resampling. */
  replicates: z.int().nonnegative(),
});

/** A side, or the ratio of both, by segments. */
const seriesSegmentsSchema = z.object({
  /** Unit of means and intervals: ns an invocation, or B / A. Variances are in ns^2, of a ratio those of its logarithm. */
  unit: z.enum(['ns', 'ratio']),
  /** Empty for the ratio of sides that were measured by themselves: their segments are those of the sides. */
  runs: z.array(reportedRunSchema),
  /** Class of all runs that were classified; `null` where none was. */
  class: benchmarkClassSchema.nullable(),
  /** Var(B), Var(S), Var(R): of measurements in a segment, segments in a run, runs; `null` where it cannot be estimated. */
  components: z
    .object({
      /** Var(B): of measurements in a segment. */
      measurementVariance: z.number().nonnegative().nullable(),
      /** Var(S): of segments in a run. */
      segmentVariance: z.number().nonnegative().nullable(),
      /** Var(R): of runs. */
      runVariance: z.number().nonnegative().nullable(),
    })
    .nullable(),
  /** Which of the intervals to use, and why in words: about segments, and about the kind. */
  chosen: z.object({
    ...methodShape,
    /** The reasons, a sentence each. */
    reasons: z.array(z.string()),
  }),
  /** Every method's; empty with one run. */
  intervals: z.array(segmentIntervalSchema),
});
export type SeriesSegments = z.infer<typeof seriesSegmentsSchema>;

/** Segments of a comparison, where they were asked for. */
export const comparisonSegmentsSchema = z.object({
  /** Repetitions at the end of a run that must be steady. */
  window: z.int().positive(),
  /** Segments of each side. */
  sides: z.object({ A: seriesSegmentsSchema, B: seriesSegmentsSchema }),
  /** Segments of the ratio B / A. */
  ratio: seriesSegmentsSchema,
});
export type ComparisonSegments = z.infer<typeof comparisonSegmentsSchema>;
