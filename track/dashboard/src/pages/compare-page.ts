import {
  countOf,
  differenceMarkup,
  forestScale,
  formatDifference,
  type Held,
  html,
  intervalGlyph,
  Markup,
  nameOf,
  percentDigits,
  plainTable,
  printable,
  renderHistogram,
  scrolled,
  verdictBadge,
} from '@deadheat/report';
import type { z } from 'zod';
import { compareQuery, pageNumber, selectRows } from '../api/queries.ts';
import type { ServerContext } from '../context.ts';
import { sparkline } from '../html/change-parts.ts';
import {
  choice,
  commitName,
  commitText,
  comparisonLink,
  link,
  pagingLinks,
  pagingOf,
  projectChoice,
  seriesLink,
} from '../html/words.ts';
import type { CatalogView } from '../source/catalog.ts';
import {
  type CommitComparison,
  commitNamed,
  type CommitRow,
  compareCommits,
  geometricMeanOf,
  knownCommits,
} from '../source/commit-comparison.ts';
import { rangeUrl } from '../source/repositories.ts';
import { definePage } from './page.ts';

const size = 100;
/** Commits that the fields offer. */
const mostOffered = 200;

const pageQuery = compareQuery
  .omit({ offset: true, limit: true, from: true, to: true })
  .extend({ from: compareQuery.shape.from.optional(), to: compareQuery.shape.to.optional(), ...pageNumber });

/** Two commits over all benchmarks. @throws RequestError `NOT_FOUND`, `BAD_REQUEST` */
export const comparePage = definePage({
  path: '/compare',
  menu: 'Compare',
  query: pageQuery,
  show: async ({ context, query }) => {
    const catalog = await context.catalog.now();
    const known = knownCommits(catalog, query.project);
    const form = formOf(query, { catalog, offered: known.slice(0, mostOffered).map(({ commit }) => commit) });
    if (query.from === undefined || query.to === undefined) {
      const note =
        known.length < 2
          ? 'Fewer than two commits were measured.'
          : `Give two of the ${known.length} commits that were measured, the older one first: by name or by the beginning of the hash.`;
      return {
        title: 'Compare two commits',
        content: html`${form}
          <p class="note">${note}</p>`,
      };
    }
    await context.changes.of(catalog);
    const found = await compareCommits(catalog, {
      from: commitNamed(query.from, known),
      to: commitNamed(query.to, known),
      project: query.project,
    });
    const { from, to, rows: all } = found;
    const url = rangeUrl(context.repositories, {
      project: query.project ?? all[0]?.project ?? '',
      after: from,
      until: to,
    });
    const names = html`${commitName(from)} … ${commitName(to)}`;
    const rows = selectRows(all, { ...query, show: 'all' });
    const shown = selectRows(rows, query);
    const paging = pagingOf(shown.length, { page: query.page, size });
    const { project, q, show } = query;
    const own = { from: query.from, to: query.to, project, q, show };
    const content = html`${form}
      <p class="sentence">
        ${url === null ? names : html`<a href="${url}" rel="noreferrer">${names}</a>`}: ${summary(rows, found)}
      </p>
      ${
        rows.length === 0
          ? null
          : html`<figure class="broad">
              <figcaption>
                <p>
                  How many benchmarks differ by how much. What is certain has the colour of its direction; to the right
                  of the line ${commitText(to)} is slower.
                </p>
              </figcaption>
              ${scrolled('Histogram', new Markup(renderHistogram(rows.map(({ estimate: ratio, verdict }) => ({ ratio, verdict })))))}
            </figure>`
      }
      ${shown.length === 0 ? nothing(rows.length, own) : table(shown.slice(paging.from, paging.to), context)}
      ${pagingLinks(paging, { total: shown.length, linkTo: (page) => link('/compare', { ...own, page }) })}`;
    return { title: `${commitText(to)} against ${commitText(from)}`, content };
  },
});

