import type { HistoryPoint, SeriesName } from '@deadheat/model';
import type { PointFilter } from './history.ts';
import { paramsKey } from './params-key.ts';

/** Whether a point is one of those that are asked for. */
export const isWanted = (point: SeriesName, { project, benchmark, params, method }: PointFilter): boolean =>
  (project === undefined || point.project === project) &&
  (benchmark === undefined || point.benchmark === benchmark) &&
  (method === undefined || point.method === method) &&
  (params === undefined || paramsKey(point.params) === paramsKey(params));

/** One text for each series, in the order in which series are listed. */
export const seriesKey = ({ project, benchmark, params, method }: SeriesName): string =>
  JSON.stringify([project, benchmark, paramsKey(params), method]);

/** The last point of every series. */
export const newestOfEach = (points: readonly HistoryPoint[]): readonly HistoryPoint[] => {
  const newest = new Map(points.map((point) => [seriesKey(point), point]));
  return [...newest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, point]) => point);
};
