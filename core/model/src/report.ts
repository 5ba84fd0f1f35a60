import { z } from 'zod';
import { stabilityCriterionSchema, stableRuleSchema } from './config.ts';
import { gateSchema } from './gate.ts';
import { commitsSchema, machineSchema, hostSchema, partsSchema } from './recording.ts';
import { comparisonSegmentsSchema, steadyStateSchema } from './segment-report.ts';
import { methodSchema } from './methods.ts';
import { metricSchema, resourceMetricSchema, timeMetricSchema } from './metrics.ts';
import { paramsSchema, sideSchema, verdictSchema } from './vocabulary.ts';
import { warningSchema } from './warning.ts';

/** A ratio B / A with its interval. */
export const ratioSchema = z.object({
  estimate: z.number().positive(),
  low: z.number().nonnegative(),
  high: z.number().nonnegative(),
  confidence: z.number(),
  /**
   * How estimate and interval were made. Rank procedures: `signed-rank`, over what the interval is made of; `side-and-core`, over the two
   * assignments of the cores; `rank-sum`, over two independent samples. The others are of the mean.
   */
  interval: z.enum(['signed-rank', 'side-and-core', 'rank-sum', 'expanded-percentile', 'percentile', 'bca', 't']),
  /** Bootstrap replicates; 0 for an interval without resampling. */
  replicates: z.int().nonnegative(),
});
export type Ratio = z.infer<typeof ratioSchema>;

/**
 * A ratio B / A with an anytime interval: it keeps its level over all interim analyses together, not only at one that
 * was fixed before.
 */
export const sequentialRatioSchema = z.object({
  /** Of traded cores the mean of both assignments, else as that of `ratio`; for sequential runs the geometric mean ratio. */
  estimate: z.number().positive(),
  /** 0 and the largest double with fewer runs than the first interim analysis needs. */
  low: z.number().nonnegative(),
  high: z.number().nonnegative(),
  confidence: z.number(),
  /** How the interval was made: the t mixture martingale, widened for skewness. */
  interval: z.literal('anytime-t'),
});
export type SequentialRatio = z.infer<typeof sequentialRatioSchema>;

/** Most times that a report lists for a side. */
export const mostTimes = 100_000;

/** One side over all measured executions; times in seconds, as in hyperfine's export. */
export const sideSummarySchema = z.object({
  command: z.string(),
  name: z.string(),
  /**
   * The metric of `mean` to `times`: `time` is wall time; `cpu` is CPU time, for runs of `tandem`, in which wall time
   * is that of both sides together.
   */
  metric: timeMetricSchema.default('time'),
  /** Median wall time in the pilot runs, where the side had a core of its own; `null` where there were none. */
  alone: z.number().nullable().default(null),
  mean: z.number(),
  stddev: z.number().nullable(),
  median: z.number(),
  min: z.number(),
  max: z.number(),
  /** Mean user time; `null` where the machine does not report it, and for programs that hold their iterations. */
  user: z.number().nullable(),
  system: z.number().nullable(),
  /** Coefficient of variation of the times; `null` with fewer than two. */
  cv: z.number().nullable(),
  /** Every measured time, in the order of the runs; of more than `mostTimes` a random sample of this size, in the same order. */
  times: z.array(z.number()),
  /** Of a command one for each of `times`, of a program that holds its iterations one a run. */
  exitCodes: z.array(z.int().nullable()),
  maxRssBytes: z.int().nullable(),
});
export type SideSummary = z.infer<typeof sideSummarySchema>;

export const otherMetricSchema = z.object({
  metric: metricSchema,
  ratio: ratioSchema,
  /** As that of the comparison. */
  sequential: sequentialRatioSchema.nullable(),
  /** By the interval that decides the comparison. */
  verdict: verdictSchema,
});
export type OtherMetric = z.infer<typeof otherMetricSchema>;

const quantityOfSideSchema = z.object({
  mean: z.number(),
  /** Values behind the mean: one a run, of a side with a single run its iterations. */
  samples: z.int().positive(),
});

/**
 * A quantity that was measured beside time, in a unit of its own: bytes and allocations an operation of Go, JMH's secondary metrics,
 * mitata's heap. It never decides the comparison.
 */
