import { z } from 'zod';

/**
 * A time that can decide: wall time; CPU time (user + system of the side's process tree); or `undelayed`, the wall time without the time for
 * which the first thread of the program was ready to run and waited for a CPU, where no other waited longer.
 */
export const timeMetricSchema = z.enum(['time', 'cpu', 'undelayed']);
export type TimeMetric = z.infer<typeof timeMetricSchema>;

/** Events that a processor counts in user mode, if the kernel allows it (perf_event_open). */
export const counterSchema = z.enum(['instructions', 'cycles', 'branch-misses', 'cache-misses']);
export type Counter = z.infer<typeof counterSchema>;

/**
 * Amounts of work that counting runs bring, which are not judged for time: instructions in user mode, where no processor counts them, and
 * blocks of memory that malloc and its kin gave, both by valgrind; of Node and Java the bytes that their heap gave.
 */
export const countSchema = z.enum(['instructions', 'allocations']);
export type Count = z.infer<typeof countSchema>;

/**
 * Amounts that an execution uses beside time: `rss`, the peak resident memory of the largest process of the side's process tree; page faults;
 * context switches; allocations of memory; and the counters of processors.
 */
export const resourceMetricSchema = z.enum(['rss', 'faults', 'switches', 'allocations', ...counterSchema.options]);
export type ResourceMetric = z.infer<typeof resourceMetricSchema>;

/** Metrics that can be compared: a time or a resource. */
export const metricSchema = z.enum([...timeMetricSchema.options, ...resourceMetricSchema.options]);
export type Metric = z.infer<typeof metricSchema>;

/** Properties of a metric; `core/analysis/src/metric/iteration-times.ts` reads its values. */
interface MetricKind {
  /** Name in texts. */
  readonly name: string;
  /** Unit of its values, which are otherwise numbers. */
  readonly unit: 'ns' | 'bytes' | null;
  /** `true` = a count of all work of a program, the same in every layout of it. */
  readonly work?: true;
}

export const metricKinds: Readonly<Record<Metric, MetricKind>> = {
  time: { name: 'wall time', unit: 'ns' },
  cpu: { name: 'CPU time', unit: 'ns' },
  undelayed: { name: 'wall time without waiting for a CPU', unit: 'ns' },
  rss: { name: 'peak memory', unit: 'bytes' },
  faults: { name: 'page faults', unit: null },
  switches: { name: 'context switches', unit: null },
  allocations: { name: 'allocations', unit: null },
  instructions: { name: 'instructions', unit: null, work: true },
  cycles: { name: 'CPU cycles', unit: null },
  'branch-misses': { name: 'branch misses', unit: null },
  'cache-misses': { name: 'cache misses', unit: null },
};

export function isResourceMetric(metric: Metric | 'auto'): metric is ResourceMetric {
  return metric !== 'auto' && metricKinds[metric].unit !== 'ns';
}

export function isCounter(metric: Metric): metric is Counter {
  return (counterSchema.options as readonly string[]).includes(metric);
}

/** True for a metric that counting runs bring where nothing else does. */
export function isCount(metric: Metric): metric is Count {
  return (countSchema.options as readonly string[]).includes(metric);
}

/** The largest peak memory of all runs of a side, which is measured without being asked for; `rss` is the mean of the runs. */
export const largestRss = 'max-rss';

/** The name of a metric of a history for people. */
export function pointMetricName(name: string): string {
  if (name === largestRss) return 'largest peak memory';
  const known = metricSchema.safeParse(name);
  return known.success ? metricKinds[known.data].name : name;
}

/** A metric of a history that is a time, of which more is slower; of any other more is just more. */
export function isTimeMetric(name: string): boolean {
  const known = metricSchema.safeParse(name);
  return known.success && !isResourceMetric(known.data);
}
