import { methodSchema } from '@deadheat/model';
import { countOf, formatDifference, html, Markup, plainTable, renderTracks, scrolled } from '@deadheat/report';
import { pageNumber, summaryQuery } from '../api/queries.ts';
import { choice, commitName, commitText, link, momentOf, pagingLinks, pagingOf, projectChoice } from '../html/words.ts';
import type { Summary, SummaryPoint } from '../source/summary.ts';
import { definePage } from './page.ts';

const size = 50;
/** Number of the newest commits that are drawn; more could not be distinguished in the picture. */
const mostDrawn = 2000;

/** The summary score of a project, by default of that with the newest experiment. */
export const summaryPage = definePage({
  path: '/summary',
  menu: 'Summary',
  script: 'pictures',
  query: summaryQuery.partial({ project: true }).extend(pageNumber),
  show: async ({ context, query: { project: asked, method, page } }) => {
    const catalog = await context.catalog.now();
    const { pending, series } = await context.changes.of(catalog);
    const project = asked ?? catalog.recordings[0]?.project ?? '';
    const summary = context.changes.summaryOf(project, method);
    const total = summary.points.length;
    const paging = pagingOf(total, { page, size });
    const shown = summary.points.toReversed().slice(paging.from, paging.to);
    const content = html`<form class="filter" method="get" action="/summary">
        ${projectChoice(catalog, project, { hasAll: false })}
        ${choice('method', { label: 'Method', options: [['', 'all'], ...methodSchema.options.map((one) => [one, one] as const)], chosen: method })}
        <button type="submit">Show</button>
      </form>
      ${
        pending === 0
          ? null
          : html`<p class="note" role="status">
              ${countOf(series - pending, 'series', 'series')} of ${series} are searched so far; the score is of these.
              Open the page again for the rest.
            </p>`
      }
      ${
        total === 0
          ? html`<p class="note">There is no comparison of ${project} that fits.</p>`
          : html`${figure(summary)} ${table(shown, summary)}
            ${pagingLinks(paging, { total, linkTo: (at) => link('/summary', { project, method, page: at }) })}`
      }`;
    return { title: project === '' ? 'Summary' : `Summary of ${project}`, content };
  },
});

function figure({ points, base, series, isBaseCommon }: Summary): Markup {
  const drawn = points.slice(-mostDrawn);
  const dots = drawn.map(({ score }, at) => ({
    at,
    label: '',
    value: score,
    level: 1,
    interval: null,
    verdict: 'undecided' as const,
  }));
  const labels = drawn.map(({ at }) => at.slice(0, 10));
  const count = countOf(series, 'benchmark');
  const described = drawn.map(({ at: time, commit, score, measured }, at) => [
    at,
    '',
    `${time.slice(0, 10)}, ${commit === null ? '?' : commitText(commit)}, ${formatDifference(score, 2)}, ${measured} of ${series} measured`,
  ]);
  return html`<figure class="broad series" data-tracks="${JSON.stringify([{ query: '', dots: described }])}">
    <figcaption>
      <p>
        The geometric mean over ${count} against ${commitName(base?.commit ?? null)},
        ${isBaseCommon ? 'the first commit at which all were measured' : 'the first commit; none has all of them'}.
        Where a benchmark was not measured its neighbours stand for
        it.${drawn.length < points.length ? ` The newest ${mostDrawn} commits are drawn.` : ''}
      </p>
    </figcaption>
    ${scrolled('Summary', new Markup(renderTracks([{ dots, changes: null }], { labels, yLabel: 'summary score' })))}
  </figure>`;
}

function table(shown: readonly SummaryPoint[], { points, series }: Summary): Markup {
  const before = new Map(points.map((point, at) => [point, points[at - 1]]));
  return plainTable({
    className: 'plain scores',
    caption: 'The newest comes first. Above 0 the commit is slower than the base.',
    columns: ['When', 'Commit', ['Score', 'n'], ['Since the commit before', 'n'], ['Measured', 'n wide']],
    rows: shown.map((point) => {
      const previous = before.get(point);
      return [
        momentOf(point.at),
        commitName(point.commit),
        formatDifference(point.score, 2),
        previous === undefined ? null : formatDifference(point.score / previous.score, 2),
        `${point.measured} of ${series}`,
      ];
    }),
  });
}
