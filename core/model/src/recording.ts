import { z } from 'zod';
import { methodSchema } from './methods.ts';
import { counterSchema, countSchema } from './metrics.ts';
import { phaseSchema, containerEngineSchema, runPhaseSchema, sideSchema } from './vocabulary.ts';
import { builtInParserSchema, experimentConfigSchema } from './config.ts';
import { type Warning, warningSchema } from './warning.ts';

/** Names of the files inside a recording's folder. */
export const recordingFiles = {
  /** The resolved experiment; what makes a folder a recording. */
  experiment: 'experiment.json',
  /** The journal: one line a finished trial. */
  trials: 'trials.jsonl',
  /** The canonical table of iterations. */
  iterations: 'iterations.parquet',
  /** Folder of the records that programs wrote. */
  records: 'iterations',
  report: 'report.json',
  /** The same for people. */
  page: 'report.html',
  /** The functions behind a difference; only where it was explained. */
  explanation: 'explanation.json',
  /** Settings of the fleet that executes the runs; absent where they are executed here. */
  fleet: 'fleet.json',
  /** Present while a process writes the recording. */
  lock: 'lock',
} as const;

/** A time in nanoseconds that a 64-bit clock can hold: at most 292 years. */
const timeSchema = z
  .number()
  .nonnegative()
  .max(2 ** 63);

/** Whole nanoseconds; beyond 2^53 (a machine up for 104 days) to the nearest float64. */
const nanosecondsSchema = timeSchema.refine(Number.isInteger, 'whole nanoseconds expected');

/**
 * One timed execution inside a run: the record line of the workload protocol. Times are integer nanoseconds of
 * CLOCK_MONOTONIC. Unknown keys are further metrics and are kept.
 */
export const iterationSchema = z.looseObject({
  /** Index of the iteration in its run, from 0. */
  i: z.int().nonnegative(),
  /** Start, ns. */
  s: nanosecondsSchema,
  /** End, ns; never before the start. */
  e: nanosecondsSchema,
  /** Invocations that the iteration held; 1 when absent. */
  n: z.int().positive().optional(),
  /** `warmup` for an iteration that is not to be judged. */
  p: phaseSchema.optional(),
  /** Wall time, ns, where `s` and `e` are too large for a float64 to hold every ns; else it is `e` - `s`. */
  w: timeSchema.optional(),
  /** CPU time (user + system of the process tree), ns. */
  c: timeSchema.optional(),
  /** Time for which it was runnable and had to wait for a CPU, ns. */
  q: timeSchema.optional(),
  /** Times of single invocations, all or drawn from all of them, ns: what stability is judged by. */
  d: z.array(timeSchema).min(1).optional(),
  /** Involuntary context switches. */
  v: z.int().nonnegative().optional(),
});
export type Iteration = z.infer<typeof iterationSchema>;

/** Facts of the machine that a reader needs to judge a result. `null` = the machine does not report it. */
export const machineSchema = z.object({
  /** Name of the machine. */
  hostname: z.string(),
  /** Operating system and architecture. */
  platform: z.string(),
  /** Release of the kernel. */
  kernel: z.string(),
  /** Version of Node. */
  node: z.string(),
  /** Model of the CPU. */
  cpuModel: z.string().nullable(),
  /** CPUs of the machine that are online. */
  onlineCpus: z.int().positive(),
  /** CPUs that this process may use (affinity and cpuset). */
  usableCpus: z.array(z.int().nonnegative()),
  /** CPUs that share a core with a CPU of the experiment, by that CPU; a CPU alone on its core lists itself. */
  smtSiblings: z.record(z.string(), z.array(z.int().nonnegative())),
  /** Simultaneous multithreading is on. */
  smtActive: z.boolean().nullable(),
  /** Frequency governor of the CPUs. */
  governor: z.string().nullable(),
  /** Frequencies above the nominal one are allowed. */
  turbo: z.boolean().nullable(),
  /** Address space layout randomisation: 0 off, 1 stack and libraries, 2 also the heap. */
  aslr: z.int().nullable(),
  /** Clock source of the kernel. */
  clockSource: z.string().nullable(),
  /** Kind of virtualization, where it is known. */
  virtualization: z.string().nullable(),
  /** Memory of the machine, bytes. */
  memoryTotalBytes: z.int().nonnegative(),
  /** Memory that was available when the experiment began, bytes. */
  memoryAvailableBytes: z.int().nonnegative().nullable(),
  /** CPU quota of the control group, in CPUs (1.5 = one and a half); `null` = none. */
  cpuQuota: z.number().positive().nullable(),
  /** Version of control groups. */
  cgroupVersion: z.enum(['v1', 'hybrid', 'v2', 'none']),
  /** Load average over one minute when the experiment began. */
  load1: z.number().nonnegative(),
});
export type Machine = z.infer<typeof machineSchema>;

