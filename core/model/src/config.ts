import { z } from 'zod';
import { layoutSpreadSchema, layoutsSchema } from './layouts.ts';
import { correctionSchema, waiverSchema } from './gate.ts';
import { stopRuleSchema } from './stop-rules/stop-rules.ts';
import { methodSchema } from './methods.ts';
import {
  isResourceMetric,
  metricSchema,
  resourceMetricSchema,
  timeMetricSchema,
  type ResourceMetric,
} from './metrics.ts';
import { askedIntervalSchema } from './intervals.ts';
import { workloadSchema } from './workloads.ts';
import {
  containerEngineSchema,
  judgedSchema,
  paramsSchema,
  scheduleSchema,
  swapSchema,
  timeUnitSchema,
} from './vocabulary.ts';

/** A text that the system takes: no character ends it early. */
const textWithoutNulSchema = z.string().regex(/^[^\0]*$/, 'a text without NUL characters expected');

/** A name of which a file is called: no path, no control character, at most 60 characters (180 bytes). */
export const fileNameSchema: z.ZodString = z
  .string()
  .regex(
    /^(?!\.{1,2}$)[ -.0-[\]-~\u00a0-\uffff]{1,60}$/,
    'a name of at most 60 characters without /, \\ and control characters expected',
  );

/** One side's program, resolved: what is executed and how it is called in reports. */
const commandSchema = z.object({
  /** Name in reports; the command line unless the user gave one. */
  name: z.string(),
  /** The command line as the user typed it, parameters filled in. */
  commandLine: z.string(),
  /** Words that are executed: absolute path of the program first, for a shell the shell itself. */
  argv: z.array(z.string()).min(1),
  /** `direct`: no shell between the clock and the program. */
  executedBy: z.enum(['direct', 'shell']),
});
export type Command = z.infer<typeof commandSchema>;

/** Shell commands run outside the timed path; `null` = none. */
const hooksSchema = z.object({
  /** Once before everything else of a benchmark. */
  build: z.string().nullable(),
  /** Once before the first run of a benchmark. */
  setup: z.string().nullable(),
  /** Before every run. */
  prepare: z.string().nullable(),
  /** After every run. */
  conclude: z.string().nullable(),
  /** Once after the last run of a benchmark. */
  cleanup: z.string().nullable(),
});
export type Hooks = z.infer<typeof hooksSchema>;

/** Criteria of stability (FSE'20, section 4.2.3). */
export const stabilityCriterionSchema = z.enum(['cv', 'rciw', 'kld']);

/** When a run is warm and has been measured enough: dynamic reconfiguration (Laaber et al., FSE'20). */
export const stableRuleSchema = z.object({
  /** The criteria, each once. */
  criteria: z.array(stabilityCriterionSchema).min(1),
  /** With several criteria: stable when `all` say so, or `any`. */
  combine: z.enum(['all', 'any']),
  /** The text of the paper, or the authors' extension of JMH. */
  like: z.enum(['paper', 'jmh-reconfigure']),
  /** Where a value stops to count as a change (cv, rciw), or starts to count as stable (kld); inside (0, 1). */
  thresholds: z.object({
    /** Threshold of the coefficient of variation. */
    cv: z.number(),
    /** Threshold of the relative width of the confidence interval. */
    rciw: z.number(),
    /** Threshold of the Kullback-Leibler divergence. */
    kld: z.number(),
  }),
  /** Fewest and most warm-up iterations of a run. */
  leastWarmup: z.int().nonnegative(),
  mostWarmup: z.int().positive(),
  /** Measured iterations of a run. */
  measured: z.int().positive(),
  /** Factor by which `mostWarmup`, and `maxRuns` of the stop rule `stable`, are raised while nothing is stable; >= 1. */
  liftCaps: z.number().min(1),
});
export type StableRule = z.infer<typeof stableRuleSchema>;

/** Which iterations of a run are warm-up. Marks of the program itself count before any of these. */
const warmupRuleSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('fixed'), iterations: z.int().nonnegative() }),
  /** The first half of a run's iterations (ICPE'20 section 4), rounded down. */
  z.object({ kind: z.literal('first-half') }),
  /** The iterations that begin within this time after the first one began. */
  z.object({ kind: z.literal('time'), timeNs: z.int().positive() }),
]);
export type WarmupRule = z.infer<typeof warmupRuleSchema>;

/** Most bootstrap replicates: the standard error of a quantile is then below a thousandth of its probability. */
export const mostReplicates = 1_000_000;