export const quantitySchema = z.object({
  /** As the tool calls it: `allocs/op`, `gc.alloc.rate.norm`. */
  name: z.string(),
  /** `null` where the tool tells none. */
  unit: z.string().nullable(),
  A: quantityOfSideSchema,
  B: quantityOfSideSchema,
  /**
   * Ratio of the means B / A with its t interval, 0 and the largest double where a side has a single value; `null` unless both means
   * are above 0.
   */
  ratio: z
    .object({
      estimate: z.number().positive(),
      low: z.number().nonnegative(),
      high: z.number().nonnegative(),
      confidence: z.number(),
    })
    .nullable(),
  /** `more` or `less` of it in B; `same`: equal, or within the margin and 1 %. Not corrected for the number of quantities. */
  verdict: z.enum(['more', 'less', 'same', 'undecided']),
});
export type Quantity = z.infer<typeof quantitySchema>;

/** The expected result of more runs when the verdict is `undecided`. */
export const outlookSchema = z.object({
  moreRuns: z.int().positive(),
  moreTimeNs: z.number().nonnegative(),
  /** Where the interval is over hosts: the further machines that the runs are to be made on. */
  moreHosts: z.int().positive().optional(),
});
export type Outlook = z.infer<typeof outlookSchema>;

/** The last result of one criterion for one side. */
export const stabilityCheckSchema = z.object({
  side: sideSchema,
  criterion: stabilityCriterionSchema,
  stable: z.boolean(),
  /** The value that is compared with the threshold; `null` = there were too few values. */
  value: z.number().nullable(),
  threshold: z.number(),
});

const sideWarmupSchema = z.object({
  warmup: z.int().nonnegative(),
  decidedAfter: z.int().nonnegative(),
  stable: z.boolean(),
});

/** The results of dynamic reconfiguration: the end of the warm-up, and the stability of the runs. */
export const stabilitySchema = stableRuleSchema
  .pick({ criteria: true, combine: true, like: true, liftCaps: true })
  .extend({
    /** Runs that made all of their measured iterations. */
    runs: z.array(
      z.object({
        run: z.int().nonnegative(),
        /** Warm-up iterations that each side made. */
        warmup: z.int().nonnegative(),
        /** After how many of them the decision fell; what came until the sides heard of it is warm-up too. */
        decidedAfter: z.int().nonnegative(),
        /** Whether both sides were stable then; `false`: the cap was reached. */
        stable: z.boolean(),
        checks: z.array(stabilityCheckSchema),
        /** Sides that are followed by themselves: the same of each, the larger stands above. `null`: both stop together. */
        apart: z.object({ A: sideWarmupSchema, B: sideWarmupSchema }).nullable().default(null),
      }),
    ),
    /** Whether the runs together were stable, where the stop rule asks for it; else `null`. */
    overRuns: z
      .object({ runs: z.int().nonnegative(), stable: z.boolean(), checks: z.array(stabilityCheckSchema) })
      .nullable(),
  });
export type Stability = z.infer<typeof stabilitySchema>;

/** The effect of the machines on a comparison that was measured on several. */
export const hostEffectsSchema = z.object({
  each: z.array(
    z.object({
      id: z.string(),
      /** Usable runs. */
      runs: z.int().positive(),
      /** On this machine alone, by a t interval over its runs; 0 and the largest double with fewer than two. */
      ratio: z.object({
        estimate: z.number().positive(),
        low: z.number().nonnegative(),
        high: z.number().nonnegative(),
      }),
      /** Mean of the runs' mean times, in the metric that decides. */
      meanNs: z.object({ A: z.number(), B: z.number() }),
    }),
  ),
  /** Standard deviation between hosts of the log ratio, without what runs add to it: 0.004 = 0.4 %. */
  between: z.number().nonnegative(),
  /** The same within hosts, of what is resampled; `null` where no host has two. */
  within: z.number().nonnegative().nullable(),
  /** Standard deviation of the logarithms of the hosts' mean times of A: how much faster some machines are than others. */
  timesBetween: z.number().nonnegative(),
  /** `hosts`: the interval of the ratio speaks for machines like these; `runs`: for these machines alone. */
  pooledOver: z.enum(['hosts', 'runs']),
});
export type HostEffects = z.infer<typeof hostEffectsSchema>;

