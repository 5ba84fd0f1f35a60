import { z } from 'zod';
import { stabilityCriterionSchema, stableRuleSchema } from './config.ts';
import { gateSchema } from './gate.ts';
import { commitsSchema, machineSchema, hostSchema, partsSchema } from './recording.ts';
import { estimateSchema, intervalSchema } from './intervals.ts';
import { comparisonSegmentsSchema, steadyStateSchema } from './segment-report.ts';
import { methodSchema } from './methods.ts';
import { metricSchema, resourceMetricSchema, timeMetricSchema } from './metrics.ts';
import { judgedSchema, paramsSchema, sideSchema, verdictSchema } from './vocabulary.ts';
import { warningSchema } from './warning.ts';

/** Most times that a report lists for a side. */
export const mostTimes = 100_000;

/** One side over all measured executions; times in seconds, as in hyperfine's export. */
const sideSummarySchema = z.object({
  /** Command line of the side. */
  command: z.string(),
  /** Name of the side; the command line where none was given. */
  name: z.string(),
  /**
   * The metric of `mean` to `times`: `time` is wall time; `cpu` is CPU time, for runs of `tandem`, in which wall time
   * is that of both sides together.
   */
  metric: timeMetricSchema,
  /** Median wall time in the pilot runs, where the side had a core of its own; `null` where there were none. */
  alone: z.number().nullable(),
  /** Mean time, seconds. */
  mean: z.number(),
  /** Standard deviation of the times, seconds; `null` with fewer than two. */
  stddev: z.number().nullable(),
  /** Median time, seconds. */
  median: z.number(),
  /** Shortest time, seconds. */
  min: z.number(),
  /** Longest time, seconds. */
  max: z.number(),
  /** Mean user time; `null` where the machine does not report it, and for programs that hold their iterations. */
  user: z.number().nullable(),
  /** Mean system time, seconds; `null` as `user`. */
  system: z.number().nullable(),
  /** Coefficient of variation of the times; `null` with fewer than two. */
  cv: z.number().nullable(),
  /** Every measured time, in the order of the runs; of more than `mostTimes` a random sample of this size, in the same order. */
  times: z.array(z.number()),
  /** Exit codes: of a command one for each of `times`, of a program that holds its iterations one a run. */
  exitCodes: z.array(z.int().nullable()),
  /** Largest peak memory of all runs, bytes; `null` where it is not known. */
  maxRssBytes: z.int().nullable(),
});
export type SideSummary = z.infer<typeof sideSummarySchema>;

const centreSchema = z.object({
  /** Median of the means of the runs. */
  typical: z.number(),
  /** Mean of all executions. */
  mean: z.number(),
});

/** A comparison in a metric beside the one that decides. */
const otherMetricSchema = z.object({
  /** The metric. */
  metric: metricSchema,
  /** Its ratio B / A by the procedure that decides the comparison. */
  interval: intervalSchema,
  /** Its interval of a number of runs that was fixed before, where the comparison has one. */
  fixedInterval: intervalSchema.nullable(),
  /** By `interval`. */
  verdict: verdictSchema,
  /** Of work that counting runs brought; absent = the judged runs did. */
  counting: z
    .object({
      /** Counting runs, of both sides. */
      runs: z.int().positive(),
      /** True if each side had the same count in all of them. */
      repeats: z.boolean(),
      /** Unit of a count of bytes; absent = it is a number. */
      unit: z.literal('bytes').optional(),
    })
    .optional(),
});

const quantityOfSideSchema = z.object({
  /** Mean of the values, in the unit of the quantity. */
  mean: z.number(),
  /** Values behind the mean: one a run, of a side with a single run its iterations. */
  samples: z.int().positive(),
});

/**
 * A quantity that was measured beside time, in a unit of its own: bytes and allocations an operation of Go, JMH's secondary metrics,
 * mitata's heap. It never decides the comparison.
 */
