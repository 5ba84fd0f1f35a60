import type { HistoryPoint, LevelChange, SeriesName, SeriesQuantity } from '@deadheat/history';
import { pointMetricName } from '@deadheat/model';
import {
  type AmountUnit,
  chooseAmountUnit,
  countOf,
  formatAmountIn,
  formatChosenShare,
  formatDifference,
  formatRatio,
  html,
  Markup,
  nameOf,
  percentDigits,
  plainTable,
  printable,
  renderSeries,
  scrolled,
} from '@deadheat/report';
import { z } from 'zod';
import { pageNumber, seriesQuery } from '../api/queries.ts';
import {
  choice,
  commitName,
  commitPair,
  commitText,
  comparisonLink,
  differenceOf,
  hasInterval,
  link,
  momentOf,
  pagingLinks,
  pagingOf,
  pointBadge,
  seriesQueryOf,
  timeOf,
} from '../html/words.ts';
import type { SeriesDetail } from '../source/catalog.ts';
import { definePage } from './page.ts';

const size = 50;
/** Number of the newest comparisons that are drawn; more could not be distinguished in the picture. */
const mostDrawn = 2000;

const pageQuery = seriesQuery.extend({
  /** The meaning of the colour of a dot. */
  colour: z.enum(['verdict', 'host']).default('verdict'),
  ...pageNumber,
});

/** One benchmark over the commits. */
export const seriesPage = definePage({
  path: '/series',
  section: '/benchmarks',
  script: 'pictures',
  query: pageQuery,
  show: async ({ context, query: { of: quantity, leastChange, against, host, metric, colour, page, ...asked } }) => {
    const catalog = await context.catalog.now();
    const series = await catalog.series({ name: asked, quantity, leastChange, against, host, metric });
    const name: SeriesName = { ...asked, method: series.method };
    const total = series.points.length;
    const paging = pagingOf(total, { page, size });
    const own = { ...seriesQueryOf(name), of: quantity, leastChange, against, host, metric, colour };
    const content = html`<p>
        <a href="${link('/benchmarks', { project: name.project })}">${name.project}</a>, ${name.method}:
        ${countOf(total, 'comparison')} in the order of the commits of B.
      </p>
      <form class="filter" method="get" action="/series">
        ${Object.entries(seriesQueryOf(name)).map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}" />`)}
        ${metricChoice(series)} ${quantityChoice(quantity)}
        <label
          >Least change
          <input
            type="number"
            name="leastChange"
            value="${leastChange}"
            min="0"
            max="0.999"
            step="any"
            title="0.01 = 1 %"
          />
        </label>
        <label>Against commit <input type="search" name="against" value="${against ?? ''}" /></label>
        ${
          series.hosts.length < 2
            ? null
            : html`${choice('host', { label: 'Machine', options: [['', 'all'], ...series.hosts.map((one) => [one, one] as const)], chosen: host })}
              ${choice('colour', {
                label: 'Colour',
                options: [
                  ['verdict', 'verdict'],
                  ['host', 'machine'],
                ],
                chosen: colour,
              })}`
        }
        <button type="submit">Show</button>
      </form>
      ${seriesFigure(series, colour)} ${changeList(series)}
      <h2>Comparisons</h2>
      ${table(series, paging)} ${pagingLinks(paging, { total, linkTo: (at) => link('/series', { ...own, page: at }) })}`;
    return { title: nameOf(name), content };
  },
});

/** A select field for the metrics that the comparisons hold; none where that is one. */
function metricChoice({ metric, metrics }: SeriesDetail): Markup | null {
  if (metrics.length < 2 && metric === null) return null;
  const options = metrics.map(({ name }) => [name, pointMetricName(name)] as const);
  return choice('metric', {
    label: 'Metric',
    options: [['', 'what decided'], ...options],
    chosen: metric ?? undefined,
  });
}

/** A select field for what is followed of a metric. */
export function quantityChoice(chosen: SeriesQuantity | undefined): Markup {
  return choice('of', {
    label: 'Follow',
    options: [
      ['', 'what the series allows'],
      ['ratio', 'B / A'],
      ['pairs', 'pairs of commits'],
      ['time', 'the time or value of B'],
    ],
    chosen: chosen === 'value' ? 'time' : chosen,
  });
}

/** The quantity that is followed, as the beginning of a sentence. */
function followed({ quantity, metric }: Pick<SeriesDetail, 'quantity' | 'metric'>): string {
  const name = metric === null ? '' : ` of ${printable(pointMetricName(metric))}`;
  switch (quantity) {
    case 'ratio':
      return `B / A${name} against the one baseline`;
    case 'pairs':
      return `What pairs of commits${name} say of each other, from the first commit on: both sides of a pair met the same machine`;
    case 'time':
      return `B's mean time${metric === null ? '' : ` (${printable(pointMetricName(metric))})`}, which also holds what changed on the machines`;
    case 'value':
      return `B's mean${name}, which also holds what changed on the machines`;
  }
}

/** Checks whether the values of a series are ratios. */
export function isRelative({ quantity }: Pick<SeriesDetail, 'quantity'>): boolean {
  return quantity === 'ratio' || quantity === 'pairs';
}

/** The unit in which values of the size of the newest level are shown. */
export function amountUnitOf({ quantity, points, levels }: SeriesDetail): AmountUnit {
  return chooseAmountUnit(levels.at(-1) ?? 0, quantity === 'time' ? 'ns' : (points.at(-1)?.measured?.unit ?? null));
}

