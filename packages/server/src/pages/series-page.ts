import {
  countOf,
  differenceMarkup,
  formatChosenShare,
  formatDifference,
  formatTime,
  chooseTimeUnit,
  html,
  Markup,
  nameOf,
  percentDigits,
  plainTable,
  renderSeries,
  scrolled,
  verdictBadge,
} from '@deadheat/report';
import type { LevelChange } from '@deadheat/analysis';
import type { SeriesName } from '@deadheat/model';
import { z } from 'zod';
import { seriesQuery } from '../api/queries.ts';
import { choice, pagingLinks, pagingOf } from '../html/parts.ts';
import { comparisonLink, link, seriesQueryOf } from '../html/link.ts';
import { commitName, commitPair, momentOf, timeOf } from '../html/words.ts';
import type { CatalogView, SeriesDetail } from '../source/catalog.ts';
import type { Page } from './page.ts';

const size = 50;
/** Number of the newest comparisons that are drawn; more could not be distinguished in the picture. */
const mostDrawn = 2000;

export const seriesPageQuery = seriesQuery.extend({ page: z.coerce.number().int().min(1).default(1) });

/** One benchmark over the commits. */
export async function seriesPage(
  catalog: CatalogView,
  { of: quantity, leastChange, against, page, ...asked }: z.output<typeof seriesPageQuery>,
): Promise<Page> {
  const series = await catalog.series({ name: asked, quantity, leastChange, against });
  const name: SeriesName = { ...asked, method: series.method };
  const total = series.points.length;
  const paging = pagingOf(total, { page, size });
  const own = { ...seriesQueryOf(name), of: quantity, leastChange, against };
  const content = html`<p>
      <a href="${link('/benchmarks', { project: name.project })}">${name.project}</a>, ${name.method}:
      ${countOf(total, 'comparison')} in the order of the commits of B.
    </p>
    <form class="filter" method="get" action="/series">
      ${Object.entries(seriesQueryOf(name)).map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}" />`)}
      ${choice('of', {
        label: 'Follow',
        options: [
          ['', 'what the series allows'],
          ['ratio', 'B / A'],
          ['time', 'the time of B'],
        ],
        chosen: quantity,
      })}
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
      <button type="submit">Show</button>
    </form>
    ${seriesFigure(series)} ${changeList(series)}
    <h2>Comparisons</h2>
    ${table(series, paging)} ${pagingLinks(paging, { total, linkTo: (at) => link('/series', { ...own, page: at }) })}`;
  return { title: nameOf(name), section: '/benchmarks', content };
}

const quantityWords = {
  ratio: 'B / A against the one baseline',
  time: "B's mean time, which also holds what changed on the machines",
} as const;

/** The newest comparisons of a series with their levels. */
export function seriesFigure({ points, values, levels, changes, quantity }: SeriesDetail): Markup {
  const first = Math.max(0, points.length - mostDrawn);
  const drawn = renderSeries({
    quantity,
    dots: points.slice(first).map((point, index) => {
      const at = first + index;
      const interval = quantity === 'ratio' ? ([point.ratio.low, point.ratio.high] as const) : null;
      const [value, level] = [values[at] ?? Number.NaN, levels[at] ?? Number.NaN];
      return { label: timeOf(point).slice(0, 10), value, level, interval, verdict: point.verdict };
    }),
    changes: changes.flatMap(({ at }) => (at > first ? [at - first] : [])),
  });
  return html`<figure class="broad series">
    <figcaption>
      <p>
        ${quantityWords[quantity]}. A dot is a comparison in the colour of its verdict, the heavy line the level, a
        dashed line where it changed.${first === 0 ? null : ` The newest ${mostDrawn} are drawn.`}
      </p>
    </figcaption>
    ${scrolled('Series', new Markup(drawn))}
  </figure>`;
}

function changeList(series: SeriesDetail): Markup {
  const { changes, leastChange } = series;
  return html`<h2>Changes of level</h2>
    <p class="note">Changes smaller than ${formatChosenShare(leastChange)} are not shown.</p>
    ${
      changes.length === 0
        ? html`<p class="note">
            None was found. A change in the last few comparisons is told by their verdicts alone: it takes about six of
            the new level to tell one from chance, and more in a short or noisy series.
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

function table(
  { points, values, levels, quantity }: SeriesDetail,
  { from, to }: { readonly from: number; readonly to: number },
): Markup {
  const unit = chooseTimeUnit((levels.at(-1) ?? 0) / 1e9);
  const shown = points
    .map((point, at) => ({ point, at }))
    .toReversed()
    .slice(from, to);

  function told(value: number): string {
    return quantity === 'ratio'
      ? formatDifference(value, percentDigits({ low: value, high: value }))
      : formatTime(value / 1e9, unit);
  }

  return plainTable({
    caption: 'The newest comes first.',
    columns: [
      'When',
      'A → B',
      ['B against A', 'n'],
      'Verdict',
      [quantity === 'ratio' ? 'Level' : 'Time of B', 'n wide'],
      ['Runs', 'n wide'],
    ],
    rows: shown.map(({ point, at }) => [
      html`<a href="${comparisonLink(point)}">${momentOf(timeOf(point))}</a>`,
      commitPair(point.commits),
      differenceMarkup(point.ratio),
      verdictBadge(point),
      told((quantity === 'ratio' ? levels : values)[at] ?? Number.NaN),
      point.runs,
    ]),
  });
}
