import { quoteWord } from '@deadheat/model';
import { formatDifference, html, Markup, percentDigits, printable, renderSparkline } from '@deadheat/report';
import { directionOf, type FoundChange, type SeriesTail } from '../source/change-search.ts';
import { rangeUrl, type Repositories } from '../source/repositories.ts';
import { commitName, commitText, momentOf } from './words.ts';
import type { ChangeTriage } from '@deadheat/history';

/** The size of a change in the colour of its direction, with its interval. */
export function sizeOf(change: FoundChange): Markup {
  const { ratio, low, high } = change;
  const digits = percentDigits({ low, high });
  const direction = directionOf(change);
  return html`<span class="v ${direction}"
      ><span aria-hidden="true">${direction === 'slower' ? '▲' : '▼'}</span> ${formatDifference(ratio, digits)}</span
    >
    <small>${formatDifference(low, digits).replace(' %', '')} … ${formatDifference(high, digits)}</small>`;
}

/** The commits after which and until which the change came, as a link to the repository where its address is known. */
export function commitRange({ project, after, until }: FoundChange, repositories: Repositories): Markup {
  const url = rangeUrl(repositories, { project, after, until });
  const names = html`${commitName(after)} … ${commitName(until)}`;
  return url === null ? names : html`<a href="${url}" rel="noreferrer">${names}</a>`;
}

/** A commit as a word of a shell. */
function revision(id: string): string {
  return quoteWord(printable(id));
}

/** The command that finds the commit of a change; `null` = its commits are not known. */
export function bisectLine({ after, until }: FoundChange, command: string | null): string | null {
  if (after === null || until === null) return null;
  const [good, bad] = [after, until].map(({ id }) => revision(/^[0-9a-f]{40,64}$/.test(id) ? id.slice(0, 12) : id));
  return `deadheat bisect ${good ?? ''} ${bad ?? ''} -- ${command ?? 'COMMAND'}`;
}

export const triageWords: Readonly<Record<ChangeTriage['state'], string>> = {
  new: 'new',
  acknowledged: 'acknowledged',
  expected: 'expected',
  ticket: 'ticket',
};

/** The decision about a change, its author and its time. */
export function triageBadge(entry: ChangeTriage | undefined): Markup {
  if (entry === undefined) return html`<span class="triage new">new</span>`;
  const { state, ticket, by, at } = entry;
  const said = html`<small>${printable(by)}<span class="at">, ${momentOf(at)}</span></small>`;
  return html`<span class="triage ${state}">${triageWords[state]}</span
    >${ticket === null ? null : html` ${ticketMarkup(ticket)}`} ${said}`;
}

/** A ticket as a link where it is an address. */
function ticketMarkup(ticket: string): Markup {
  return /^https?:\/\//.test(ticket) && URL.canParse(ticket)
    ? html`<a href="${ticket}" rel="noreferrer">${printable(ticket.replace(/^https?:\/\//, ''))}</a>`
    : html`${printable(ticket)}`;
}

/** The newest values of a series as a small picture; `null` = they are not known yet. */
export function sparkline(tail: SeriesTail | null): Markup | null {
  return tail === null ? null : new Markup(renderSparkline(tail));
}

/** The name of a range in a sentence. */
export function rangeText({ after, until }: FoundChange): string {
  const [from, to] = [after, until].map((commit) =>
    commit === null ? 'a commit that is not known' : commitText(commit),
  );
  return `after ${from ?? ''} and until ${to ?? ''}`;
}
