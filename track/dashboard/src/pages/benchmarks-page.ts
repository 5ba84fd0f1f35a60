import { countOf, html, verdictOrder, verdictWords } from '@deadheat/report';
import { methodSchema } from '@deadheat/model';
import { benchmarksQuery, pageNumber, selectBenchmarks } from '../api/queries.ts';
import { comparisonTable } from '../html/comparison-table.ts';
import { choice, pagingLinks, pagingOf, projectChoice } from '../html/parts.ts';
import { link } from '../html/link.ts';
import { sparkline } from '../html/change-parts.ts';
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