/** Settings by which a benchmark is measured and judged. */
export const settingsSchema = z.object({
  /** Where `pilotRuns` is not 0, the method until the pilot runs have chosen (`Benchmark.chosen`). */
  method: methodSchema,
  /** Most pilot runs that choose the method before anything is measured; 0 = the method is fixed. */
  pilotRuns: z.int().nonnegative(),
  /**
   * The sides of `sequential` are judged as two independent samples (RMIT; FSE'20, thesis section 4.3.2) instead of
   * as pairs of the two executions of a run.
   */
  unpaired: z.boolean(),
  /** Interval's confidence level, inside (0, 1). */
  confidence: z.number().gt(0).lt(1),
  /** Relative difference that does not matter: 0.01 = 1 %; 0 = every difference matters, and a dead heat lies within 2 %. */
  margin: z.number().nonnegative(),
  /** The margin as a time, ns, which each comparison takes as a share of A's typical time; `margin` is then 0. `null` or absent = it is a share. */
  marginNs: z.number().positive().nullish(),
  /** The quantity that decides, and alone fails a gate; `null` = the typical run decides, and without interim analyses a gate fails by either. */
  judge: judgedSchema.nullable(),
  interval: askedIntervalSchema,
  /** Bootstrap replicates. */
  replicates: z.int().positive().max(mostReplicates),
  metric: z.union([z.literal('auto'), metricSchema]),
  /** Resources that are measured and reported beside the metric that decides; absent = none. */
  also: z.array(resourceMetricSchema).optional(),
  swap: swapSchema,
  stop: stopRuleSchema,
  /** At this much time spent on a benchmark no further run begins, once there are `leastRuns`; `null` = no limit. */
  maxTimeNs: z.int().positive().nullable(),
  /** Fewest runs that carry a result. */
  leastRuns: z.int().positive(),
  /** Runs before the measured ones that are recorded as warm-up and not judged. */
  warmupRuns: z.int().nonnegative(),
  /** Which iterations inside a run are not judged. */
  warmup: warmupRuleSchema,
  /**
   * Programs of the workload protocol in `sync-duet`: the runner ends their warm-up when it is stable, and the run when
   * enough is measured; `iterations` and `warmup` then count for nothing. `null` = they are fixed.
   */
  stable: stableRuleSchema.nullable(),
  /**
   * Iterations of each side in one run, warm-up included: executions of a command in `async-duet` (1 for the other
   * methods), iterations that a program of the workload protocol is asked for; `null` = the program decides.
   */
  iterations: z.int().positive().nullable(),
  /**
   * Time from the start of a run's first iteration after which no other begins, ns; the run is then complete. `null` or absent = as long
   * as its iterations take.
   */
  lengthNs: z.int().positive().nullable().optional(),
  /** Programs of the workload protocol: `iterations` is the most, and pilot runs fit them to `maxTimeNs`; absent = it is exact. */
  fitIterations: z.boolean().optional(),
  /** Smallest overlap rate at which two iterations of `async-duet` are a pair. */
  minimumOverlapRate: z.number().gt(0).lte(1),
  /** Iterations after which the sides of a harness trade cores inside a run; `null` = they do not. */
  tradeEvery: z.int().positive().nullable(),
  /** The side that is done first goes on, unmeasured, until the other is done (ICPE'20 section 4.4). */
  fill: z.boolean(),
  /** Longest time of one iteration; `null` = no limit. */
  timeoutNs: z.int().positive().nullable(),
  /** Longest time of one run; `null` = no limit. */
  runTimeoutNs: z.int().positive().nullable(),
  ignoreFailure: z.boolean(),
  /** Processes of a harness that fills a time are compared as a whole; absent = they are refused. */
  wholeProcess: z.boolean().optional(),
  /** Both sides have to print the same, in runs that are not judged; absent = their output is not compared. */
  sameOutput: z.boolean().optional(),
  /** Files that both sides have to write alike, `{side}` for A or B in their names, parameters for their values; relative to the folder of the side. */
  sameFiles: z.array(z.string()).optional(),
  /** Shell command through which an output goes before it is compared; absent or `null` = none. */
  normaliseOutput: z.string().nullable().optional(),
  /** Planned half-width of the interval, relative: 0.005 = 0.5 %; `null` = it was not planned. */
  plannedHalfWidth: z.number().positive().nullable(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Pattern that finds iterations in what a program prints, a line each. */
const linePatternSchema = z.object({
  /**
   * Regular expression with named groups: `start` and `end`, or one of them and `duration`, or `time` alone, which ends
   * the iteration that the one before began.
   */
  pattern: z.string(),
  /** Unit of all groups. */
  unit: timeUnitSchema,
});
export type LinePattern = z.infer<typeof linePatternSchema>;

/** Programs whose output is understood: what they print or write is known here. */
export const builtInParserSchema = z.enum([
  'renaissance',
  'dacapo',
  'scalabench',
  'spec-cpu',
  'jmh',
  'go',
  'cargo-bench',
  'criterion',
  'google-benchmark',
  'catch2',
  'pytest-benchmark',
  'timeit',
  'pyperf',
  'mitata',
  'tinybench',
  'benchmark-js',
]);
export type BuiltInParser = z.infer<typeof builtInParserSchema>;

/**
 * Parsers of times that turns of another program on the core leave as they are where a process measures in short times: single times (`go`), CPU times
 * (`google-benchmark`), medians (`pytest-benchmark`) and the best of many (`timeit`). A mean holds the turns, and which side had more of them.
 */
export const turnParsers: readonly BuiltInParser[] = ['go', 'google-benchmark', 'pytest-benchmark', 'timeit'];

/** Parser of iterations in what a program prints or writes. */
const parserSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('built-in'), name: builtInParserSchema }),
  /** The user's own: an ES module, absolute path, whose default export is the parser. */
  z.object({ kind: z.literal('module'), path: z.string() }),
]);
export type Parser = z.infer<typeof parserSchema>;