/** The machine behind a file that does not describe it: no fact here is one of any machine. */
export const unknownMachine: Machine = {
  hostname: 'unknown',
  platform: 'unknown',
  kernel: 'unknown',
  node: 'unknown',
  cpuModel: null,
  onlineCpus: 1,
  usableCpus: [],
  smtSiblings: {},
  smtActive: null,
  governor: null,
  turbo: null,
  aslr: null,
  clockSource: null,
  virtualization: null,
  memoryTotalBytes: 0,
  memoryAvailableBytes: null,
  cpuQuota: null,
  cgroupVersion: 'none',
  load1: 0,
};

/** Disturbances of one run, as differences of kernel counters over it. `null` = the machine does not report it. */
export const noiseSchema = z.object({
  /** Time that the hypervisor took from the CPUs of the experiment, ns. */
  stealNs: timeSchema.nullable(),
  /** Time that the control group was throttled, ns. */
  throttledNs: timeSchema.nullable(),
  /** Context switches of the whole machine. */
  contextSwitches: z.int().nonnegative().nullable(),
});
export type Noise = z.infer<typeof noiseSchema>;

/** The container engine and the images of an experiment. */
const containerFactsSchema = z.object({
  engine: containerEngineSchema,
  version: z.string(),
  /** By the name in the configuration. */
  images: z.record(
    z.string(),
    z.object({
      /** Digest of the image's configuration, `sha256:` and 64 digits. */
      id: z.string(),
      /** Digest of its manifest, which names it in a registry; `null` for an image that never had one. */
      digest: z.string().nullable(),
    }),
  ),
});
export type ContainerFacts = z.infer<typeof containerFactsSchema>;

/** A commit, or another version, that a side was made of. */
export const commitRefSchema = z.object({
  /** The full hash, or another unique id. */
  id: z.string().min(1),
  /** Name for people: a branch, a tag, the short hash. */
  label: z.string(),
  /** When it was committed, ISO 8601; `null` = not known. */
  committedAt: z.string().nullable(),
  /** First line of its message. */
  subject: z.string().optional(),
  /** Name of the person who wrote it. */
  author: z.string().optional(),
});
export type CommitRef = z.infer<typeof commitRefSchema>;

/** The commit of each side; `null` = not known. */
export const commitsSchema = z.object({
  /** The baseline. */
  A: commitRefSchema.nullable(),
  /** The candidate. */
  B: commitRefSchema.nullable(),
});
export type Commits = z.infer<typeof commitsSchema>;

