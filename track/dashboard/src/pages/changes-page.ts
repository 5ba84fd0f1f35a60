import { type ChangeTriage, mostTriageText, seriesKey, triageStateSchema } from '@deadheat/history';
import { reportSchema } from '@deadheat/model';
import {
  countOf,
  facts,
  functionsTable,
  type Held,
  html,
  type Markup,
  nameOf,
  plainTable,
  printable,
} from '@deadheat/report';
import { changesQuery, noQuery, pageNumber, selectChanges, type TriagedChange } from '../api/queries.ts';
import type { Caller, ServerContext } from '../context.ts';
import {
  bisectLine,
  commitRange,
  rangeText,
  sizeOf,
  sparkline,
  triageBadge,
  triageWords,
} from '../html/change-parts.ts';
import {
  choice,
  commitSaid,
  comparisonLink,
  experimentLink,
  link,
  momentOf,
  pagingLinks,
  pagingOf,
  projectChoice,
  seriesLink,
  timeOf,
} from '../html/words.ts';
import type { CatalogView } from '../source/catalog.ts';
import { changeOf, directionOf, type FoundChange } from '../source/change-search.ts';
import { mayDecide } from '../source/triage-shelf.ts';
import { definePage } from './page.ts';
import { seriesFigure } from './series-page.ts';

const size = 40;

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
      content: html`${sentence(changes)} ${progress}
      ${shown.length === 0 ? nothing({ total: changes.length, series }) : table(shown, context)}
      ${pagingLinks(paging, { total: found.length, linkTo: (page) => link('/', { project, q, direction, state, page }) })}
      ${form}`,
    };
  },
});

const dayMs = 24 * 60 * 60_000;

/** The sentence that a reader in the morning looks for. */
function sentence(changes: readonly FoundChange[]): Markup | null {
  if (changes.length === 0) return null;
  const since = new Date(Date.now() - dayMs);
  const fresh = changes.filter(({ first }) => Date.parse(first.startedAt) >= since.getTime());
  const counts = (['slower', 'faster'] as const).map((direction) => {
    const count = fresh.filter((change) => directionOf(change) === direction).length;
    return count === 0 ? [] : [`${count} ${direction}`];
  });
  const single = fresh.filter(({ basis }) => basis === 'pair').length;
  const found = counts.flat().join(', ');
  return html`<p class="sentence">
    ${found === '' ? 'Nothing new' : found} in what was measured since
    ${momentOf(since.toISOString())}${single === 0 ? null : `; ${single} by one pair, not confirmed yet`}.
  </p>`;
}

function nothing({ total, series }: { readonly total: number; readonly series: number }): Markup {
  if (total > 0) return html`<p class="note">No change fits. <a href="/">Show all</a></p>`;
  return html`<p class="note">
    ${
      series === 0
        ? 'There is no comparison yet.'
        : html`No level changed in ${countOf(series, 'series', 'series')}. A change shows once one pair of commits is
            certain, or about six comparisons of a new level are there; until then the
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
    return [
      html`<a href="${link(`/changes/${change.id}`)}">${nameOf(change)}</a>
        <small>${project}${showsMethod ? `, ${method}` : ''}</small>`,
      html`${sizeOf(change)}${
        quantity === 'time' && first.hostname !== last.hostname
          ? html` <small>time of B; the machine differs, too</small>`
          : quantity === 'time'
            ? html` <small>time of B</small>`
            : quantity === 'pairs'
              ? html` <small>${change.basis === 'pair' ? 'one pair' : 'confirmed'}</small>`
              : null
      }`,
      html`<a href="${seriesLink(change)}" aria-label="Series of ${nameOf(change)}"
        >${sparkline(changes.tailOf(change))}</a
      >`,
      html`${commitRange(change, repositories)} ${commitSaid(change.until)}`,
      momentOf(timeOf(first)),
      triageBadge(decided),
    ];
  }

  return plainTable({
    className: 'plain changed',
    caption:
      'Changes of level, the newest first, with the interval of their size. The link of a benchmark leads to the change with its line of deadheat bisect, and to what was decided about it.',
    columns: [
      'Benchmark',
      ['Change', 'size'],
      [html`<span class="sr">Newest values</span>`, 'wide drawn'],
      ['Commits', 'range'],
      ['When', 'wide moment'],
      ['Decision', 'who'],
    ],
    rows: shown.map(row),
  });
}