const environmentSchema = z.record(z.string(), z.string());

/** The container that a side's programs are executed in. */
const containerSchema = z.object({
  /** The image by its name in the engine: a name with a tag, or an id. */
  image: z.string(),
  /** Folder in the container; `null` = the image's own. */
  workingDirectory: z.string().nullable(),
  /** Most CPU time in each second, in CPUs; `null` = no limit. */
  cpus: z.number().positive().nullable(),
  memoryBytes: z.int().positive().nullable(),
  /** Name of the engine's network; `none` has a loopback only. */
  network: z.string(),
  /**
   * Its programs may write to the files of the image; where they may not, `/tmp` is theirs. Absent = they may on one's own
   * machine, and on a worker of a fleet where files are taken out of the container.
   */
  writable: z.boolean().optional(),
  /** Files and folders in the container that are copied out after every run. */
  results: z.array(z.string()),
  /** File in the container that is read in place of what the program prints, for the workload `lines`; `null` = none. */
  output: z.string().nullable(),
});
export type Container = z.infer<typeof containerSchema>;

/** The containers of a benchmark's sides. */
const containersSchema = z.object({
  A: containerSchema,
  B: containerSchema,
  /** First part of the names of kept results. */
  suite: z.string(),
  /**
   * The sides of a `sync-duet` meet at a barrier of the Java agent of ICPE'20, whose name stands for `$$` in the
   * commands.
   */
  agentBarrier: z.boolean(),
  /** A run that its time limit ends counts with what it has recorded until then, as in duetbench. */
  countsCut: z.boolean(),
});

/** The method that pilot runs chose for a benchmark. */
const chosenMethodSchema = z.object({
  method: methodSchema,
  /** The metric that decides where the user does not say. */
  metric: timeMetricSchema,
  /** One sentence for the reader of a report. */
  reason: z.string(),
  /** Median wall time of a side in the pilot runs, alone on its core, ns an iteration; `null` = not measured. */
  aloneNs: z.object({ A: z.number().positive(), B: z.number().positive() }).nullable(),
  /** There where the sides wait for each other: what both waited for other things than a CPU in a pilot run, ns. */
  sidesWait: z.object({ togetherNs: z.number().nonnegative(), aloneNs: z.number().nonnegative() }).optional(),
});
export type ChosenMethod = z.infer<typeof chosenMethodSchema>;

