import type { HistoryPoint, SeriesName } from '@deadheat/history';

/** A path with query parameters; undefined ones are left out. */
export function link(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.append(name, String(value));
  const text = given.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Query parameters that name a series. */
export function seriesQueryOf({ project, benchmark, params, method }: SeriesName): Readonly<Record<string, string>> {
  return {
    project,
    benchmark,
    ...(Object.keys(params).length === 0 ? {} : { params: JSON.stringify(params) }),
    method,
  };
}

export function seriesLink(name: SeriesName): string {
  return link('/series', seriesQueryOf(name));
}

export function experimentLink(id: string): string {
  return `/experiments/${encodeURIComponent(id)}`;
}

export function comparisonLink(point: HistoryPoint): string {
  return link(`${experimentLink(point.experiment)}/comparison`, seriesQueryOf(point));
}
