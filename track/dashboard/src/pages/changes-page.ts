import { countOf, html, nameOf, plainTable, type Held, type Markup } from '@deadheat/report';
import { changesQuery, pageNumber, selectChanges, type TriagedChange } from '../api/queries.ts';
import { bisectLine, commitRange, sizeOf, sparkline, triageBadge, triageWords } from '../html/change-parts.ts';
import { link, seriesLink } from '../html/link.ts';
import { choice, pagingLinks, pagingOf, projectChoice } from '../html/parts.ts';
import { momentOf, timeOf } from '../html/words.ts';
import type { ServerContext } from '../context.ts';
import { definePage } from './page.ts';

const size = 25;

/** The latest changes over all series, the newest first. */
export const changesPage = definePage({
  path: '/',
  menu: 'What changed',
  query: changesQuery.omit({ offset: true, limit: true }).extend(pageNumber),
  show: async ({ context, query }) => {
    const catalog = await context.catalog.now();
    const { changes, pending, series } = await context.changes.of(catalog);
    const triage = await context.triage.view();
    const { project, q, direction, state } = query;
    const found = selectChanges(changes, { triage, query });
    const paging = pagingOf(found.length, { page: query.page, size });
    const shown = found.slice(paging.from, paging.to);
    const form = html`<form class="filter" method="get" action="/">
      <label>Benchmark <input type="search" name="q" value="${q ?? ''}" /></label>
      ${projectChoice(catalog, project)}
      ${choice('direction', {
        label: 'Direction',
        options: [
          ['', 'both'],
          ['slower', 'slower'],
          ['faster', 'faster'],
        ],
        chosen: direction,
      })}
      ${choice('state', {
        label: 'Decision',
        options: [['', 'all'], ['open', 'not expected'], ...Object.entries(triageWords)],
        chosen: state,
      })}
      <button type="submit">Show</button>
    </form>`;
    const progress =
      pending === 0
        ? null
        : html`<p class="note" role="status">
            ${countOf(series - pending, 'series', 'series')} of ${series} are searched so far; the others are as they
            were found before. Open the page again for the rest.
          </p>`;
    return {
      title: 'What changed',
      content: html`${form} ${progress}
      ${shown.length === 0 ? nothing({ total: changes.length, series }) : table(shown, context)}
      ${pagingLinks(paging, { total: found.length, linkTo: (page) => link('/', { project, q, direction, state, page }) })}`,
    };
  },
});

function nothing({ total, series }: { readonly total: number; readonly series: number }): Markup {
  if (total > 0) return html`<p class="note">No change fits. <a href="/">Show all</a></p>`;
  return html`<p class="note">
    ${
      series === 0
        ? 'There is no comparison yet.'
        : html`No level changed in ${countOf(series, 'series', 'series')}. A change shows when about six comparisons of
            the new level are there; until then the
            <a href="/benchmarks">verdicts of the newest comparisons</a>
            show it.`
    }
  </p>`;
}

function table(
  shown: readonly TriagedChange[],
  { changes, repositories }: Pick<ServerContext, 'changes' | 'repositories'>,
): Markup {
  const showsMethod = new Set(shown.map(({ change }) => change.method)).size > 1;

  function row({ change, decided }: TriagedChange): readonly Held[] {
    const { first, last, quantity, project, method } = change;
    const line = bisectLine(change, null);
    return [
      html`<a href="${link(`/changes/${change.id}`)}">${nameOf(change)}</a>
        <small>${project}${showsMethod ? `, ${method}` : ''}</small>`,
      html`${sizeOf(change)}${
        quantity === 'time' && first.hostname !== last.hostname
          ? html` <small>time of B; the machine differs, too</small>`
          : quantity === 'time'
            ? html` <small>time of B</small>`
            : null
      }`,
      html`<a href="${seriesLink(change)}" aria-label="Series of ${nameOf(change)}"
        >${sparkline(changes.tailOf(change))}</a
      >`,
      html`${commitRange(change, repositories)}${
        line === null
          ? null
          : html`<details class="bisect">
              <summary>bisect</summary>
              <code>${line}</code>
            </details>`
      }`,
      momentOf(timeOf(first)),
      triageBadge(decided),
    ];
  }

  return plainTable({
    className: 'plain changed',
    caption:
      'Changes of level, the newest first, with the interval of their size. The link of a benchmark leads to the change and what was decided about it.',
    columns: [
      'Benchmark',
      ['Change', 'n'],
      [html`<span class="sr">Newest values</span>`, 'wide'],
      ['After … until', 'range'],
      ['When', 'wide'],
      'Decision',
    ],
    rows: shown.map(row),
  });
}