export const benchmarkSchema = z.object({
  name: z.string(),
  params: paramsSchema,
  commands: z.object({ A: commandSchema, B: commandSchema }),
  hooks: z.object({ A: hooksSchema, B: hooksSchema }),
  workload: workloadSchema,
  /** For the workload `lines`, which has this or a parser; else `null`. */
  lines: linePatternSchema.nullable(),
  parser: parserSchema.nullable(),
  /**
   * File, absolute, that a side's program writes and the parser reads; `*` in its name stands for any text, and
   * `$DEADHEAT_SIDE` and `$DEADHEAT_RUN` for what the program has in them. `null` = what it prints.
   */
  results: z.object({ A: z.string().nullable(), B: z.string().nullable() }),
  /** Variables set for a side's program and hooks, beside those of the engine itself. */
  environment: z.object({ A: environmentSchema, B: environmentSchema }),
  /** Folder, absolute, in which a side's program and hooks are executed; `null` = the engine's own. */
  workingDirectory: z.object({ A: z.string().nullable(), B: z.string().nullable() }),
  /**
   * Folder, absolute, of which a side gets a copy of its own, where its program and hooks are executed; the copy is removed
   * afterwards. `null` = none.
   */
  scratch: z.object({ A: z.string().nullable(), B: z.string().nullable() }),
  /** File fed to both sides' standard input; `null` = /dev/null. */
  input: z.string().nullable(),
  /** `null` = the programs are executed on the machine itself. */
  containers: containersSchema.nullable(),
  /** Why it may be slower for a while; `null` = it may not. */
  waiver: waiverSchema.nullable(),
  /** The name of the benchmark beside which A is measured against itself; `null` = B is another program. */
  controlOf: z.string().nullable(),
  /** Builds of each side that runs are spread over; absent = one of each. The rest of the benchmark is that of the first ones. */
  layouts: layoutsSchema.optional(),
  /** `null` = the method was not chosen by pilot runs, or is not chosen yet. */
  chosen: chosenMethodSchema.nullable(),
  /** Differences from the experiment's settings. */
  own: settingsSchema.partial(),
});
export type Benchmark = z.infer<typeof benchmarkSchema>;

/** A whole experiment with every default filled in; what `experiment.json` keeps. */
export const experimentConfigSchema = settingsSchema.extend({
  name: z.string(),
  /** A benchmark measured by several methods is several entries, equal but for `own.method`. */
  benchmarks: z.array(benchmarkSchema).min(1),
  schedule: scheduleSchema,
  /** Longest time of the experiment; `null` = no limit. */
  experimentTimeoutNs: z.int().positive().nullable(),
  /** Shell commands, by name, whose output is kept with the results. */
  artifacts: z.record(fileNameSchema, textWithoutNulSchema),
  /** The program that runs the containers; `null` = there are none, or, before the machine was looked at, what is there. */
  engine: containerEngineSchema.nullable(),
  correction: correctionSchema,
  /** A benchmark that one side lacks is an error. */
  strict: z.boolean(),
  /** The cores of the sides of a duet: [A's, B's] before they trade. */
  cpus: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
  /** Cores that a run of `tandem` may be given, one CPU of each; empty = those of `cpus`. */
  tandemCpus: z.array(z.int().nonnegative()),
  /** CPUs that a side of `sequential` may use, all of them at once; empty = the core that it has in `cpus`. */
  sequentialCpus: z.array(z.int().nonnegative()),
  /** Runs of `tandem` that are in flight at the same time at most, each on a core of its own. */
  lanes: z.int().positive(),
  /** Machines among which the runs are divided, by number or by name; absent = as many as there are parts. */
  machines: z.union([z.int().positive(), z.array(z.string().min(1)).min(1)]).optional(),
  /** Lanes that each worker of a fleet is asked for; absent = one fewer than it has cores for, at least one. */
  workerLanes: z.union([z.int().positive(), z.literal('all')]).optional(),
  /** How much layouts differ, by which a difference without more work is judged; absent = nothing was known. */
  layoutSpread: layoutSpreadSchema.optional(),
  /** Everything random is derived from it. */
  seed: z.string(),
  showOutput: z.boolean(),
});
export type ExperimentConfig = z.infer<typeof experimentConfigSchema>;

/** Settings that may be judged anew: everything else was fixed when the experiment ran. */
export type Rejudgement = Partial<
  Pick<
    ExperimentConfig,
    'confidence' | 'margin' | 'marginNs' | 'judge' | 'metric' | 'interval' | 'correction' | 'strict'
  >
>;

/** An experiment's configuration as it counts for one of its benchmarks. */
export function configOf(
  config: ExperimentConfig,
  { own, chosen }: Pick<Benchmark, 'own'> & { readonly chosen?: Benchmark['chosen'] },
): ExperimentConfig {
  const settings = { ...config, ...(own as Partial<Settings>) };
  if (chosen == null) return settings;
  const { method, metric } = chosen;
  return { ...settings, method, metric: settings.metric === 'auto' ? metric : settings.metric };
}

/** Resources that have to be measured, each once: the metric that decides, if it is one, and those that are reported beside it. */
export function resourcesOf({ metric, also = [] }: Pick<Settings, 'metric' | 'also'>): readonly ResourceMetric[] {
  return [...new Set([...(isResourceMetric(metric) ? [metric] : []), ...also])];
}

/** Name of a benchmark without the suite of its own, which a file of duetbench puts before it. */
export function withoutSuite(name: string, suite: string): string {
  const prefix = `${suite}.`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
