import { isDatabaseUrl } from '@deadheat/history';
import { methodSchema } from '@deadheat/model';
import { countOf, html, plainTable, verdictOrder, verdictWords } from '@deadheat/report';
import { benchmarksQuery, noQuery, pageNumber, selectBenchmarks } from '../api/queries.ts';
import { sparkline } from '../html/change-parts.ts';
import { comparisonTable } from '../html/comparison-table.ts';
import { choice, link, momentOf, pagingLinks, pagingOf, projectChoice, verdictTally } from '../html/words.ts';
import { definePage } from './page.ts';

const size = 100;

/** The newest comparison of every benchmark. */
export const benchmarksPage = definePage({
  path: '/benchmarks',
  menu: 'Benchmarks',
  query: benchmarksQuery.omit({ offset: true, limit: true }).extend(pageNumber),
  show: async ({ context, query }) => {
    const catalog = await context.catalog.now();
    // The drawings beside the comparisons come from the search.
    await context.changes.of(catalog);
    const { project, q, verdict, method, sort } = query;
    const found = selectBenchmarks(catalog.latest, query);
    const paging = pagingOf(found.length, { page: query.page, size });
    const shown = found.slice(paging.from, paging.to);

    function linkTo(page: number): string {
      return link('/benchmarks', { project, q, verdict, method, sort, page });
    }

    const form = html`<form class="filter" method="get" action="/benchmarks">
      <label>Benchmark <input type="search" name="q" value="${q ?? ''}" /></label>
      ${projectChoice(catalog, project)}
      ${choice('verdict', { label: 'Verdict', options: [['', 'all'], ...verdictOrder.map((one) => [one, verdictWords[one].toLowerCase()] as const)], chosen: verdict })}
      ${choice('method', { label: 'Method', options: [['', 'all'], ...methodSchema.options.map((one) => [one, one] as const)], chosen: method })}
      ${choice('sort', {
        label: 'Order',
        options: [
          ['worst', 'worst first'],
          ['name', 'by name'],
          ['newest', 'newest first'],
        ],
        chosen: sort,
      })}
      <button type="submit">Show</button>
    </form>`;
    const table =
      shown.length === 0
        ? html`<p class="note">No benchmark fits. <a href="/benchmarks">Show all</a></p>`
        : comparisonTable(shown, {
            caption: `The newest comparison of ${countOf(found.length, 'benchmark')}.`,
            leadsTo: 'series',
            shows: { project: new Set(shown.map((point) => point.project)).size > 1, commits: true },
            markedFor: 'together',
            drawn: (point) => sparkline(context.changes.tailOf(point)),
          });
    return {
      title: project === undefined ? 'Benchmarks' : `Benchmarks of ${project}`,
      content: html`${form} ${table}
      ${shown.length < 2 ? null : html`<form class="filter" id="together" method="get" action="/together"><button type="submit">Draw together</button></form>`}
      ${pagingLinks(paging, { total: found.length, linkTo })}`,
    };
  },
});

/** Every project with its verdicts. */
export const projectsPage = definePage({
  path: '/projects',
  menu: 'Projects',
  query: noQuery,
  show: async ({ context }) => {
    const catalog = await context.catalog.now();
    const { projects } = catalog;
    // Who looks is not to see where a database is, or as whom it is asked.
    const isDatabase = isDatabaseUrl(catalog.place);
    const [place, to] = isDatabase ? ['The database', 'URL'] : [catalog.place, catalog.place];
    const content =
      projects.length === 0
        ? html`<p class="note">
            ${place} holds no comparison yet. Experiments in it are shown here, and
            <code>deadheat history push RECORDING --to ${to}</code>
            adds others.
          </p>`
        : plainTable({
            caption: `What ${isDatabase ? 'the database' : place} holds, with the verdict of the newest comparison of every benchmark.`,
            columns: ['Project', ['Benchmarks', 'n'], 'Verdicts', ['Experiments', 'n wide'], ['Measured last', 'wide']],
            rows: projects.map(({ project, benchmarks, verdicts, experiments, measuredAt }) => [
              html`<a href="${link('/benchmarks', { project })}">${project}</a>`,
              benchmarks,
              verdictTally(verdicts, (verdict) => link('/benchmarks', { project, verdict })),
              html`<a href="${link('/commits', { project })}">${experiments}</a>`,
              momentOf(measuredAt),
            ]),
          });
    return { title: 'Projects', content };
  },
});