/** The newest comparisons of a series with their levels; the script describes the dot under the pointer, and lets a reader look closer. */
export function seriesFigure(series: SeriesDetail, colour: 'verdict' | 'host' = 'verdict'): Markup {
  const { points, values, levels, changes, quantity, hosts } = series;
  const first = Math.max(0, points.length - mostDrawn);
  const shown = points.slice(first);
  const drawn = renderSeries({
    quantity: quantity === 'pairs' ? 'ratio' : quantity,
    unit: points.at(-1)?.measured?.unit ?? null,
    dots: shown.map((point, index) => {
      const at = first + index;
      const interval =
        quantity === 'ratio' && hasInterval(point) ? ([point.ratio.low, point.ratio.high] as const) : null;
      const [value, level] = [values[at] ?? Number.NaN, levels[at] ?? Number.NaN];
      const dot = { label: timeOf(point).slice(0, 10), value, level, interval, verdict: point.verdict };
      return colour === 'host' ? { ...dot, group: hosts.indexOf(point.hostname ?? '') + 1 } : dot;
    }),
    changes: changes.flatMap(({ at }) => (at > first ? [at - first] : [])),
  });
  const unit = amountUnitOf(series);
  const described = shown.map((point, index) => {
    const value = values[first + index] ?? Number.NaN;
    const text = isRelative(series) ? formatRatio(point.ratio) : formatAmountIn(value, unit);
    return [index, point.experiment, dotText(point, text)] as const;
  });
  return html`<figure class="broad series" data-tracks="${tracksData([{ series, dots: described }])}">
    <figcaption>
      <p>
        ${followed(series)}. A dot is a comparison in the colour of its ${colour === 'host' ? 'machine' : 'verdict'},
        the heavy line the level, a dashed line where it
        changed.${first === 0 ? null : ` The newest ${mostDrawn} are drawn.`}
      </p>
      ${colour === 'host' ? legend(shown, hosts) : null}
    </figcaption>
    ${scrolled('Series', new Markup(drawn))}
  </figure>`;
}

/** Commits, machine and value of a comparison, for the reader who points at its dot. */
export function dotText(point: HistoryPoint, text: string): string {
  const { A, B } = point.commits;
  const commits = [A, B].map((commit) => (commit === null ? '?' : commitText(commit))).join(' → ');
  const host = point.hostname === null ? [] : [printable(point.hostname)];
  return [timeOf(point).slice(0, 10), commits, text, ...host].join(', ');
}

/** Place on the axis, experiment and description of a dot. */
export type LabelledDot = readonly [at: number, experiment: string, text: string];

/** The labels and links of the dots of a picture for the script, for each of its series. */
export function tracksData(
  tracks: readonly { readonly series: SeriesName; readonly dots: readonly LabelledDot[] }[],
): string {
  return JSON.stringify(
    tracks.map(({ series, dots }) => ({ query: new URLSearchParams(seriesQueryOf(series)).toString(), dots })),
  );
}

function legend(shown: SeriesDetail['points'], hosts: readonly string[]): Markup {
  const present = new Set(shown.map(({ hostname }) => hosts.indexOf(hostname ?? '') + 1));
  return html`<p class="legend">
    ${[...present]
      .toSorted((a, b) => a - b)
      .map(
        (group) =>
          html`<span class="key r${group % 6}">${group === 0 ? 'not known' : printable(hosts[group - 1] ?? '')}</span>`,
      )}
  </p>`;
}

function changeList(series: SeriesDetail): Markup {
  const { changes, leastChange } = series;
  return html`<h2>Changes of level</h2>
    <p class="note">Changes smaller than ${formatChosenShare(leastChange)} are not shown.</p>
    ${
      changes.length === 0
        ? html`<p class="note">
            None was found. A change in the last few comparisons shows in their verdicts alone: it takes about six of
            the new level to distinguish one from chance, and more in a short or noisy series.
          </p>`
        : html`<ol class="changes">
            ${changes.map((change) => changeItem(change, series))}
          </ol>`
    }`;
}

function changeItem({ at, after, until, ratio }: LevelChange, { points }: SeriesDetail): Markup {
  const point = points[at];
  return html`<li>
    <b>${formatDifference(ratio, percentDigits({ low: ratio, high: ratio }))}</b> after ${commitName(after)} and until
    ${commitName(until)}${point === undefined ? null : html`, <a href="${comparisonLink(point)}">comparison ${at + 1}</a>, ${momentOf(timeOf(point))}`}
  </li>`;
}

function table(series: SeriesDetail, { from, to }: { readonly from: number; readonly to: number }): Markup {
  const { points, values, levels, quantity } = series;
  const unit = amountUnitOf(series);
  const shown = points
    .map((point, at) => ({ point, at }))
    .toReversed()
    .slice(from, to);

  function format(value: number): string {
    return isRelative(series)
      ? formatDifference(value, percentDigits({ low: value, high: value }))
      : formatAmountIn(value, unit);
  }

  return plainTable({
    caption: 'The newest comes first.',
    columns: [
      'When',
      'A → B',
      ['B against A', 'n'],
      'Verdict',
      [isRelative(series) ? 'Level' : quantity === 'time' ? 'Time of B' : 'B', 'n wide'],
      ['Runs', 'n wide'],
    ],
    rows: shown.map(({ point, at }) => [
      html`<a href="${comparisonLink(point)}">${momentOf(timeOf(point))}</a>`,
      commitPair(point.commits),
      differenceOf(point),
      pointBadge(point),
      format((isRelative(series) ? levels : values)[at] ?? Number.NaN),
      point.runs,
    ]),
  });
}
