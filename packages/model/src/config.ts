import { z } from 'zod';
import { intervalKindSchema, methodSchema, metricSchema, paramsSchema, swapSchema } from './vocabulary.ts';

/** One side's program, resolved: what is executed and how it is called in reports. */
export const commandSchema = z.object({
  /** Name in reports; the command line unless the user gave one. */
  name: z.string(),
  /** The command line as the user typed it, parameters filled in. */
  commandLine: z.string(),
  /** What is executed: absolute path of the program first, for a shell the shell itself. */
  argv: z.array(z.string()).min(1),
  /** `direct`: no shell between the clock and the program. */
  executedBy: z.enum(['direct', 'shell']),
});
export type Command = z.infer<typeof commandSchema>;

/** Shell commands run outside the timed path; `null` = none. */
export const hooksSchema = z.object({
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

export const benchmarkSchema = z.object({
  name: z.string(),
  params: paramsSchema,
  commands: z.object({ A: commandSchema, B: commandSchema }),
  hooks: z.object({ A: hooksSchema, B: hooksSchema }),
  /** File fed to both sides' standard input; `null` = /dev/null. */
  input: z.string().nullable(),
});
export type Benchmark = z.infer<typeof benchmarkSchema>;

/** When an experiment has enough runs of a benchmark. Every field counts for one benchmark. */
export const stopRuleSchema = z.discriminatedUnion('kind', [
  /** Exactly this many runs. */
  z.object({ kind: z.literal('runs'), runs: z.int().positive() }),
  /** The first moment with at least `minRuns` runs and `minTimeNs` spent, at most `maxRuns` runs. */
  z.object({
    kind: z.literal('enough'),
    minRuns: z.int().positive(),
    maxRuns: z.int().positive().nullable(),
    minTimeNs: z.int().nonnegative(),
  }),
  /** Goes on in blocks fixed beforehand until the interval's half-width (of the ratio) is at most `precision`. */
  z.object({
    kind: z.literal('precision'),
    precision: z.number().positive(),
    minRuns: z.int().positive(),
    maxRuns: z.int().positive().nullable(),
  }),
]);
export type StopRule = z.infer<typeof stopRuleSchema>;

/** A whole experiment with every default filled in; what `experiment.json` keeps. */
export const experimentConfigSchema = z.object({
  name: z.string(),
  benchmarks: z.array(benchmarkSchema).min(1),
  method: methodSchema,
  /** Interval's confidence level, inside (0, 1). */
  confidence: z.number().gt(0).lt(1),
  /** Relative difference that does not matter: 0.01 = 1 %. */
  margin: z.number().nonnegative(),
  interval: intervalKindSchema,
  /** Bootstrap replicates. */
  replicates: z.int().positive(),
  metric: z.union([z.literal('auto'), metricSchema]),
  swap: swapSchema,
  stop: stopRuleSchema,
  /** At this much time spent on a benchmark no further run begins, once there are `leastRuns`; `null` = no limit. */
  maxTimeNs: z.int().positive().nullable(),
  /** Fewest runs that carry a result. */
  leastRuns: z.int().positive(),
  /** Runs before the measured ones that are recorded as warm-up and not judged. */
  warmupRuns: z.int().nonnegative(),
  /** Executions of each side in one run of `async-duet`; 1 for the other methods. */
  iterations: z.int().positive(),
  /** Smallest overlap rate at which two iterations of `async-duet` are a pair. */
  minimumOverlapRate: z.number().gt(0).lte(1),
  /** Longest time of one execution; `null` = no limit. */
  timeoutNs: z.int().positive().nullable(),
  /** The cores that the sides run on: [A's, B's] before they trade. */
  cpus: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
  /** Everything random is derived from it. */
  seed: z.string(),
  ignoreFailure: z.boolean(),
  showOutput: z.boolean(),
});
export type ExperimentConfig = z.infer<typeof experimentConfigSchema>;
