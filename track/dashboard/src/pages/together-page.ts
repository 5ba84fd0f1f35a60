import { type HistoryPoint, seriesKey } from '@deadheat/history';
import { pointMetricName } from '@deadheat/model';
import {
  formatAmountIn,
  formatDifference,
  formatRatio,
  html,
  Markup,
  nameOf,
  plainTable,
  printable,
  renderTracks,
  scrolled,
  type SeriesTrack,
} from '@deadheat/report';
import { seriesListQuery } from '../api/queries.ts';
import { choice, link, seriesLink, timeOf } from '../html/words.ts';
import type { SeriesDetail } from '../source/catalog.ts';
import { definePage } from './page.ts';
import { amountUnitOf, dotText, isRelative, type LabelledDot, quantityChoice, tracksData } from './series-page.ts';

/** Number of series in a picture: as many as there are colours. */
const mostTogether = 6;
/** Number of the newest commits that are drawn; more could not be distinguished in the picture. */
const mostDrawn = 2000;

/** Several benchmarks in one picture, each as a share of its first level. @throws RequestError `NOT_FOUND` */
export const togetherPage = definePage({
  path: '/together',
  section: '/benchmarks',
  script: 'pictures',
  query: seriesListQuery,
  show: async ({ context, query: { series: names, of: quantity, metric, host, leastChange } }) => {
    const catalog = await context.catalog.now();
    const title = 'Benchmarks together';
    if (names.length === 0) {
      const content = html`<p class="note">
        No benchmark was chosen. Mark some of <a href="/benchmarks">the list</a> and press "Draw together".
      </p>`;
      return { title, content };
    }
    const shown: SeriesDetail[] = [];
    for (const name of names.slice(0, mostTogether)) {
      shown.push(await catalog.series({ name, quantity, metric, host, leastChange, against: undefined }));
    }
    const hosts = [...new Set(shown.flatMap((one) => one.hosts))].toSorted();
    const metrics = [...new Set(shown.flatMap((one) => one.metrics.map(({ name }) => name)))].toSorted();
    const metricOptions = metrics.map((name) => [name, pointMetricName(name)] as const);
    const content = html`<form class="filter" method="get" action="/together">
        ${shown.map((one) => html`<input type="hidden" name="series" value="${seriesKey(one)}" />`)}
        ${choice('metric', { label: 'Metric', options: [['', 'what decided'], ...metricOptions], chosen: metric })}
        ${quantityChoice(quantity)}
        ${
          hosts.length < 2
            ? null
            : choice('host', {
                label: 'Machine',
                options: [['', 'all'], ...hosts.map((one) => [one, one] as const)],
                chosen: host,
              })
        }
        <button type="submit">Show</button>
      </form>
      ${
        names.length > mostTogether
          ? html`<p class="note">The first ${mostTogether} of ${names.length} benchmarks are shown.</p>`
          : null
      }
      ${figure(shown)} ${table(shown, { metric, of: quantity, host })}`;
    return { title, content };
  },
});

function figure(shown: readonly SeriesDetail[]): Markup {
  const placed = placesOf(shown);
  const drawn = placed.tracks.map((track, index): SeriesTrack & { readonly described: readonly LabelledDot[] } => {
    const series = shown[index] as SeriesDetail;
    const { values, levels } = series;
    const unit = amountUnitOf(series);
    const base = levels.find((level) => level > 0) ?? 1;
    const first = values.length - track.length;
    return {
      dots: track.map(({ at, point }, k) => ({
        at,
        label: '',
        value: (values[first + k] ?? Number.NaN) / base,
        level: (levels[first + k] ?? Number.NaN) / base,
        interval: null,
        verdict: point.verdict,
      })),
      changes: series.changes.flatMap(({ at }) => (at > first ? [at - first] : [])),
      described: track.map(({ at, point }, k) => {
        const value = values[first + k] ?? Number.NaN;
        const text = isRelative(series) ? formatRatio(point.ratio) : formatAmountIn(value, unit);
        return [at, point.experiment, `${nameOf(series)}: ${dotText(point, text)}`];
      }),
    };
  });
  const described = drawn.map(({ described: dots }, index) => ({ series: shown[index] as SeriesDetail, dots }));
  return html`<figure class="broad series" data-tracks="${tracksData(described)}">
    <figcaption>
      <p>
        A dot is a comparison, a line the level of its benchmark, both as a difference from the first level of that
        benchmark that is not 0.${placed.isCut ? ` The newest ${mostDrawn} commits are drawn.` : null}
      </p>
      <p class="legend">${shown.map((one, index) => html`<span class="key r${index}">${nameIn(one, shown)}</span>`)}</p>
    </figcaption>
    ${scrolled('Series', new Markup(renderTracks(drawn, { labels: placed.labels, yLabel: 'against the first level' })))}
  </figure>`;
}

