import type { HistoryPoint, SeriesName } from '@deadheat/model';
import type { PointFilter, VerdictCounts } from './history.ts';
import { paramsKey } from './params-key.ts';

/** Whether a point is one of those that are asked for. */
export const isWanted = (
  point: SeriesName & Pick<HistoryPoint, 'experiment'>,
  { project, benchmark, params, method, experiments }: PointFilter,
): boolean =>
  (experiments === undefined || experiments.includes(point.experiment)) &&
  (project === undefined || point.project === project) &&
  (benchmark === undefined || point.benchmark === benchmark) &&
  (method === undefined || point.method === method) &&
  (params === undefined || paramsKey(point.params) === paramsKey(params));

/** How often every verdict came out. */
export const countVerdicts = (points: Iterable<Pick<HistoryPoint, 'verdict'>>): VerdictCounts => {
  const counts = { slower: 0, faster: 0, 'dead-heat': 0, undecided: 0 };
  for (const { verdict } of points) counts[verdict] += 1;
  return counts;
};

/** One text for each series, in the order in which series are listed. */
export const seriesKey = ({ project, benchmark, params, method }: SeriesName): string =>
  JSON.stringify([project, benchmark, paramsKey(params), method]);

/** The last point of every series. */
export const newestOfEach = (points: readonly HistoryPoint[]): readonly HistoryPoint[] =>
  byKey(new Map(points.map((point) => [seriesKey(point), point])));

/** Points in the order of their series. */
export const byKey = (points: ReadonlyMap<string, HistoryPoint>): readonly HistoryPoint[] =>
  [...points].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, point]) => point);