/** The result of other machines for a benchmark that was slower on the first ones. */
export const confirmationSchema = z.object({
  /** Their ids. */
  hosts: z.array(z.string()),
  runs: z.int().nonnegative(),
  /** `null` with too few runs. */
  ratio: ratioSchema.pick({ estimate: true, low: true, high: true, confidence: true }).nullable(),
  verdict: verdictSchema.nullable(),
});

export const comparisonSchema = z.object({
  benchmark: z.string(),
  params: paramsSchema,
  method: methodSchema,
  /** Why pilot runs chose this method; `null` where the user chose it. */
  methodReason: z.string().nullable().default(null),
  metric: metricSchema,
  /** Why this metric decides. */
  metricReason: z.string(),
  /** For a number of runs that what was measured had no part in. */
  ratio: ratioSchema,
  /**
   * Where `ratio` is of ranks, the mean beside it: the geometric mean of the runs' ratios, of sides that were measured by themselves the
   * ratio of their mean times; else `null`.
   */
  meanRatio: ratioSchema.nullable().default(null),
  /** Where the mean decides in the place of ranks because slow runs are lopsided, the ratio by ranks; else `null`. */
  rankRatio: ratioSchema.nullable().default(null),
  /**
   * Where the runs were looked at while they came in (stop rules `decided` and `precision`): the interval that holds at every
   * look; else `null`.
   */
  sequential: sequentialRatioSchema
    .extend({
      /** Number of interim analyses of the stop rule. */
      looks: z.int().nonnegative(),
      /** Whether the rule's question is answered: a safe verdict, or the precision. */
      reached: z.boolean(),
    })
    .nullable(),
  /** Which interval the verdict is from: that of `ratio` (`fixed`) or of `sequential`. */
  decidedBy: z.enum(['fixed', 'sequential']),
  otherMetrics: z.array(otherMetricSchema),
  /** What was measured in other units than time; absent = nothing was. */
  quantities: z.array(quantitySchema).optional(),
  /** Resources that were compared, as mean of the runs, an execution: bytes for `rss`, else a number. Absent = none. */
  resources: z.array(z.object({ metric: resourceMetricSchema, A: z.number(), B: z.number() })).optional(),
  /** Difference of the means, B - A, in ns; for duets of the paired times. Where a resource decides, in bytes (`rss`) or a number. */
  difference: z.object({ estimateNs: z.number(), lowNs: z.number(), highNs: z.number() }),
  verdict: verdictSchema,
  margin: z.number().nonnegative(),
  /**
   * Without a margin: the difference that must have been visible for the verdict `dead-heat`, 0.1 = 10 %. Absent with a margin, and where
   * no difference had to be visible.
   */
  deadHeatBound: z.number().positive().optional(),
  /**
   * One-sided p values against the hypotheses that B takes at most 1 + margin times as long as A, and at least that part of
   * it: by the test whose interval decides; of `sequential` at any moment. A family of benchmarks is corrected with them.
   */
  pValues: z.object({ slower: z.number().min(0).max(1), faster: z.number().min(0).max(1) }),
  /** The name of the benchmark beside which A was measured against itself; absent = this is no control. */
  controlOf: z.string().optional(),
  /** How far to each side the interval was planned to reach and how far it does, relative; `null` = it was not planned. */
  planned: z.object({ halfWidth: z.number().positive(), achieved: z.number().nonnegative() }).nullable(),
  /** Smallest true slowdown that would have been called `slower` with a probability of 80 %; 0.009 = 0.9 %. */
  minimalDetectableSlowdown: z.number().nonnegative(),
  /** Interval width with the pairs shuffled / width with the true pairs; `null` for methods without pairs. */
  pairingGain: z.number().nonnegative().nullable(),
  outlook: outlookSchema.nullable(),
  runs: z.int().nonnegative(),
  pairs: z.int().nonnegative(),
  /**
   * What the interval is over, and the bootstrap resampled: runs, blocks of two runs that traded cores, hosts, or where a file of
   * another tool holds a single run its iterations.
   */
  resampled: z.object({ unit: z.enum(['run', 'traded-block', 'host', 'iteration']), count: z.int().nonnegative() }),
  /**
   * Autocorrelation at lag 1 of the log ratios of what is resampled, in the order of the runs: an interval counts on
   * independent ones. `null` with fewer than ten, and for samples of sides that were not measured together.
   */
  neighbourCorrelation: z.number().min(-1).max(1).nullable().default(null),
  /** Absent where all runs are of one machine. */
  hosts: hostEffectsSchema.optional(),
  /** Absent where nothing was to be confirmed. */
  confirmation: confirmationSchema.optional(),
  iterationsPerRun: z.number().nonnegative(),
  discarded: z.object({
    warmup: z.int().nonnegative(),
    outliers: z.int().nonnegative(),
    unpaired: z.int().nonnegative(),
  }),
  /** `null` where the number of warm-up iterations was fixed. */
  stability: stabilitySchema.nullable(),
  sides: z.object({ A: sideSummarySchema, B: sideSummarySchema }),
  /** Wall time spent, and the same times the cores that were kept busy. */
  time: z.object({ wallNs: z.number().nonnegative(), machineNs: z.number().nonnegative() }),
  warnings: z.array(warningSchema),
  /** Only where segments were asked for (`analyse --segments`). */
  segments: comparisonSegmentsSchema.optional(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** A side in the shape of hyperfine's `results`, so that existing scripts keep working. Seconds. */
export const hyperfineResultSchema = z.object({
  command: z.string(),
  mean: z.number(),
  stddev: z.number().nullable(),
  median: z.number(),
  user: z.number().nullable(),
  system: z.number().nullable(),
  min: z.number(),
  max: z.number(),
  times: z.array(z.number()),
  exit_codes: z.array(z.int().nullable()),
  parameters: paramsSchema.optional(),
});
export type HyperfineResult = z.infer<typeof hyperfineResultSchema>;

/** `report.json` and `--export-json`. */
export const reportSchema = z.object({
  schema: z.literal('deadheat.report/1'),
  tool: z.object({ name: z.string(), version: z.string() }),
  experiment: z.object({
    id: z.string(),
    name: z.string(),
    startedAt: z.string(),
    seed: z.string(),
    method: methodSchema,
    confidence: z.number(),
    margin: z.number(),
    /** Folder of the recording; of files of other tools the first. */
    recording: z.string(),
    /** Result files of other tools that were judged in place of a recording. */
    files: z.array(z.string()).optional(),
    /** Project of the comparisons in a history; absent = the name. */
    project: z.string().optional(),
    /** Absent where the sides are not commits or their commits are not known. */
    commits: commitsSchema.optional(),
    /** Whether every planned run is in. */
    complete: z.boolean(),
    /** Which parts of it are in; absent = it was never divided. */
    parts: partsSchema.pick({ count: true, taken: true }).optional(),
  }),
  /** Where it was measured, of several machines the first; `null` = in files of other tools, which do not contain it. */
  machine: machineSchema.nullable(),
  /** Every machine of an experiment over several. */
  hosts: z.array(hostSchema).optional(),
  comparisons: z.array(comparisonSchema),
  results: z.array(hyperfineResultSchema),
  /** The gate: the result of all comparisons for a pipeline (`--fail-on`, `--control`). */
  gate: gateSchema,
  /** Only where segments were asked for and runs have the window: which of them reach a steady state, for each benchmark and side. */
  steadyStates: z
    .object({
      /** Repetitions at the end of a run that must be steady. */
      window: z.int().positive(),
      benchmarks: z.array(steadyStateSchema),
    })
    .optional(),
  warnings: z.array(warningSchema),
});
export type Report = z.infer<typeof reportSchema>;

/** Estimate and ends of the interval that a comparison's verdict is made from. */
export function decidingInterval({
  ratio,
  sequential,
  decidedBy,
}: Pick<Comparison, 'ratio' | 'sequential' | 'decidedBy'>): Pick<Ratio, 'estimate' | 'low' | 'high' | 'confidence'> {
  return decidedBy === 'sequential' && sequential !== null ? sequential : ratio;
}
