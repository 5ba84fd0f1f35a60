import { nameOf, verdictOrder } from '@deadheat/report';
import type { HistoryPoint } from '@deadheat/model';
import type { z } from 'zod';
import type { benchmarksQuery } from './api/queries.ts';

type Selection = Omit<z.output<typeof benchmarksQuery>, 'offset' | 'limit'>;

/** Those of the newest comparisons that are asked for, in the order that is asked for. */
export const selectBenchmarks = (
  latest: readonly HistoryPoint[],
  { project, q, verdict, method, sort }: Selection,
): readonly HistoryPoint[] => {
  const part = q?.trim().toLowerCase() ?? '';
  const found = latest.filter(
    (point) =>
      (project === undefined || point.project === project) &&
      (verdict === undefined || point.verdict === verdict) &&
      (method === undefined || point.method === method) &&
      (part === '' || nameOf(point).toLowerCase().includes(part)),
  );
  switch (sort) {
    case 'name':
      return found;
    case 'newest':
      return found.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0));
    case 'worst':
      return worstFirst(found);
  }
};

/** By verdict, then the largest ratio. */
export const worstFirst = (points: readonly HistoryPoint[]): readonly HistoryPoint[] =>
  points.toSorted(
    (a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) || b.ratio.estimate - a.ratio.estimate,
  );