const quantitySchema = z.object({
  /** Name in the tool: `allocs/op`, `gc.alloc.rate.norm`. */
  name: z.string(),
  /** `null` where the tool gives none. */
  unit: z.string().nullable(),
  /** Values of side A. */
  A: quantityOfSideSchema,
  /** Values of side B. */
  B: quantityOfSideSchema,
  /**
   * Ratio of the means B / A with its t interval, 0 and the largest double where a side has a single value; `null` unless both means
   * are above 0.
   */
  ratio: estimateSchema.nullable(),
  /** `true` where each side has one value in all of its runs, two or more; else absent. */
  isConstant: z.literal(true).optional(),
  /** `more` or `less` of it in B; `same`: equal, or within the margin and 1 %. Not corrected for the number of quantities. */
  verdict: z.enum(['more', 'less', 'same', 'undecided']),
});
export type Quantity = z.infer<typeof quantitySchema>;

/** The expected result of more runs when the verdict is `undecided`. */
const outlookSchema = z.object({
  /** Further runs that are expected to lead to a verdict. */
  moreRuns: z.int().positive(),
  /** Time that they are expected to take, ns. */
  moreTimeNs: z.number().nonnegative(),
  /** Where the interval is over hosts: the further machines that the runs are to be made on. */
  moreHosts: z.int().positive().optional(),
  /** Where it is over layouts: the further builds of each side. */
  moreLayouts: z.int().positive().optional(),
});
export type Outlook = z.infer<typeof outlookSchema>;

/** The last result of one criterion for one side. */
const stabilityCheckSchema = z.object({
  /** The side whose values were checked. */
  side: sideSchema,
  /** The criterion. */
  criterion: stabilityCriterionSchema,
  /** The values meet the criterion. */
  stable: z.boolean(),
  /** The value that is compared with the threshold; `null` = there were too few values. */
  value: z.number().nullable(),
  /** The threshold of the criterion. */
  threshold: z.number(),
});

/** The warm-up of a side, or of both, in one run. */
const warmupSchema = z.object({
  /** Warm-up iterations of a side. */
  warmup: z.int().nonnegative(),
  /** Warm-up iterations after which the decision fell; those that came until the sides heard of it are warm-up too. */
  decidedAfter: z.int().nonnegative(),
  /** The side, or both, were stable then; `false`: the cap was reached. */
  stable: z.boolean(),
});

/** The results of dynamic reconfiguration: the end of the warm-up, and the stability of the runs. */
const stabilitySchema = stableRuleSchema.pick({ criteria: true, combine: true, like: true, liftCaps: true }).extend({
  /** Runs that made all of their measured iterations. */
  runs: z.array(
    warmupSchema.extend({
      /** Number of the run, from 0. */
      run: z.int().nonnegative(),
      /** The last results of the criteria. */
      checks: z.array(stabilityCheckSchema),
      /** Sides that are followed by themselves: the same of each, the larger stands above. `null`: both stop together. */
      apart: z.object({ A: warmupSchema, B: warmupSchema }).nullable(),
    }),
  ),
  /** Stability of the runs together, where the stop rule asks for it; else `null`. */
  overRuns: z
    .object({
      /** Number of runs. */
      runs: z.int().nonnegative(),
      /** They met the criteria. */
      stable: z.boolean(),
      /** The last results of the criteria. */
      checks: z.array(stabilityCheckSchema),
    })
    .nullable(),
});
export type Stability = z.infer<typeof stabilitySchema>;

/** The effect of the machines, or of the layouts of the programs, on a comparison that was measured on several; the fields name machines. */
const hostEffectsSchema = z.object({
  /** Each machine. */
  each: z.array(
    z.object({
      /** Id of the machine, as in `hosts` of the report, or number of the layout from 1. */
      id: z.string(),
      /** Usable runs. */
      runs: z.int().positive(),
      /** On this machine alone, by a t interval over its runs; 0 and the largest double with fewer than two. */
      ratio: estimateSchema.omit({ level: true }),
      /** Mean of the runs' mean times, in the metric that decides. */
      meanNs: z.object({
        /** Mean time of side A. */
        A: z.number(),
        /** Mean time of side B. */
        B: z.number(),
      }),
    }),
  ),
  /** Standard deviation between hosts of the log ratio, without what runs add to it: 0.004 = 0.4 %. */
  between: z.number().nonnegative(),
  /** The same within hosts, of what is resampled; `null` where no host has two. */
  within: z.number().nonnegative().nullable(),
  /** Standard deviation of the logarithms of the hosts' mean times of A: how much faster some machines are than others. */
  timesBetween: z.number().nonnegative(),
  /** `hosts`, `layouts`: the interval of the ratio speaks for machines or builds like these; `runs`: for these machines alone. */
  pooledOver: z.enum(['hosts', 'layouts', 'runs']),
});
export type HostEffects = z.infer<typeof hostEffectsSchema>;