/** One change of level: where it came, what finds its commit, and what was decided about it. @throws RequestError `NOT_FOUND` */
export const changePage = definePage({
  path: '/changes/:id',
  section: '/',
  script: 'pictures',
  query: noQuery,
  show: async ({ context, id, caller }) => {
    const catalog = await context.catalog.now();
    const change = changeOf(await context.changes.of(catalog), id);
    const entries = (await context.triage.view()).of(change);
    const series = await catalog.series({ name: change, quantity: change.quantity, against: undefined });
    const { first, last, since, project, method, quantity } = change;
    const line = bisectLine(change, await commandOf(change, catalog));
    const said = commitSaid(change.until);
    const explanation = await catalog.explanation(first.experiment);
    const content = html`<p class="sentence">${sizeOf(change)} ${directionOf(change)} ${rangeText(change)}.</p>
      ${facts([
        ['commits', commitRange(change, context.repositories)],
        ...(said === null ? [] : [['the last of them', said] as const]),
        ...(line === null ? [] : [['bisect', html`<code>${line}</code>`] as const]),
        [
          'comparisons',
          html`<a href="${comparisonLink(last)}">the last before it</a>, ${momentOf(timeOf(last))}${hostOf(last)};
            <a href="${comparisonLink(first)}">the first after it</a>, ${momentOf(timeOf(first))}${hostOf(first)};
            ${since} since then`,
        ],
        [
          'series',
          html`<a href="${seriesLink(change)}">all comparisons</a> of
            <a href="${link('/benchmarks', { project })}">${project}</a>, ${method}, followed by ${followedBy[quantity]}`,
        ],
        ['decision', triageBadge(entries[0])],
      ])}
      ${seriesFigure(series)}
      ${
        explanation?.benchmark === change.benchmark
          ? html`<h2>Functions</h2>
              ${functionsTable(explanation)}
              <p class="note">
                <a href="${experimentLink(first.experiment)}/report#functions">The flame graph</a> is in the report of
                the first comparison after it.
              </p>`
          : null
      }
      <h2>Decisions</h2>
      ${entries.length === 0 ? html`<p class="note">None yet.</p>` : decisions(entries)}
      ${triageForm(change, { caller, entry: entries[0] })}`;
    return { title: nameOf(change), content };
  },
});

const followedBy = {
  ratio: 'the ratio to one baseline',
  pairs: 'pairs of commits',
  time: 'the time of B, which moves with the machine, too',
  value: 'the value of B',
} as const;

function hostOf({ hostname }: FoundChange['first']): string {
  return hostname === null ? '' : ` on ${printable(hostname)}`;
}

/** The command of B as the report of the first comparison of the new level has it. */
async function commandOf(change: FoundChange, catalog: CatalogView): Promise<string | null> {
  const report = reportSchema.safeParse(JSON.parse(await catalog.report(change.first.experiment)));
  if (!report.success) return null;
  const key = seriesKey(change);
  const own = report.data.comparisons.find((one) => seriesKey({ ...one, project: change.project }) === key);
  // Behind the command stands the version as a comment of the shell.
  const command = own?.sides.B.command.replace(/ {2}# .*$/, '').trim() ?? '';
  return command === '' ? null : printable(command);
}

function decisions(entries: readonly ChangeTriage[]): Markup {
  return html`<ol class="changes">
    ${entries.map((entry) => html`<li>${triageBadge(entry)}${entry.note === '' ? null : html`: ${printable(entry.note)}`}</li>`)}
  </ol>`;
}

function triageForm(
  { id }: FoundChange,
  { caller, entry }: { readonly caller: Caller; readonly entry: ChangeTriage | undefined },
): Markup {
  const { session } = caller;
  if (!mayDecide(caller) || session === null) {
    return html`<p class="note">
      Who logs in with a token to write decides about it here: <code>deadheat history serve --token-file FILE</code>.
    </p>`;
  }
  return html`<form class="filter" method="post" action="/changes/${id}">
    <input type="hidden" name="key" value="${session.formKey}" />
    ${choice('state', {
      label: 'It is',
      options: triageStateSchema.options.map((state) => [state, triageWords[state]] as const),
      chosen: entry?.state ?? 'acknowledged',
    })}
    <label
      >Ticket
      <input
        type="text"
        name="ticket"
        maxlength="${mostTriageText.ticket}"
        value="${entry?.ticket ?? ''}"
        autocomplete="off"
      />
    </label>
    <label>Note <input type="text" name="note" maxlength="${mostTriageText.note}" autocomplete="off" /></label>
    <label
      >Your name <input type="text" name="by" maxlength="${mostTriageText.by}" value="${session.name ?? ''}"
    /></label>
    <button type="submit">Keep</button>
  </form>`;
}
