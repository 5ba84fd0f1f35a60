import { z } from 'zod';

/** The two versions compared: `A` is the baseline, `B` the candidate. Ratios are always B / A. */
export const sideSchema = z.enum(['A', 'B']);
export type Side = z.infer<typeof sideSchema>;
export const sides: readonly Side[] = ['A', 'B'];

/** How the two sides are executed against each other (ICPE'20 section 3; thesis chapter 4; `tandem` is our own). */
export const methodSchema = z.enum(['tandem', 'sync-duet', 'async-duet', 'sequential']);
export type Method = z.infer<typeof methodSchema>;

/** A method, or `auto`: pilot runs choose it. */
export const askedMethodSchema = z.enum(['auto', ...methodSchema.options]);
export type AskedMethod = z.infer<typeof askedMethodSchema>;

/** Properties of a method. */
export interface MethodFacts {
  /** Whether the sides run at the same time. */
  readonly together: boolean;
  /** Whether a barrier starts the sides together, so that iterations of the same index are a pair. */
  readonly barrier: boolean;
  /** CPUs of the sides: one that both share, one each, or all CPUs of the experiment for each side. */
  readonly cpus: 'one-shared' | 'one-each' | 'all';
}

export const methodFacts: Readonly<Record<Method, MethodFacts>> = {
  tandem: { together: true, barrier: true, cpus: 'one-shared' },
  'sync-duet': { together: true, barrier: true, cpus: 'one-each' },
  'async-duet': { together: true, barrier: false, cpus: 'one-each' },
  sequential: { together: false, barrier: false, cpus: 'all' },
};

/**
 * What is judged: wall time; CPU time (user + system of the side's process tree); or `undelayed`, the wall time without the time for which
 * the first thread of the program was ready to run and waited for a CPU, where no other waited longer.
 */
export const timeMetricSchema = z.enum(['time', 'cpu', 'undelayed']);
export type TimeMetric = z.infer<typeof timeMetricSchema>;

/** What a processor counts in user mode, if the kernel allows it (perf_event_open). */
export const counterSchema = z.enum(['instructions', 'cycles', 'branch-misses', 'cache-misses']);
export type Counter = z.infer<typeof counterSchema>;

/**
 * What an execution uses beside time: `rss`, the peak resident memory of the largest process of the side's process tree; page faults; context
 * switches; and what processors count.
 */
export const resourceMetricSchema = z.enum(['rss', 'faults', 'switches', ...counterSchema.options]);
export type ResourceMetric = z.infer<typeof resourceMetricSchema>;

/** What can be compared: a time or a resource. */
export const metricSchema = z.enum([...timeMetricSchema.options, ...resourceMetricSchema.options]);
export type Metric = z.infer<typeof metricSchema>;

export function isResourceMetric(metric: Metric | 'auto'): metric is ResourceMetric {
  return (resourceMetricSchema.options as readonly string[]).includes(metric);
}

/** What metrics are called in texts. */
export const metricNames: Readonly<Record<Metric, string>> = {
  time: 'wall time',
  cpu: 'CPU time',
  undelayed: 'wall time without waiting for a CPU',
  rss: 'peak memory',
  faults: 'page faults',
  switches: 'context switches',
  instructions: 'instructions',
  cycles: 'CPU cycles',
  'branch-misses': 'branch misses',
  'cache-misses': 'cache misses',
};

/** The largest peak memory of all runs of a side, which is measured without being asked for; `rss` is the mean of the runs. */
export const largestRss = 'max-rss';

/** The name of a metric of a history for people. */
export function pointMetricName(name: string): string {
  if (name === largestRss) return 'largest peak memory';
  const known = metricSchema.safeParse(name);
  return known.success ? metricNames[known.data] : name;
}

/** Whether a metric of a history is a time, of which more is slower; of any other more is just more. */
export function isTimeMetric(name: string): boolean {
  const known = metricSchema.safeParse(name);
  return known.success && !isResourceMetric(known.data);
}

/** When the sides trade cores: at every pair, at random once a run, or never. */
export const swapSchema = z.enum(['pair', 'run', 'never']);
export type Swap = z.infer<typeof swapSchema>;

/**
 * Which estimate and interval decide. `rank`: the Hodges-Lehmann estimate with the interval of its rank test. The others are of the mean
 * (log) ratio: by the bootstrap, where `expanded` is Hesterberg's correction of the percentile interval, or by Student's t.
 */
export const intervalKindSchema = z.enum(['rank', 'expanded', 'percentile', 'bca', 't']);
export type IntervalKind = z.infer<typeof intervalKindSchema>;

/** Papers whose procedure can be asked for: Bulej et al., ICPE 2020; Drozdik's thesis, 2023. */
export const paperSchema = z.enum(['icpe20', 'thesis']);
export type Paper = z.infer<typeof paperSchema>;

/**
 * What an iteration is. `command`: a whole execution of the program, timed by the runner; `harness`: what the program
 * records by the workload protocol; `lines`: what a pattern or a parser finds in what the program prints or writes.
 */
export const workloadSchema = z.enum(['command', 'harness', 'lines']);
export type Workload = z.infer<typeof workloadSchema>;

/** In which order runs are made: shuffled over all benchmarks and methods, or one benchmark and method after another. */
export const scheduleSchema = z.enum(['randomized-interleaving', 'sequential']);
export type Schedule = z.infer<typeof scheduleSchema>;

/** Programs that run containers, by their command line. */
export const containerEngineSchema = z.enum(['podman', 'docker']);
export type ContainerEngineName = z.infer<typeof containerEngineSchema>;

export const timeUnitSchema = z.enum(['ns', 'us', 'ms', 's']);
export type TimeUnit = z.infer<typeof timeUnitSchema>;

export const phaseSchema = z.enum(['warmup', 'measure']);
export type Phase = z.infer<typeof phaseSchema>;

/** The phase of a whole run. Runs of the phase `pilot` choose the method of a benchmark and are not judged. */
export const runPhaseSchema = z.enum(['pilot', ...phaseSchema.options]);
export type RunPhase = z.infer<typeof runPhaseSchema>;

/** The answer about B against A. */
export const verdictSchema = z.enum(['slower', 'faster', 'dead-heat', 'undecided']);
export type Verdict = z.infer<typeof verdictSchema>;

/** Parameter names and values of one benchmark, as typed by the user. */
export const paramsSchema = z.record(z.string(), z.string());
export type Params = z.infer<typeof paramsSchema>;