/** The name of a series among others, with its project and method where these differ. */
function nameIn(series: SeriesDetail, shown: readonly SeriesDetail[]): string {
  function isShared(field: 'project' | 'method'): boolean {
    return shown.every((one) => one[field] === series[field]);
  }

  const parts = [
    nameOf(series),
    ...(['project', 'method'] as const).filter((field) => !isShared(field)).map((field) => printable(series[field])),
  ];
  return parts.join(', ');
}

interface PlacedPoint {
  /** Place on the common axis. */
  readonly at: number;
  readonly point: HistoryPoint;
}

/** The places of comparisons on an axis over all their commits; a commit that a series has twice has two places. */
function placesOf(shown: readonly SeriesDetail[]): {
  readonly labels: readonly string[];
  /** The newest points of each series. */
  readonly tracks: readonly (readonly PlacedPoint[])[];
  readonly isCut: boolean;
} {
  const times = new Map<string, string>();
  const keyed = shown.map(({ points }) => {
    const seen = new Map<string, number>();
    return points.map((point) => {
      const id = point.commits.B?.id ?? point.experiment;
      const count = seen.get(id) ?? 0;
      seen.set(id, count + 1);
      const key = `${count} ${id}`;
      const time = new Date(timeOf(point)).toISOString();
      const known = times.get(key);
      if (known === undefined || time < known) times.set(key, time);
      return { key, point };
    });
  });
  const order = [...times].toSorted(([a, one], [b, other]) => (one < other || (one === other && a < b) ? -1 : 1));
  const places = order.slice(-mostDrawn);
  const placeOf = new Map(places.map(([key], at) => [key, at]));
  return {
    labels: places.map(([, time]) => time.slice(0, 10)),
    tracks: keyed.map((points) =>
      points.flatMap(({ key, point }) => {
        const at = placeOf.get(key);
        return at === undefined ? [] : [{ at, point }];
      }),
    ),
    isCut: places.length < order.length,
  };
}

function table(
  shown: readonly SeriesDetail[],
  query: { readonly metric: string | undefined; readonly of: string | undefined; readonly host: string | undefined },
): Markup {
  return plainTable({
    caption: 'The newest level against the first, by benchmark.',
    columns: ['Benchmark', ['Comparisons', 'n wide'], ['Changes of level', 'n'], ['Newest level', 'n']],
    rows: shown.map((one) => [
      html`<a href="${seriesLink(one)}">${nameIn(one, shown)}</a> ${
          shown.length === 1
            ? null
            : html`<small
                ><a
                  href="${togetherLink(
                    shown.filter((other) => other !== one),
                    query,
                  )}"
                  >leave out</a
                ></small
              >`
        }`,
      one.points.length,
      one.changes.length,
      formatDifference(growthOf(one), 1),
    ]),
  });
}

/** The newest level by the first. */
function growthOf({ levels }: SeriesDetail): number {
  const [first = 1, last = 1] = [levels[0], levels.at(-1)];
  return first === last ? 1 : last / first;
}

/** The address of the page of several series. */
function togetherLink(series: readonly SeriesDetail[], query: Readonly<Record<string, string | undefined>>): string {
  const [path = '', text = ''] = link('/together', query).split('?');
  const names = series.map((one) => new URLSearchParams({ series: seriesKey(one) }).toString());
  return `${path}?${[...names, ...(text === '' ? [] : [text])].join('&')}`;
}
