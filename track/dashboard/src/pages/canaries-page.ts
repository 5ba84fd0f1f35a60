import { type CanaryAlarm, usualLeastChange } from '@deadheat/history';
import {
  chooseTimeUnit,
  countOf,
  formatDifference,
  formatTime,
  type Held,
  html,
  type Markup,
  percentDigits,
  plainTable,
  printable,
} from '@deadheat/report';
import { z } from 'zod';
import { pageNumber } from '../api/queries.ts';
import { comparisonLink, link, momentOf, pagingLinks, pagingOf, seriesLink } from '../html/words.ts';
import type { SeriesDetail } from '../source/catalog.ts';
import { definePage } from './page.ts';
import { seriesFigure } from './series-page.ts';

/** Canaries with their pictures on a page. */
const size = 10;
const mostAlarms = 25;

/** The canaries of all hosts: their alarms, and their times over the months. */
export const canariesPage = definePage({
  path: '/canaries',
  menu: 'Canaries',
  script: 'pictures',
  query: z.object(pageNumber),
  show: async ({ context, query: { page } }) => {
    const catalog = await context.catalog.now();
    const { canaries } = catalog;
    const alarms = await catalog.canaryAlarms();
    const paging = pagingOf(canaries.length, { page, size });
    const shown: SeriesDetail[] = [];
    for (const name of canaries.slice(paging.from, paging.to)) {
      shown.push(await catalog.series({ name, quantity: 'time', leastChange: usualLeastChange, against: undefined }));
    }
    const content =
      canaries.length === 0
        ? html`<p class="note">
            There is no canary yet. <code>deadheat history watch</code> measures one on its host once a day: an
            artificial workload of a fixed amount, compared with itself.
          </p>`
        : html`<p>
              A canary is an artificial workload of a fixed amount, compared with itself. Where it differs from itself,
              comparisons of that host are not to be trusted; where the level of its time changes, the host became
              faster or slower, and so did the times of all benchmarks there.
            </p>
            <h2>Alarms</h2>
            ${alarmTable(alarms)}
            <h2>Hosts</h2>
            ${shown.map(canaryPart)}
            ${pagingLinks(paging, { total: canaries.length, linkTo: (at) => link('/canaries', { page: at }) })}`;
    return { title: 'Canaries', content };
  },
});

function alarmTable(alarms: readonly CanaryAlarm[]): Markup {
  if (alarms.length === 0) {
    return html`<p class="note">No canary differed from itself, and no level of a time changed.</p>`;
  }
  return plainTable({
    caption:
      alarms.length > mostAlarms
        ? `The newest ${mostAlarms} of ${countOf(alarms.length, 'alarm')}.`
        : 'The newest comes first.',
    columns: ['When', 'Host', 'What', ['Size', 'n']],
    rows: alarms.slice(0, mostAlarms).map(({ kind, host, name, point, ratio }): readonly Held[] => {
      const digits = percentDigits(ratio);
      return [
        html`<a href="${comparisonLink(point)}">${momentOf(point.startedAt)}</a>`,
        printable(host),
        html`<a href="${seriesLink(name)}">${printable(name.benchmark)}</a>
          ${kind === 'differs' ? 'differed from itself' : `became ${ratio.ratio > 1 ? 'slower' : 'faster'}`}`,
        html`<span class="v ${ratio.ratio > 1 ? 'slower' : 'faster'}">${formatDifference(ratio.ratio, digits)}</span>
          <small
            >${formatDifference(ratio.low, digits).replace(' %', '')} … ${formatDifference(ratio.high, digits)}</small
          >`,
      ];
    }),
  });
}

function canaryPart(series: SeriesDetail): Markup {
  const { points, levels, params, benchmark, changes } = series;
  const [first, newest] = [points[0], points.at(-1)];
  const level = (levels.at(-1) ?? Number.NaN) / 1e9;
  const differing = points.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster').length;
  return html`<section>
    <h3><a href="${seriesLink(series)}">${printable(params['host'] ?? '?')}: ${printable(benchmark)}</a></h3>
    <p>
      Level ${formatTime(level, chooseTimeUnit(level))}, ${countOf(points.length, 'canary', 'canaries')}
      ${first === undefined ? null : html`since ${momentOf(first.startedAt)}`}${newest === undefined ? null : html`, the newest ${momentOf(newest.startedAt)}`}.
      ${differing === 0 ? 'It never differed from itself' : `It differed from itself ${countOf(differing, 'time')}`};
      ${changes.length === 0 ? 'its level never changed' : `its level changed ${countOf(changes.length, 'time')}`}.
    </p>
    ${seriesFigure(series)}
  </section>`;
}
