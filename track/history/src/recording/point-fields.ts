import { isTimeMetric } from '@deadheat/model';
import type { HistoryPoint, MetricName, PointMetric, StoredRecording } from '../history.ts';

/** A point with every metric of its comparison but the time that decides it. */
export interface FiledPoint extends HistoryPoint {
  readonly metrics: readonly PointMetric[];
}

/** A metric as an array. */
export type MetricFields = readonly [
  name: string,
  unit: string | null,
  meanOfA: number | null,
  meanOfB: number | null,
  estimate: number | null,
  low: number | null,
  high: number | null,
  confidence: number | null,
  verdict: PointMetric['verdict'],
];

/**
 * Fields of a point that are not those of its recording, as an array: the form in the index of a folder and between a
 * database and its client.
 */
export type PointFields = readonly [
  benchmark: string,
  params: HistoryPoint['params'],
  method: HistoryPoint['method'],
  metric: HistoryPoint['metric'],
  verdict: HistoryPoint['verdict'],
  estimate: number,
  low: number,
  high: number,
  confidence: number,
  margin: number,
  minimalDetectableSlowdown: number,
  runs: number,
  meanNsOfA: number,
  meanNsOfB: number,
];

export function toFields(point: HistoryPoint): PointFields {
  return [
    point.benchmark,
    point.params,
    point.method,
    point.metric,
    point.verdict,
    point.ratio.estimate,
    point.ratio.low,
    point.ratio.high,
    point.ratio.confidence,
    point.margin,
    point.minimalDetectableSlowdown,
    point.runs,
    point.meanNs.A,
    point.meanNs.B,
  ];
}

export function toMetricFields({ name, unit, mean, ratio, verdict }: PointMetric): MetricFields {
  return [
    name,
    unit,
    mean?.A ?? null,
    mean?.B ?? null,
    ratio?.estimate ?? null,
    ratio?.low ?? null,
    ratio?.high ?? null,
    ratio?.confidence ?? null,
    verdict,
  ];
}

type OfRecording = Pick<StoredRecording, 'id' | 'project' | 'startedAt' | 'commits'> & Pick<HistoryPoint, 'hostname'>;

/**
 * A point and its parts are classes for the engine's sake: it takes the objects of one literal for long-lived when the newest points of a history are,
 * and then frees those of a series only by collecting everything.
 */
class FieldsPoint implements HistoryPoint {
  declare readonly project: string;
  declare readonly benchmark: string;
  declare readonly params: HistoryPoint['params'];
  declare readonly method: HistoryPoint['method'];
  declare readonly experiment: string;
  declare readonly startedAt: string;
  declare readonly commits: HistoryPoint['commits'];
  declare readonly hostname: string | null;
  declare readonly metric: string;
  declare readonly ratio: HistoryPoint['ratio'];
  declare readonly verdict: HistoryPoint['verdict'];
  declare readonly margin: number;
  declare readonly minimalDetectableSlowdown: number;
  declare readonly runs: number;
  declare readonly meanNs: HistoryPoint['meanNs'];

  constructor(fields: PointFields, { id, project, startedAt, commits, hostname }: OfRecording) {
    this.project = project;
    this.benchmark = fields[0];
    this.params = fields[1];
    this.method = fields[2];
    this.experiment = id;
    this.startedAt = startedAt;
    this.commits = commits;
    this.hostname = hostname;
    this.metric = fields[3];
    this.ratio = new FieldsRatio(fields);
    this.verdict = fields[4];
    this.margin = fields[9];
    this.minimalDetectableSlowdown = fields[10];
    this.runs = fields[11];
    this.meanNs = new FieldsMeans(fields);
  }
}

class FieldsRatio {
  declare readonly estimate: number;
  declare readonly low: number;
  declare readonly high: number;
  declare readonly confidence: number;

  constructor(fields: PointFields) {
    this.estimate = fields[5];
    this.low = fields[6];
    this.high = fields[7];
    this.confidence = fields[8];
  }
}

class FieldsMeans {
  declare readonly A: number;
  declare readonly B: number;

  constructor(fields: PointFields) {
    this.A = fields[12];
    this.B = fields[13];
  }
}

/** The point of a recording that fields stand for. */
export function fromFields(fields: PointFields, recording: OfRecording): HistoryPoint {
  return new FieldsPoint(fields, recording);
}

/** The same comparison as seen by one of its metrics; `null` = it does not hold this metric. */
export function inMetric(
  point: HistoryPoint,
  { name, metrics }: { readonly name: string; readonly metrics: readonly MetricFields[] },
): HistoryPoint | null {
  const found = metrics.find(([own]) => own === name);
  if (found !== undefined) return seenBy(point, found);
  if (point.metric !== name) return null;
  return { ...point, measured: isTimeMetric(name) ? { unit: 'ns', mean: point.meanNs } : { unit: null, mean: null } };
}

/** The ends of an interval that is not known, as in reports. */
const unknownInterval = { low: 0, high: Number.MAX_VALUE } as const;

function seenBy(point: HistoryPoint, fields: MetricFields): HistoryPoint {
  const [metric, unit, A, B, estimate, low, high, confidence, verdict] = fields;
  const level = confidence ?? point.ratio.confidence;
  return {
    ...point,
    metric,
    ratio: {
      estimate: estimate ?? quotientOf(A ?? 0, B ?? 0),
      low: low ?? unknownInterval.low,
      high: high ?? unknownInterval.high,
      confidence: level,
    },
    verdict,
    measured: { unit, mean: A === null || B === null ? null : { A, B } },
  };
}

/** B / A, always a positive double. */
function quotientOf(A: number, B: number): number {
  return A === B ? 1 : Math.min(Number.MAX_VALUE, Math.max(Number.MIN_VALUE, B / A));
}

/** The metrics of comparisons, each once, by name. */
export function metricNamesIn(
  points: Iterable<{ readonly metric: string; readonly others: readonly MetricName[] }>,
): readonly MetricName[] {
  const units = new Map<string, string | null>();
  for (const { metric, others } of points) {
    if (!units.has(metric)) units.set(metric, isTimeMetric(metric) ? 'ns' : null);
    for (const { name, unit } of others) units.set(name, unit);
  }
  return [...units].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, unit]) => ({ name, unit }));
}
