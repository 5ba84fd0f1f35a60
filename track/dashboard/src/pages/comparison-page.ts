import {
  chooseTimeUnit,
  differenceMarkup,
  facts,
  formatShare,
  formatTime,
  html,
  nameOf,
  verdictBadge,
  type Markup,
} from '@deadheat/report';
import { seriesKey } from '@deadheat/history';
import { pointMetricName } from '@deadheat/model';
import { seriesNameQuery } from '../api/queries.ts';
import { comparisonLink, experimentLink, seriesLink } from '../html/link.ts';
import { commitName, commitPair, momentOf, sentenceOf, timeOf } from '../html/words.ts';
import { RequestError } from '../errors.ts';
import { seriesAmong } from '../source/catalog.ts';
import { definePage } from './page.ts';
import type { HistoryPoint } from '@deadheat/history';

/** One comparison, with those before and after it. @throws RequestError `NOT_FOUND` */
export const comparisonPage = definePage({
  path: '/experiments/:id/comparison',
  section: '/commits',
  query: seriesNameQuery,
  show: async ({ context, id, query: asked }) => {
    const catalog = await context.catalog.now();

    catalog.recording(id);
    const [comparisons = []] = await catalog.comparisons([id]);
    const name = seriesAmong(comparisons, asked);
    const key = seriesKey(name);
    const point = comparisons.find((one) => seriesKey(one) === key);
    if (point === undefined) {
      throw new RequestError(
        'NOT_FOUND',
        `Experiment ${id} has no comparison of ${nameOf(name)}${asked.method === undefined ? '' : ` by ${asked.method}`}.`,
      );
    }
    const { points } = await catalog.series({ name, quantity: undefined, against: undefined });
    const at = points.findIndex(({ experiment }) => experiment === id);
    const { commits, meanNs, runs, method, metric, margin, minimalDetectableSlowdown: seen } = point;
    const unit = chooseTimeUnit(meanNs.A / 1e9);
    const path = experimentLink(id);
    const content = html`<p class="sentence">${verdictBadge(point)} ${sentenceOf(point)}</p>
      ${facts([
        ['A', html`${commitName(commits.A)}, ${formatTime(meanNs.A / 1e9, unit)}`],
        ['B', html`${commitName(commits.B)}, ${formatTime(meanNs.B / 1e9, unit)}`],
        ['runs', `${runs}, ${method}, judged by ${pointMetricName(metric)}`],
        ['found in 4 of 5', seen > 1e6 ? 'no slowdown' : `a true slowdown of ${formatShare(seen)}`],
        ...(margin > 0 ? [['margin', formatShare(margin)] as const] : []),
        ['measured', html`${momentOf(point.startedAt)}${point.hostname === null ? null : ` on ${point.hostname}`}`],
        ['series', html`<a href="${seriesLink(point)}">this benchmark over the commits</a>`],
        [
          'report',
          html`<a href="${path}/report">everything that was measured</a>, of <a href="${path}">experiment ${id}</a>`,
        ],
      ])}
      <h2>Before and after it</h2>
      ${neighbours([points[at - 1], points[at + 1]])}`;
    return { title: nameOf(point), content };
  },
});

function neighbours([before, after]: readonly (HistoryPoint | undefined)[]): Markup {
  return html`<ul class="neighbours">
    ${[['Before', before] as const, ['After', after] as const].map(
      ([name, point]) =>
        html`<li>
          ${name}:
          ${point === undefined ? 'none' : html`<a href="${comparisonLink(point)}">${momentOf(timeOf(point))}</a> ${commitPair(point.commits)} ${differenceMarkup(point.ratio)} ${verdictBadge(point)}`}
        </li>`,
    )}
  </ul>`;
}
