import { facts, html, nameOf, printable, type Markup } from '@deadheat/report';
import { reportSchema } from '@deadheat/model';
import { seriesKey } from '@deadheat/history';
import { noQuery } from '../api/queries.ts';
import { bisectLine, commitRange, rangeText, sizeOf, triageBadge, triageWords } from '../html/change-parts.ts';
import { comparisonLink, link, seriesLink } from '../html/link.ts';
import { choice } from '../html/parts.ts';
import { momentOf, timeOf } from '../html/words.ts';
import { changeOf, directionOf, type FoundChange } from '../source/change-search.ts';
import { mayDecide } from '../source/triage-shelf.ts';
import type { CatalogView } from '../source/catalog.ts';
import type { Caller } from '../context.ts';
import { definePage } from './page.ts';
import { seriesFigure } from './series-page.ts';
import { mostTriageText, triageStateSchema, type ChangeTriage } from '@deadheat/history';

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
    const content = html`<p class="sentence">${sizeOf(change)} ${directionOf(change)} ${rangeText(change)}.</p>
      ${facts([
        ['commits', commitRange(change, context.repositories)],
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
            <a href="${link('/benchmarks', { project })}">${project}</a>, ${method}, followed by
            ${quantity === 'ratio' ? 'the ratio to one baseline' : 'the time of B, which moves with the machine, too'}`,
        ],
        ['decision', triageBadge(entries[0])],
      ])}
      ${seriesFigure(series)}
      <h2>Decisions</h2>
      ${entries.length === 0 ? html`<p class="note">None yet.</p>` : decisions(entries)}
      ${triageForm(change, { caller, entry: entries[0] })}`;
    return { title: nameOf(change), content };
  },
});

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
