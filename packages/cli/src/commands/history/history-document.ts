import { seriesLevels, type LevelChange, type SeriesQuantity } from '@deadheat/analysis';
import { seriesKey } from '@deadheat/history';
import type { HistoryPoint, SeriesName } from '@deadheat/model';

/** A series as `deadheat history` tells it. */
export interface HistorySeries extends SeriesName {
  readonly quantity: SeriesQuantity;
  /** Smallest change of level that is shown, as a share: 0.005 = 0.5 %. */
  readonly leastChange: number;
  /** In the order of B's commits; `value` is the quantity there and `level` its mean between two changes (a ratio, or ns). */
  readonly points: readonly (HistoryPoint & { readonly value: number; readonly level: number })[];
  readonly changes: readonly LevelChange[];
}

interface SeriesRequest {
  readonly quantity: SeriesQuantity | null;
  readonly leastChange: number;
}

/** What `--export-json` of `deadheat history` writes. */
export interface HistoryDocument {
  readonly schema: 'deadheat.history/1';
  /** Folder or URL, without a password. */
  readonly place: string;
  readonly series: readonly HistorySeries[];
}

/** Points sorted into their series, in the order of their names, each with the changes of its level. */
export function historyDocument(
  points: readonly HistoryPoint[],
  { place, ...options }: { readonly place: string } & SeriesRequest,
): HistoryDocument {
  const bySeries = new Map<string, HistoryPoint[]>();
  for (const point of points) {
    const key = seriesKey(point);
    const found = bySeries.get(key);
    if (found === undefined) bySeries.set(key, [point]);
    else found.push(point);
  }
  const series = [...bySeries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, members]) => toSeries(members, options));
  return { schema: 'deadheat.history/1', place, series };
}

function toSeries(points: readonly HistoryPoint[], options: SeriesRequest): HistorySeries {
  const { quantity, values, levels, changes } = seriesLevels(points, options);
  const { project, benchmark, params, method } = points[0] as HistoryPoint;
  return {
    project,
    benchmark,
    params,
    method,
    quantity,
    leastChange: options.leastChange,
    points: points.map((point, at) => ({ ...point, value: values[at] ?? 0, level: levels[at] ?? 0 })),
    changes,
  };
}
