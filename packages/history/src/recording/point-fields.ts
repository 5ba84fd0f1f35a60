import type { HistoryPoint } from '@deadheat/model';
import type { StoredRecording } from '../history.ts';

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

/** The point of a recording that fields stand for. */
export function fromFields(
  fields: PointFields,
  {
    id,
    project,
    startedAt,
    commits,
    hostname,
  }: Pick<StoredRecording, 'id' | 'project' | 'startedAt' | 'commits'> & Pick<HistoryPoint, 'hostname'>,
): HistoryPoint {
  const [benchmark, params, method, metric, verdict, estimate, low, high, confidence, margin, mds, runs, a, b] = fields;
  return {
    project,
    benchmark,
    params,
    method,
    experiment: id,
    startedAt,
    commits,
    hostname,
    metric,
    ratio: { estimate, low, high, confidence },
    verdict,
    margin,
    minimalDetectableSlowdown: mds,
    runs,
    meanNs: { A: a, B: b },
  };
}