/** A machine that took part in an experiment over several. */
export const hostSchema = z.object({
  /** Id of the host within the experiment; trials refer to it. */
  id: z.string().min(1),
  /** Its properties. */
  machine: machineSchema,
  /** Labels that its worker was started with, such as instance type and region. */
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

/** A file that an experiment reads or executes; `sha256` is `null` where it cannot be hashed, with the reason. */
export const programFileSchema = z.object({
  /** As it was named, absolute. */
  path: z.string(),
  /** The file behind links; `null` = there is none. */
  resolved: z.string().nullable(),
  role: z.enum(['program', 'interpreter', 'script or data', 'library', 'class path', 'input']),
  sha256: z.string().nullable(),
  bytes: z.number().nullable(),
  /** Why there is no hash; `null` = there is one. */
  missing: z.string().nullable(),
});

/** What was executed, and by what, as it was when the last run was over. */
const programFactsSchema = z.object({
  /** Folder, absolute, in which the experiment was begun: commands without a folder of their own are executed there. */
  folder: z.string(),
  /** Name and version of the distribution; `null` = it does not say. */
  distribution: z.string().nullable(),
  /** Programs, interpreters, scripts, class paths and inputs, without libraries. */
  files: z.array(programFileSchema),
  /** Versions of Java and JavaScript machines among the files. */
  runtimes: z.array(z.object({ path: z.string(), version: z.string() })),
  /** Variables that give such a machine flags, such as `NODE_OPTIONS`. */
  variables: z.record(z.string(), z.string()),
});
export type ProgramFacts = z.infer<typeof programFactsSchema>;

/** `experiment.json`: written before anything runs, and again with the programs when the runs are over. */
export const experimentSchema = z.object({
  schema: z.literal('deadheat.experiment/1'),
  /** Id of the experiment. */
  id: z.string(),
  /** Time at which it began, ISO 8601. */
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
  /** Project of its comparisons in a history; absent = the name of the configuration. */
  project: z.string().optional(),
  /** Absent when the sides are not commits or their commits are not known. */
  commits: commitsSchema.optional(),
  /** Absent in recordings of fleets and of older versions. */
  programs: programFactsSchema.optional(),
  /** Warnings that were known before the first run, such as a method that this machine cannot offer. */
  warnings: z.array(warningSchema),
  /** CRC-32 of the file before it, 8 hexadecimal digits. */
  check: z.string().optional(),
});
export type Experiment = z.infer<typeof experimentSchema>;

/** Why a run did not count. */
const failureCodeSchema = z.enum([
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
  'TIME_BUDGETED',
  'OUTPUTS_DIFFER',
  'TIME_LIMIT_TOO_SHORT',
  'NOTHING_IN_COMMON',
  'BENCHMARKS_DIFFER',
]);

/** A failure of one side in a run. */
const failureSchema = z.object({
  /** The side that failed. */
  side: sideSchema,
  /** Stable name of the kind of failure. */
  code: failureCodeSchema,
  /** One sentence: what happened, and the end of what the program wrote to stderr when it wrote anything. */
  message: z.string(),
  /** For `TIME_BUDGETED`: the parser that reads the times of operations; absent = there is none. */
  parser: builtInParserSchema.optional(),
  /** For `TIME_BUDGETED`: number of benchmarks of a process; absent = it is not known. */
  benchmarks: z.int().positive().optional(),
  /** For `TIME_BUDGETED`: the longest time of an operation that was printed, ns; absent = it is not known. */
  operationNs: timeSchema.optional(),
  /** For `TIME_BUDGETED`: true if several threads of the program computed at once. */
  isParallel: z.boolean().optional(),
});
export type Failure = z.infer<typeof failureSchema>;

/** Use of CPUs by a program while it was executed, by samples. */
const observedTasksSchema = z.object({
  /** Number of samples, or stretches of 4 ms that were observed. */
  samples: z.int().nonnegative(),
  /** Share of the time in which any of its threads was running or waiting for a CPU, 0..1. */
  runnable: z.number().min(0).max(1),
  /** Number of threads that compute at once; 0 where none did. */
  tasks: z.number().nonnegative(),
  /** CPU time of its threads that was seen; absent in recordings of states of threads alone. */
  seenNs: timeSchema.optional(),
  /** Files, absolute, that it wrote or had open for writing, as far as they were seen; absent = none. */
  written: z.array(z.string()).optional(),
});
export type ObservedTasks = z.infer<typeof observedTasksSchema>;

/** The result of one side in one run. */
const sideResultSchema = z.object({
  /** The CPU that the side ran on; of several the first. */
  cpu: z.int().nonnegative(),
  /** Only where the side might use several CPUs: all of them. */
  cpus: z.array(z.int().nonnegative()).optional(),
  /** Length of the padding variable that moved the stack. */
  padBytes: z.int().nonnegative(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  userNs: timeSchema.nullable(),
  systemNs: timeSchema.nullable(),
  maxRssBytes: z.int().nonnegative().nullable(),
  voluntarySwitches: z.int().nonnegative().nullable(),
  involuntarySwitches: z.int().nonnegative().nullable(),
  /** Page faults of all executions, with and without a read from disk; absent = not measured. */
  pageFaults: z.int().nonnegative().optional(),
  /** Events that processors counted in all executions in user mode; a counter that the machine does not offer is absent. */
  counters: z.partialRecord(counterSchema, z.number().nonnegative()).optional(),
  /** Only in counting runs: work of the program and of what it started; absent = not counted. */
  counts: z.partialRecord(countSchema, z.int().nonnegative()).optional(),
  /** There where the allocations in `counts` are bytes of the heap of Node or Java, and not calls. */
  countedBytes: z.literal(true).optional(),
  /** There where the program was ended because it had made enough. */
  stopped: z.literal(true).optional(),
  /** Only in pilot runs and in the first runs of a command, on a machine that reports it. */
  observed: observedTasksSchema.optional(),
  /** Executions in order, for programs that the runner itself timed. */
  iterations: z.array(iterationSchema),
  /** File in the recording's folder that holds the iterations of a program that timed itself; `null` = they are above. */
  record: z
    .string()
    .regex(/^(?:[\w-][\w.-]*[\\/])*[\w-][\w.-]*$/, 'a path inside the recording expected')
    .nullable(),
  /** That file as it was when the run was recorded; absent = there is none, or an earlier version recorded it. */
  seal: z
    .object({
      bytes: z.int().nonnegative(),
      /** CRC-32 (as of zlib) of all bytes, 8 hexadecimal digits. */
      crc32: z.string().regex(/^[0-9a-f]{8}$/),
    })
    .optional(),
});
export type SideResult = z.infer<typeof sideResultSchema>;

/** One scheduled run of a method, finished. */
export const trialSchema = z.object({
  /** Number of the run in the recording, from 0, in the order in which runs began. */
  trial: z.int().nonnegative(),
  /** Index into `config.benchmarks`. */
  benchmark: z.int().nonnegative(),
  /** The method by which the sides were executed. */
  method: methodSchema,
  /** Number of the run of this benchmark and phase, from 0. */
  run: z.int().nonnegative(),
  /** Kind of run: pilot, warm-up or measured. */
  phase: runPhaseSchema,
  /** There where the sides ran one after the other in a way that counts their work: its times mean nothing, and the phase is `pilot`. */
  counting: z.literal(true).optional(),
  /** Which side was started first. */
  order: z.enum(['AB', 'BA']),
  /** `ok` where both sides came to their end. */
  status: z.enum(['ok', 'failed']),
  /** The failures of its sides; empty where it is `ok`. */
  failures: z.array(failureSchema),
  /** The machine that made it, one of the experiment's `hosts`; absent = the experiment has one machine. */
  host: z.string().optional(),
  /** Place of the builds that it executed in the benchmark's `layouts`; absent = there is one build a side. */
  layout: z.int().nonnegative().optional(),
  /** Whole time of the trial with hooks, ns. */
  wallNs: timeSchema,
  sides: z.object({ A: sideResultSchema, B: sideResultSchema }),
  noise: noiseSchema,
});
export type Trial = z.infer<typeof trialSchema>;

/** A line of `trials.jsonl`: a trial, its place and a checksum. */
export const journalLineSchema = trialSchema.extend({
  /** Place of the line in the journal, from 1. */
  line: z.int().positive(),
  /** CRC-32 (as of zlib) of the UTF-8 text of the line before `,"check"`, 8 hexadecimal digits. */
  check: z.string().regex(/^[0-9a-f]{8}$/),
});

/** A recording read back. */
export interface Recording {
  readonly directory: string;
  readonly experiment: Experiment;
  readonly trials: readonly Trial[];
  /** Warnings about the files; absent = none. */
  readonly warnings?: readonly Warning[];
}
