import {
  type StoredRecording,
  type LevelChange,
  changeTriageSchema,
  type HistoryPoint,
  type SeriesHealth,
  type SeriesName,
} from '@deadheat/history';
import {
  commitRefSchema,
  commitsSchema,
  machineSchema,
  methodSchema,
  paramsSchema,
  verdictSchema,
} from '@deadheat/model';
import { z } from 'zod';
import type { ProjectSummary } from '../source/catalog.ts';
import type { SummaryPoint } from '../source/summary.ts';
import type { FleetExperiment, FleetWorker } from '@deadheat/fleet';

const time = z.string().describe('ISO 8601');
const count = z.int().min(0);

export const comparisonSchema = z
  .object({
    project: z.string(),
    benchmark: z.string(),
    params: paramsSchema,
    method: methodSchema,
    experiment: z.string().describe('id of the experiment'),
    startedAt: time,
    commits: commitsSchema,
    hostname: z.string().nullable(),
    metric: z
      .string()
      .describe('what the ratio is of: a metric such as time, cpu or rss, or the name that a tool gives a quantity'),
    ratio: z
      .object({ estimate: z.number(), low: z.number(), high: z.number(), confidence: z.number() })
      .describe('B / A; above 1 B is slower, or has more of it'),
    verdict: verdictSchema,
    margin: z.number(),
    minimalDetectableSlowdown: z.number(),
    runs: count,
    meanNs: z.object({ A: z.number(), B: z.number() }).describe('mean time of an execution of each side, ns'),
    measured: z
      .object({
        unit: z.string().nullable(),
        mean: z
          .object({ A: z.number(), B: z.number() })
          .nullable()
          .describe('of each side in the unit; null = not known'),
      })
      .optional()
      .describe('present where a metric was asked for'),
  })
  .meta({ id: 'Comparison' }) satisfies z.ZodType<HistoryPoint>;

export const experimentSchema = z
  .object({
    id: z.string(),
    project: z.string(),
    startedAt: time,
    commits: commitsSchema,
    hostname: z.string(),
    toolVersion: z.string(),
    comparisons: count.describe('comparisons in its report, without controls'),
  })
  .meta({ id: 'Experiment' }) satisfies z.ZodType<StoredRecording>;

export const projectSchema = z
  .object({
    project: z.string(),
    benchmarks: count,
    verdicts: z
      .object({ slower: count, faster: count, 'dead-heat': count, undecided: count })
      .describe('of the newest comparison of every series'),
    experiments: count,
    measuredAt: time,
  })
  .meta({ id: 'Project' }) satisfies z.ZodType<ProjectSummary>;

const changeSchema = z.object({
  at: count.describe('index of the first point of the new level'),
  after: commitRefSchema.nullable(),
  until: commitRefSchema.nullable(),
  ratio: z.number().describe('new / old level'),
  low: z.number().describe('ends of the interval of the ratio'),
  high: z.number(),
  confidence: z.number(),
  basis: z
    .enum(['levels', 'pair', 'confirmed'])
    .describe('several comparisons on either side, one comparison of both commits, or several of them'),
}) satisfies z.ZodType<LevelChange>;

export const seriesSchema = z
  .object({
    project: z.string(),
    benchmark: z.string(),
    params: paramsSchema,
    method: methodSchema,
    quantity: z.enum(['ratio', 'pairs', 'time', 'value']),
    leastChange: z.number().min(0).describe('smallest change of level that is shown, as a share'),
    points: z
      .array(comparisonSchema.extend({ value: z.number(), level: z.number() }))
      .describe('in the order of the commits of B'),
    changes: z.array(changeSchema),
    metric: z.string().nullable().describe('the metric that was asked for; null = that which decided each comparison'),
    metrics: z
      .array(z.object({ name: z.string(), unit: z.string().nullable() }))
      .describe('metrics that comparisons of the series hold'),
    hosts: z.array(z.string()).describe('machines of all comparisons of the series'),
  })
  .meta({ id: 'Series' });

/** A change of level of a series in the JSON interface. */
export const foundChangeSchema = changeSchema
  .omit({ at: true })
  .extend({
    id: z.string().describe('stays as long as the new level begins with the same comparison'),
    project: z.string(),
    benchmark: z.string(),
    params: paramsSchema,
    method: methodSchema,
    quantity: z.enum(['ratio', 'pairs', 'time', 'value']),
    experiment: z.string().describe('id of the experiment with the first comparison of the new level'),
    measuredAt: time,
    since: count.describe('comparisons of the new level so far'),
    triage: changeTriageSchema.nullable().describe('the last decision about it; null = none yet'),
  })
  .meta({ id: 'Change' });