/** The result of other machines for a benchmark that was slower on the first ones. */
const confirmationSchema = z.object({
  /** Their ids. */
  hosts: z.array(z.string()),
  /** Usable runs of these machines. */
  runs: z.int().nonnegative(),
  /** `null` with too few runs. */
  ratio: estimateSchema.nullable(),
  /** Their verdict; `null` with too few runs. */
  verdict: verdictSchema.nullable(),
});

/** The comparison of A and B for one benchmark, one combination of its parameters and one method. Times are ns, differences are fractions. */
export const comparisonSchema = z.object({
  /** Name of the benchmark. */
  benchmark: z.string(),
  /** Values of its parameters by their names. */
  params: paramsSchema,
  /** The method by which the sides were executed against each other. */
  method: methodSchema,
  /** Why pilot runs chose this method; `null` where the user chose it. */
  methodReason: z.string().nullable(),
  /** The metric that decides. */
  metric: metricSchema,
  /** Why this metric decides. */
  metricReason: z.string(),
  /** The quantity that decides; the total time is not known where the mean of a resource is 0. */
  judge: judgedSchema,
  /** The ratio B / A of that quantity with the interval that the verdict is from. */
  interval: intervalSchema,
  /**
   * Where the runs were looked at while they came in, so that an interval that holds at every interim analysis decides: the interval of a
   * number of runs that was fixed before; else `null`.
   */
  fixedInterval: intervalSchema.nullable(),
  /** Ratio B / A of the mean times of the runs, and so of the total times of equally many; `null` where the mean of a resource is 0. */
  total: intervalSchema.nullable(),
  /** Ratio B / A of typical runs, where the total time decides; else `null`, as it is `interval`. */
  typical: intervalSchema.nullable(),
  /** Where the mean decides in the place of ranks because slow runs are lopsided, the ratio by ranks; else `null`. */
  rankInterval: intervalSchema.nullable(),
  /** Interim analyses, where the stop rule has any (`decided` and `precision`); else `null`. */
  interim: z
    .object({
      /** Number of interim analyses. */
      analyses: z.int().nonnegative(),
      /** The rule's question is answered: a safe verdict, or the precision. */
      reached: z.boolean(),
    })
    .nullable(),
  /**
   * Use of the metric that decides, an execution: ns, bytes for `rss`, else a number, as the ratio is made of them. Absent where `sides` has that
   * metric, in files of other tools.
   */
  decided: z.object({ A: centreSchema, B: centreSchema }).optional(),
  /** The same comparison in other metrics. */
  otherMetrics: z.array(otherMetricSchema),
  /** Quantities in other units than time; absent = none were measured. */
  quantities: z.array(quantitySchema).optional(),
  /** Resources that were compared, as mean of the runs, an execution: bytes for `rss`, else a number. Absent = none. */
  resources: z
    .array(
      z.object({
        /** The resource. */
        metric: resourceMetricSchema,
        /** Mean of side A. */
        A: z.number(),
        /** Mean of side B. */
        B: z.number(),
      }),
    )
    .optional(),
  /** Difference of the means, B - A, in ns; for duets of the paired times. Where a resource decides, in bytes (`rss`) or a number. */
  difference: z.object({
    /** Estimated difference. */
    estimateNs: z.number(),
    /** Lower end of its interval. */
    lowNs: z.number(),
    /** Upper end of its interval. */
    highNs: z.number(),
  }),
  /** Answer of the comparison: B is slower, B is faster, a dead heat, or undecided. */
  verdict: verdictSchema,
  /** Why nothing is claimed though the interval that decides has a verdict: the other quantity says something else; else `null`. */
  opposition: z
    .object({
      /** The verdict of the interval that decides. */
      found: verdictSchema.exclude(['undecided']),
      /** Answer of the other quantity about B. */
      other: z.enum(['slower', 'faster']),
      /** It says so by its estimate, or may, by an end of its interval. */
      by: z.enum(['estimate', 'interval']),
      /** That estimate or end: a ratio B / A. */
      ratio: z.number().nonnegative(),
    })
    .nullable(),
  /** Largest relative difference that does not matter: 0.01 = 1 %. A dead heat lies within it, or where it is 0 within 2 %. */
  margin: z.number().nonnegative(),
  /** The margin where it was given as a time, ns: `margin` is it as a share of A's typical time. Absent = it was given as a share. */
  marginNs: z.number().positive().optional(),
  /**
   * One-sided p values against the hypotheses that B takes at most 1 + margin times as long as A, and at least that part of
   * it: by the test whose interval decides; of interim analyses at any moment. A family of benchmarks is corrected with them.
   */
  pValues: z.object({
    /** Against the hypothesis that B is not slower by more than the margin. */
    slower: z.number().min(0).max(1),
    /** Against the hypothesis that B is not faster by more than the margin. */
    faster: z.number().min(0).max(1),
    /**
     * The least that so many runs can show by ranks, whatever the distribution of their ratios; 0 by other tests. A family takes it in the place of a
     * smaller one.
     */
    least: z.number().min(0).max(1),
    /** Those for a gate: with a fixed number of runs and no quantity named, twice the smaller one of both quantities. */
    gate: z.object({
      /** The one of `slower`. */
      slower: z.number().min(0).max(1),
      /** The one of `faster`. */
      faster: z.number().min(0).max(1),
    }),
  }),
  /**
   * Ratios B / A that the quantity which decides excludes, each end by itself at the confidence of the interval: below `low`, or above `high`. They hold
   * what the other quantity estimates, too, unless the deciding one was named. A gate passes by them.
   */
  bounds: z.object({
    /** Lower end. */
    low: z.number().nonnegative(),
    /** Upper end; the largest double where nothing is excluded. */
    high: z.number().nonnegative(),
  }),
  /** The name of the benchmark beside which A was measured against itself; absent = this is no control. */
  controlOf: z.string().optional(),
  /** Planned and reached half-width of the interval, relative; `null` = it was not planned. */
  planned: z
    .object({
      /** Planned half-width of the interval, relative: 0.005 = 0.5 %. */
      halfWidth: z.number().positive(),
      /** Half-width that was reached, relative. */
      achieved: z.number().nonnegative(),
    })
    .nullable(),
  /** Smallest true slowdown that would have been called `slower` with a probability of 80 %; 0.009 = 0.9 %. */
  minimalDetectableSlowdown: z.number().nonnegative(),
  /** Interval width with the pairs shuffled / width with the true pairs; `null` for methods without pairs. */
  pairingGain: z.number().nonnegative().nullable(),
  /**
   * The ratio B / A of quantiles of the times that are judged, with a band that holds all of them at once at the level of `interval`; `null` with fewer than
   * 20 runs, for resources, over hosts, after interim analyses, and where runs hold one side.
   */
  shift: z
    .array(
      z.object({
        /** Share of the times of a side that are smaller. */
        quantile: z.number().min(0).max(1),
        /** Ratio of that quantile of B's times to that of A's. */
        estimate: z.number().positive(),
        /** Lower end of the band. */
        low: z.number().nonnegative(),
        /** Upper end of the band. */
        high: z.number().nonnegative(),
      }),
    )
    .nullable(),
  /** Forecast of what more runs would give; `null` where the verdict is certain. */
  outlook: outlookSchema.nullable(),
  /** Measured runs that carry the result. */
  runs: z.int().nonnegative(),
  /** Pairs of iterations of A and B in these runs. */
  pairs: z.int().nonnegative(),
  /**
   * Units that the interval is over, and that the bootstrap resampled: runs, blocks of two runs that traded cores, hosts, layouts, or where a file of
   * another tool holds a single run its iterations.
   */
  resampled: z.object({
    /** The kind of unit. */
    unit: z.enum(['run', 'traded-block', 'host', 'layout', 'iteration']),
    /** Number of units. */
    count: z.int().nonnegative(),
  }),
  /**
   * Autocorrelation at lag 1 of the log ratios of what is resampled, in the order of the runs: an interval counts on
   * independent ones. `null` with fewer than ten, and for samples of sides that were not measured together.
   */
  neighbourCorrelation: z.number().min(-1).max(1).nullable(),
  /** Absent where all runs are of one machine. */
  hosts: hostEffectsSchema.optional(),
  /** Absent where there is one build a side. */
  layouts: hostEffectsSchema.optional(),
  /** Absent where nothing was to be confirmed. */
  confirmation: confirmationSchema.optional(),
  /** Mean number of iterations of a side in a run. */
  iterationsPerRun: z.number().nonnegative(),
  /** Iterations that were recorded and not analysed. */
  discarded: z.object({
    /** Iterations of warm-up. */
    warmup: z.int().nonnegative(),
    /** Outliers. */
    outliers: z.int().nonnegative(),
    /** Iterations without a partner on the other side. */
    unpaired: z.int().nonnegative(),
  }),
  /** `null` where the number of warm-up iterations was fixed. */
  stability: stabilitySchema.nullable(),
  /** Summaries of both sides. */
  sides: z.object({ A: sideSummarySchema, B: sideSummarySchema }),
  /** Cost of the measurement. */
  time: z.object({
    /** Wall time spent, ns. */
    wallNs: z.number().nonnegative(),
    /** Wall time multiplied by the number of cores that were kept busy, ns. */
    machineNs: z.number().nonnegative(),
  }),
  /** Warnings about this comparison. */
  warnings: z.array(warningSchema),
  /** Only where segments were asked for (`analyse --segments`). */
  segments: comparisonSegmentsSchema.optional(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** A side in the shape of hyperfine's `results`, so that existing scripts keep working. Seconds. */
const hyperfineResultSchema = sideSummarySchema
  .pick({
    command: true,
    mean: true,
    stddev: true,
    median: true,
    user: true,
    system: true,
    min: true,
    max: true,
    times: true,
  })
  .extend({
    /** Exit codes, as of the side. */
    exit_codes: sideSummarySchema.shape.exitCodes,
    /** Values of the parameters by their names. */
    parameters: paramsSchema.optional(),
  });
export type HyperfineResult = z.infer<typeof hyperfineResultSchema>;

/** `report.json` and `--export json:FILE`. */
export const reportSchema = z.object({
  /** Name and version of this format. */
  schema: z.literal('deadheat.report/1'),
  /** The program that wrote the report. */
  tool: z.object({
    /** Name of the program. */
    name: z.string(),
    /** Version of the program. */
    version: z.string(),
  }),
  /** The experiment. */
  experiment: z.object({
    /** Id of the experiment. */
    id: z.string(),
    /** Name of the experiment. */
    name: z.string(),
    /** Time at which it began, ISO 8601. */
    startedAt: z.string(),
    /** Seed of its random choices. */
    seed: z.string(),
    /** Method of the first benchmark. */
    method: methodSchema,
    /** Confidence level of the first benchmark: 0.99 = 99 %. */
    confidence: z.number(),
    /** Margin of the first benchmark: 0.01 = 1 %. */
    margin: z.number(),
    /** Folder of the recording; of files of other tools the first. */
    recording: z.string(),
    /** Result files of other tools that were judged in place of a recording. */
    files: z.array(z.string()).optional(),
    /** Project of the comparisons in a history; absent = the name. */
    project: z.string().optional(),
    /** Absent where the sides are not commits or their commits are not known. */
    commits: commitsSchema.optional(),
    /** Every planned run is in. */
    complete: z.boolean(),
    /** Which parts of it are in; absent = it was never divided. */
    parts: partsSchema.pick({ count: true, taken: true }).optional(),
  }),
  /** Where it was measured, of several machines the first; `null` = in files of other tools, which do not contain it. */
  machine: machineSchema.nullable(),
  /** Every machine of an experiment over several. */
  hosts: z.array(hostSchema).optional(),
  /** A comparison for each benchmark, combination of parameters and method. */
  comparisons: z.array(comparisonSchema),
  /** The sides of all comparisons in the shape of hyperfine's `results`, times in seconds. */
  results: z.array(hyperfineResultSchema),
  /** The gate: the result of all comparisons for a pipeline (`--fail-on`, `--control`). */
  gate: gateSchema,
  /** Only where segments were asked for and runs have the window: which of them reach a steady state, for each benchmark and side. */
  steadyStates: z
    .object({
      /** Repetitions at the end of a run that must be steady. */
      window: z.int().positive(),
      /** Classes of each benchmark and side. */
      benchmarks: z.array(steadyStateSchema),
    })
    .optional(),
  /** Warnings about the whole experiment. */
  warnings: z.array(warningSchema),
  /** CRC-32 of the file before it, 8 hexadecimal digits; absent outside of recordings. */
  check: z.string().optional(),
});
export type Report = z.infer<typeof reportSchema>;
