import { z } from 'zod';
import { experimentConfigSchema } from './config.ts';
import { iterationSchema } from './iteration.ts';
import { machineSchema, noiseSchema } from './machine.ts';
import { containerEngineSchema, methodSchema, runPhaseSchema, sideSchema } from './vocabulary.ts';
import { warningSchema } from './warning.ts';

/** What containers were run by and made of. */
export const containerFactsSchema = z.object({
  engine: containerEngineSchema,
  version: z.string(),
  /** By the name in the configuration. */
  images: z.record(
    z.string(),
    z.object({
      /** Of the image's configuration, `sha256:` and 64 digits. */
      id: z.string(),
      /** Of its manifest, which names it in a registry; `null` for an image that never had one. */
      digest: z.string().nullable(),
    }),
  ),
});
export type ContainerFacts = z.infer<typeof containerFactsSchema>;

/** A commit, or another version, that a side was made of. */
export const commitRefSchema = z.object({
  /** Whole hash, or what else tells it apart from all others. */
  id: z.string().min(1),
  /** How it is called: a branch, a tag, the short hash. */
  label: z.string(),
  /** When it was committed, ISO 8601; `null` = not known. */
  committedAt: z.string().nullable(),
});
export type CommitRef = z.infer<typeof commitRefSchema>;

/** The commit of each side; `null` = not known. */
export const commitsSchema = z.object({ A: commitRefSchema.nullable(), B: commitRefSchema.nullable() });
export type Commits = z.infer<typeof commitsSchema>;

/** A machine that took part in an experiment over several. */
export const hostSchema = z.object({
  /** Tells it apart from the others of the experiment; trials name it. */
  id: z.string().min(1),
  machine: machineSchema,
  /** What its worker was started with: instance type, region and the like. */
  labels: z.record(z.string(), z.string()),
  /** Its runs only confirm what those of the other hosts found slower. */
  confirms: z.literal(true).optional(),
});
export type Host = z.infer<typeof hostSchema>;

/** Which parts of an experiment that is divided among machines are in. */
export const partsSchema = z.object({
  /** Parts that the runs are divided into. */
  count: z.int().positive(),
  /** Numbers of those that are in, from 1. */
  taken: z.array(z.int().positive()),
  /** Folder in which it was begun: paths below it are the same in every clone of a project. */
  folder: z.string(),
});
export type Parts = z.infer<typeof partsSchema>;

/** `experiment.json`: written before anything runs. */
export const experimentSchema = z.object({
  schema: z.literal('deadheat.experiment/1'),
  id: z.string(),
  startedAt: z.string(),
  tool: z.object({ name: z.string(), version: z.string() }),
  config: experimentConfigSchema,
  /** Where it was begun. */
  machine: machineSchema,
  /** Machines that brought runs; absent = `machine` alone. */
  hosts: z.array(hostSchema).optional(),
  /** Absent = it was never divided. */
  parts: partsSchema.optional(),
  /** Absent when there were none. */
  containers: containerFactsSchema.optional(),
  /** What its comparisons are filed under in a history; absent = the name of the configuration. */
  project: z.string().optional(),
  /** Absent where the sides are no commits, or nobody said which. */
  commits: commitsSchema.optional(),
  /** What was known before the first run, such as a method that this machine cannot offer. */
  warnings: z.array(warningSchema),
});
export type Experiment = z.infer<typeof experimentSchema>;

/** Why a run did not count. */
export const failureCodeSchema = z.enum([
  'EXIT_STATUS',
  'SIGNAL',
  'TIMEOUT',
  'NOT_STARTED',
  'STRAY_PROCESS',
  'PEER_LOST',
  'HOOK_FAILED',
  'LAUNCHER_LOST',
  'NO_RECORD',
  'BAD_RECORD',
  'BAD_OUTPUT',
]);
export type FailureCode = z.infer<typeof failureCodeSchema>;

export const failureSchema = z.object({
  side: sideSchema,
  code: failureCodeSchema,
  /** One sentence: what happened, and the end of what the program wrote to stderr when it wrote anything. */
  message: z.string(),
});
export type Failure = z.infer<typeof failureSchema>;

/** How a program was seen to use CPUs while a pilot run executed it. */
export const observedTasksSchema = z.object({
  /** How often it was looked at. */
  samples: z.int().nonnegative(),
  /** Share of the samples in which any of its threads was running or waiting for a CPU, 0..1. */
  runnable: z.number().min(0).max(1),
  /** Mean number of such threads in those samples; 0 without any. */
  tasks: z.number().nonnegative(),
});
export type ObservedTasks = z.infer<typeof observedTasksSchema>;

/** What one side did in one run. */
export const sideResultSchema = z.object({
  /** The CPU that the side ran on; of several the first. */
  cpu: z.int().nonnegative(),
  /** Only where the side might use several CPUs: all of them. */
  cpus: z.array(z.int().nonnegative()).optional(),
  /** Length of the padding variable that moved the stack. */
  padBytes: z.int().nonnegative(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  userNs: z.number().nonnegative().nullable(),
  systemNs: z.number().nonnegative().nullable(),
  maxRssBytes: z.int().nonnegative().nullable(),
  voluntarySwitches: z.int().nonnegative().nullable(),
  involuntarySwitches: z.int().nonnegative().nullable(),
  /** There where the program was ended because it had made enough. */
  stopped: z.literal(true).optional(),
  /** Only in pilot runs of a machine that can tell. */
  observed: observedTasksSchema.optional(),
  /** Executions in order, for programs that the runner itself timed. */
  iterations: z.array(iterationSchema),
  /** File in the recording's folder that holds the iterations of a program that timed itself; `null` = they are above. */
  record: z.string().nullable(),
});
export type SideResult = z.infer<typeof sideResultSchema>;

/** A line of `trials.jsonl`: one scheduled run of a method, finished. */
export const trialSchema = z.object({
  /** Number of the run in the recording, from 0, in the order in which runs began. */
  trial: z.int().nonnegative(),
  /** Index into `config.benchmarks`. */
  benchmark: z.int().nonnegative(),
  method: methodSchema,
  /** Number of the run of this benchmark and phase, from 0. */
  run: z.int().nonnegative(),
  phase: runPhaseSchema,
  /** Which side was started first. */
  order: z.enum(['AB', 'BA']),
  status: z.enum(['ok', 'failed']),
  failures: z.array(failureSchema),
  /** The machine that made it, one of the experiment's `hosts`; absent = the experiment has one machine. */
  host: z.string().optional(),
  /** Whole time of the trial with hooks, ns. */
  wallNs: z.number().nonnegative(),
  sides: z.object({ A: sideResultSchema, B: sideResultSchema }),
  noise: noiseSchema,
});
export type Trial = z.infer<typeof trialSchema>;

/** A recording read back. */
export interface Recording {
  readonly directory: string;
  readonly experiment: Experiment;
  readonly trials: readonly Trial[];
}
