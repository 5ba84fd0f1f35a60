import type { HistoryPoint, SeriesName } from '@deadheat/model';

/** A path with those parameters that are given. */
export const link = (path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.append(name, String(value));
  const text = given.toString();
  return text === '' ? path : `${path}?${text}`;
};

/** What names a series in a URL. */
export const seriesQueryOf = ({
  project,
  benchmark,
  params,
  method,
}: SeriesName): Readonly<Record<string, string>> => ({
  project,
  benchmark,
  ...(Object.keys(params).length === 0 ? {} : { params: JSON.stringify(params) }),
  method,
});

export const seriesLink = (name: SeriesName): string => link('/series', seriesQueryOf(name));

export const experimentLink = (id: string): string => `/experiments/${encodeURIComponent(id)}`;

export const comparisonLink = (point: HistoryPoint): string =>
  link(`${experimentLink(point.experiment)}/comparison`, seriesQueryOf(point));
