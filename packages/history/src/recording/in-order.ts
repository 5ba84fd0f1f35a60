import type { HistoryPoint } from '@deadheat/model';

/** Where a point stands in its series: the time of B's commit where that is known, else that of the experiment; ISO 8601. */
export const placeInTime = ({ commits, startedAt }: Pick<HistoryPoint, 'commits' | 'startedAt'>): string =>
  new Date(commits.B?.committedAt ?? startedAt).toISOString();

/** A text by which points of one series are ordered. */
export const keyInTime = (point: Pick<HistoryPoint, 'commits' | 'startedAt' | 'experiment'>): string =>
  `${placeInTime(point)} ${point.startedAt} ${point.experiment}`;

/** Points in the order of their commits. */
export const inOrder = (points: readonly HistoryPoint[]): readonly HistoryPoint[] =>
  points
    .map((point) => ({ point, key: keyInTime(point) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ point }) => point);