export const healthSchema = z
  .object({
    project: z.string(),
    benchmark: z.string(),
    params: paramsSchema,
    method: methodSchema,
    comparisons: count.describe('that are counted: the newest 60 at most'),
    spread: z.number().nullable().describe('usual distance of a value from its level, as a share; null = not known'),
    smallestSlowdown: z.number().describe('found in 4 of 5 such experiments, as a share: the median'),
    undecided: count,
    repeated: count.describe('comparisons that found a difference and whose two commits were compared again'),
    takenBack: count.describe('those of which the next comparison of the same commits did not find it'),
  })
  .meta({ id: 'Health' }) satisfies z.ZodType<SeriesName & SeriesHealth>;

const summaryPointSchema = z.object({
  commit: commitRefSchema.nullable(),
  at: time.describe('of the commit, else of the experiment, ISO 8601'),
  score: z.number().describe('geometric mean of all series by their values at the base; 1.02 = 2 % slower'),
  measured: count.describe('series that were measured at the commit; of the others a value was filled in'),
}) satisfies z.ZodType<SummaryPoint>;

/** The summary score of a project over its commits. */
export const summarySchema = z
  .object({
    project: z.string(),
    base: summaryPointSchema.nullable().describe('the commit that all are compared with'),
    isBaseCommon: z.boolean().describe('whether every series was measured at the base'),
    series: count,
    pending: count.describe('series of all projects that are still being searched'),
    points: z.array(summaryPointSchema),
  })
  .meta({ id: 'Summary' });

export const canaryAlarmSchema = z
  .object({
    kind: z
      .enum(['differs', 'level'])
      .describe('differs = a workload differed from itself, level = the level of its time changed'),
    host: z.string(),
    workload: z.string(),
    experiment: z.string().describe('id of the experiment that differs, or with which the new level begins'),
    measuredAt: time,
    ratio: z.number().describe('B / A, or new / old level'),
    low: z.number(),
    high: z.number(),
    confidence: z.number(),
  })
  .meta({ id: 'CanaryAlarm' });

/** One benchmark of two commits. */
export const commitRowSchema = z
  .object({
    project: z.string(),
    benchmark: z.string(),
    params: paramsSchema,
    method: methodSchema,
    basis: z
      .enum(['direct', 'baseline', 'time'])
      .describe('direct: one experiment; baseline: each against the same commit; time: the times of each alone'),
    estimate: z.number().describe('time of the later commit over that of the earlier'),
    interval: z
      .object({ low: z.number(), high: z.number(), confidence: z.number() })
      .nullable()
      .describe('null = unknown'),
    verdict: verdictSchema,
    experiment: z.string().describe('id of the experiment that measured the later commit'),
  })
  .meta({ id: 'CommitRow' });

export const fleetExperimentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    submittedAt: time,
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    runs: count.describe('runs that are in'),
    plannedRuns: count,
    inFlight: count,
    hosts: z.array(z.string()).readonly(),
    failure: z.string().nullable(),
  })
  .meta({ id: 'FleetExperiment' }) satisfies z.ZodType<FleetExperiment>;

export const workerSchema = z
  .object({
    id: z.string(),
    machine: machineSchema.nullable().describe('null = what it says of its machine cannot be read'),
    labels: z.record(z.string(), z.string()),
    toolVersion: z.string(),
    state: z.enum(['idle', 'busy', 'gone']),
    left: z.boolean().optional(),
    draining: z.boolean().optional(),
    seenAt: time,
    experiment: z.string().nullable(),
  })
  .meta({ id: 'Worker' }) satisfies z.ZodType<FleetWorker>;

export const errorSchema = z
  .object({ error: z.object({ code: z.string(), message: z.string() }) })
  .meta({ id: 'Error' });

/** Schema of one part of a list. */
export function pageOf<Item extends z.ZodType>(item: Item): z.ZodObject<{ total: z.ZodInt; items: z.ZodArray<Item> }> {
  return z.object({ total: z.int().min(0).describe('of the whole list'), items: z.array(item) });
}
