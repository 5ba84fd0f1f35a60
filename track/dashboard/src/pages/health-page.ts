import { countOf, formatShare, html, nameOf, plainTable, scrolled } from '@deadheat/report';
import { healthQuery, pageNumber, selectHealth } from '../api/queries.ts';
import { sparkline } from '../html/change-parts.ts';
import { link, pagingLinks, pagingOf, projectChoice, seriesLink } from '../html/words.ts';
import { definePage } from './page.ts';

const size = 100;

/** Which benchmarks can be believed: how far they scatter, what they can see, and how often they were wrong. */
export const healthPage = definePage({
  path: '/health',
  menu: 'Health',
  query: healthQuery.omit({ offset: true, limit: true }).extend(pageNumber),
  show: async ({ context, query }) => {
    const catalog = await context.catalog.now();
    const { pending, series } = await context.changes.of(catalog);
    const { project, q } = query;
    const found = selectHealth(context.changes.health(), query);
    const paging = pagingOf(found.length, { page: query.page, size });
    const shown = found.slice(paging.from, paging.to);
    const table = plainTable({
      className: 'plain scores',
      caption:
        'Of the newest 60 comparisons of each benchmark, the worst first. Spread: the usual distance of a value from its level. Taken back: a difference that the next ' +
        'comparison of the same two commits did not find.',
      columns: [
        'Benchmark',
        [html`<span class="sr">Newest values</span>`, 'wide'],
        ['Spread', 'n'],
        ['Found in 4 of 5', 'n'],
        ['Undecided', 'n wide'],
        ['Taken back', 'n'],
        ['Comparisons', 'n wide'],
      ],
      rows: shown.map((one) => [
        html`<a href="${seriesLink(one)}">${nameOf(one)}</a> <small>${one.project}, ${one.method}</small>`,
        sparkline(context.changes.tailOf(one)),
        one.spread === null ? '?' : formatShare(one.spread),
        one.smallestSlowdown > 1e6 ? 'nothing' : formatShare(one.smallestSlowdown),
        formatShare(one.undecided / one.comparisons),
        one.repeated === 0 ? 'none' : `${one.takenBack} of ${one.repeated}`,
        one.comparisons,
      ]),
    });
    return {
      title: 'Health of the benchmarks',
      content: html`${
          pending === 0
            ? null
            : html`<p class="note" role="status">
                ${countOf(series - pending, 'series', 'series')} of ${series} are searched so far. Open the page again
                for the rest.
              </p>`
        }
        ${shown.length === 0 ? html`<p class="note">No benchmark fits. <a href="/health">Show all</a></p>` : scrolled('Health', table)}
        ${pagingLinks(paging, { total: found.length, linkTo: (page) => link('/health', { project, q, page }) })}
        <form class="filter" method="get" action="/health">
          <label>Benchmark <input type="search" name="q" value="${q ?? ''}" /></label>
          ${projectChoice(catalog, project)}
          <button type="submit">Show</button>
        </form>`,
    };
  },
});