function formOf(
  { from, to, project, q, show }: Partial<z.output<typeof pageQuery>>,
  { catalog, offered }: { readonly catalog: CatalogView; readonly offered: CommitComparison['from'][] },
): Markup {
  return html`<form class="filter" method="get" action="/compare">
    <label>From commit <input type="search" name="from" value="${from ?? ''}" list="commits" required /></label>
    <label>To commit <input type="search" name="to" value="${to ?? ''}" list="commits" required /></label>
    <datalist id="commits">
      ${offered.map(
        ({ id, label, committedAt }) =>
          html`<option value="${label === '' ? id : label}">
            ${printable(id.slice(0, 12))} ${committedAt?.slice(0, 10) ?? ''}
          </option>`,
      )}
    </datalist>
    ${projectChoice(catalog, project)}
    <label>Benchmark <input type="search" name="q" value="${q ?? ''}" /></label>
    ${choice('show', {
      label: 'Show',
      options: [
        ['certain', 'what is certain'],
        ['all', 'all'],
      ],
      chosen: show,
    })}
    <button type="submit">Compare</button>
  </form>`;
}

function summary(rows: readonly CommitRow[], { unmatched }: CommitComparison): Markup {
  const mean = geometricMeanOf(rows);
  if (mean === null) return html`no benchmark was measured with both.`;

  function count(verdict: CommitRow['verdict']): number {
    return rows.filter((one) => one.verdict === verdict).length;
  }

  const byChance = rows.reduce((sum, { interval }) => sum + (interval === null ? 0 : 1 - interval.confidence), 0);
  return html`${countOf(rows.length, 'benchmark')}, ${count('slower')} slower and ${count('faster')} faster; the
    geometric mean of their ratios is <b>${formatDifference(mean, percentDigits({ low: mean, high: mean }))}</b>.
    <small
      >If none differed, about ${byChance < 10 ? byChance.toFixed(1) : byChance.toFixed(0)} would be called slower or
      faster by
      chance.${unmatched === 0 ? null : ` ${countOf(unmatched, 'series', 'series')} with one of the two alone ${unmatched === 1 ? 'is' : 'are'} left out.`}</small
    >`;
}

function nothing(count: number, own: Readonly<Record<string, string | undefined>>): Markup | null {
  if (count === 0) return null;
  return html`<p class="note">
    No difference is certain. <a href="${link('/compare', { ...own, show: 'all' })}">Show all benchmarks</a>
  </p>`;
}

const basisWords = { direct: 'one experiment', baseline: 'same baseline', time: 'times alone' } as const;

function table(shown: readonly CommitRow[], { changes }: Pick<ServerContext, 'changes'>): Markup {
  const scale = forestScale(shown.flatMap((one) => (one.interval === null ? [] : [asComparison(one, one.interval)])));
  const showsProject = new Set(shown.map(({ project }) => project)).size > 1;
  const showsMethod = new Set(shown.map(({ method }) => method)).size > 1;

  function cells(row: CommitRow): readonly Held[] {
    const { interval, estimate, point, project, method, verdict, basis } = row;
    const more = [...(showsProject ? [project] : []), ...(showsMethod ? [method] : [])].join(', ');
    return [
      html`<a href="${comparisonLink(point)}">${nameOf(row)}</a>${more === '' ? null : html` <small>${more}</small>`}`,
      interval === null ? html`<span class="unknown">not certain</span>` : verdictBadge({ verdict }),
      interval === null
        ? html`<b>${formatDifference(estimate, percentDigits({ low: estimate, high: estimate }))}</b>`
        : differenceMarkup({ estimate, ...interval }),
      interval === null
        ? null
        : intervalGlyph(asComparison(row, interval), { interval: { estimate, ...interval }, scale }),
      html`<a href="${seriesLink(row)}" aria-label="Series of ${nameOf(row)}">${sparkline(changes.tailOf(row))}</a>`,
      basisWords[basis],
    ];
  }

  return plainTable({
    className: 'verdicts',
    caption:
      'Ratios of the later commit to the earlier: the bar is the interval, the dot the estimate. Where both were measured against the same baseline the interval holds the noise of both; from times alone it is unknown, because the machine may have changed.',
    columns: [
      'Benchmark',
      'Verdict',
      ['Difference', 'n'],
      [html`<span class="sr">Interval</span>`, 'f'],
      [html`<span class="sr">Newest values</span>`, 'wide'],
      ['Measured in', 'wide'],
    ],
    rows: shown.map(cells),
  });
}

function asComparison(
  { estimate, verdict }: CommitRow,
  interval: NonNullable<CommitRow['interval']>,
): Parameters<typeof intervalGlyph>[0] & Parameters<typeof forestScale>[0][number] {
  return { verdict, interval: { estimate, ...interval }, margin: 0, minimalDetectableSlowdown: Infinity };
}
