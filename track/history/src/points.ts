import type { Params } from '@deadheat/model';
import type { HistoryPoint, PointFilter, SeriesName, VerdictCounts } from './history.ts';

/** Parameters as one text that is the same for the same parameters in any order. */
export function paramsKey(params: Params): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
  );
}

/** Checks whether a point fits the filter. */
export function isWanted(
  point: SeriesName & Pick<HistoryPoint, 'experiment'>,
  { project, benchmark, params, method, experiments }: PointFilter,
): boolean {
  return (
    (experiments === undefined || experiments.includes(point.experiment)) &&
    (project === undefined || point.project === project) &&
    (benchmark === undefined || point.benchmark === benchmark) &&
    (method === undefined || point.method === method) &&
    (params === undefined || paramsKey(point.params) === paramsKey(params))
  );
}

/** Checks whether a commit is side A of a point: by its label, its id, or the beginning of that. */
export function isAgainst({ commits: { A } }: Pick<HistoryPoint, 'commits'>, against: string): boolean {
  return A !== null && (A.label === against || A.id === against || A.id.startsWith(against.toLowerCase()));
}

/** The name of a topic of notes, which is part of the name of a file. @throws RangeError for other characters */
export function checkTopic(topic: string): string {
  if (/^[a-z][a-z-]*$/.test(topic)) return topic;
  throw new RangeError(`a topic has small letters and hyphens, not ${JSON.stringify(topic)}`);
}

/** Number of comparisons for each verdict. */
export function countVerdicts(points: Iterable<Pick<HistoryPoint, 'verdict'>>): VerdictCounts {
  const counts = { slower: 0, faster: 0, 'dead-heat': 0, undecided: 0 };
  for (const { verdict } of points) counts[verdict] += 1;
  return counts;
}

/** A key for each series; series are listed in the order of these keys. */
export function seriesKey({ project, benchmark, params, method }: SeriesName): string {
  return JSON.stringify([project, benchmark, paramsKey(params), method]);
}

/** Values by a key, those of each in the given order. */
export function groupBy<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [value]);
    else found.push(value);
  }
  return groups;
}

/** The last point of every series, in the order of the series. */
export function newestOfEach(points: readonly HistoryPoint[]): readonly HistoryPoint[] {
  const newest = new Map(points.map((point) => [seriesKey(point), point]));
  return [...newest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, point]) => point);
}

/**
 * The place of a point in its series: the time of B's commit where that is known, else that of the experiment; ISO
 * 8601.
 */
export function placeInTime({ commits, startedAt }: Pick<HistoryPoint, 'commits' | 'startedAt'>): string {
  const time = commits.B?.committedAt ?? startedAt;
  let place = places.get(time);
  if (place === undefined) {
    if (places.size === mostPlaces) places.clear();
    places.set(time, (place = new Date(time).toISOString()));
  }
  return place;
}

/** Times as they were read last, in UTC: all series of a history are of the same commits. */
const places = new Map<string, string>();
const mostPlaces = 10_000;

/** A text by which points of one series are ordered. */
export function keyInTime(point: Pick<HistoryPoint, 'commits' | 'startedAt' | 'experiment'>): string {
  return `${placeInTime(point)} ${point.startedAt} ${point.experiment}`;
}

/** Points in the order of their commits: by time, and those of one second, as a rebase makes them, by what they were compared with. */
export function inOrder(points: readonly HistoryPoint[]): readonly HistoryPoint[] {
  const times = points.map(placeInTime);
  if (times.every((time, at) => at === 0 || time > (times[at - 1] ?? ''))) return points;
  const byKey = points
    .map((point) => ({ point, key: keyInTime(point) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ point }) => point);
  return [...groupBy(byKey, placeInTime).values()].flatMap((group) =>
    group.length === 1 ? group : asFollowing(group),
  );
}

/** Points of one time, those of a commit behind those of the commits that it was compared with; otherwise as they are. */
function asFollowing(points: readonly HistoryPoint[]): readonly HistoryPoint[] {
  const ofCommit = groupBy(points, ({ commits: { B } }) => B?.id ?? '');
  if (ofCommit.size === 1) return points;
  const places = new Map<string, number>();

  function placeOf(id: string): number {
    const known = places.get(id);
    if (known !== undefined) return known;
    // Whoever is asked in a circle is first.
    places.set(id, 0);
    const before = (ofCommit.get(id) ?? []).map(({ commits: { A } }) => A?.id ?? id).filter((other) => other !== id);
    const place = before.reduce((last, other) => Math.max(last, ofCommit.has(other) ? placeOf(other) + 1 : 0), 0);
    places.set(id, place);
    return place;
  }

  return points.toSorted((a, b) => placeOf(a.commits.B?.id ?? '') - placeOf(b.commits.B?.id ?? ''));
}
