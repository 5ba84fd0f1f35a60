import type { HistoryPoint, SeriesName } from '@deadheat/history';
import { type CommitRef, type Commits, isTimeMetric, type Verdict } from '@deadheat/model';
import {
  differenceMarkup,
  formatChosenShare,
  formatDifference,
  formatRatio,
  html,
  type Markup,
  printable,
  verdictBadge,
  verdictOrder,
  verdictWordsOf,
} from '@deadheat/report';
import type { CatalogView } from '../source/catalog.ts';

/** A path with query parameters; undefined ones are left out. */
export function link(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.append(name, String(value));
  const text = given.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Query parameters that name a series. */
export function seriesQueryOf({ project, benchmark, params, method }: SeriesName): Readonly<Record<string, string>> {
  return {
    project,
    benchmark,
    ...(Object.keys(params).length === 0 ? {} : { params: JSON.stringify(params) }),
    method,
  };
}

export function seriesLink(name: SeriesName): string {
  return link('/series', seriesQueryOf(name));
}

export function experimentLink(id: string): string {
  return `/experiments/${encodeURIComponent(id)}`;
}

export function comparisonLink(point: HistoryPoint): string {
  return link(`${experimentLink(point.experiment)}/comparison`, seriesQueryOf(point));
}

const mostLabel = 40;

/** The label of a commit; its full id is the title. */
export function commitName(commit: CommitRef | null): Markup {
  if (commit === null) return html`<span class="unknown">not known</span>`;
  return html`<code title="${printable(commit.id)}">${commitText(commit)}</code>`;
}

/** The author of a commit and its subject; `null` = the recording does not have them. */
export function commitSaid(commit: CommitRef | null): Markup | null {
  const { subject = '', author = '' } = commit ?? {};
  if (subject === '' && author === '') return null;
  return html`${author === '' ? null : html`<small>${printable(author)}</small> `}<span class="subject"
      >${printable(subject)}</span
    >`;
}

/** The commits of both sides. */
export function commitPair({ A, B }: Commits): Markup {
  return A === null && B === null ? commitName(null) : html`${commitName(A)} → ${commitName(B)}`;
}

export function commitText({ id, label }: CommitRef): string {
  const text = printable(label === '' ? id.slice(0, 12) : label);
  return text.length > mostLabel ? `${text.slice(0, mostLabel - 1)}…` : text;
}

/** A time as a day and a minute, UTC. */
export function momentOf(time: string): Markup {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return html`${printable(time)}`;
  const text = date.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** The time of B's commit where it is known, else that of the experiment. */
export function timeOf({ commits, startedAt }: Pick<HistoryPoint, 'commits' | 'startedAt'>): string {
  return commits.B?.committedAt ?? startedAt;
}

/** The verdict of a comparison: of a metric that is no time, whether B has more of it. */
export function pointBadge(point: Pick<HistoryPoint, 'metric' | 'verdict'>): Markup {
  if (isTimeMetric(point.metric)) return verdictBadge(point);
  return html`<span class="v ${point.verdict}">${verdictWordsOf(point.metric)[point.verdict]}</span>`;
}

/** Checks whether the sides were compared with an interval; of some metrics only their values are known. */
export function hasInterval({ ratio }: Pick<HistoryPoint, 'ratio'>): boolean {
  return ratio.low > 0 || ratio.high < Number.MAX_VALUE;
}

/** B against A with the interval, where there is one. */
export function differenceOf(point: Pick<HistoryPoint, 'ratio'>): Markup {
  const { estimate } = point.ratio;
  return hasInterval(point)
    ? differenceMarkup(point.ratio)
    : html`<b>${formatDifference(estimate, 1)}</b> <small>no interval</small>`;
}

/** The difference of a comparison as a sentence, with the level of the interval. */
export function sentenceOf({ ratio }: Pick<HistoryPoint, 'ratio'>): string {
  return `B against A: ${formatRatio(ratio)}, ${formatChosenShare(ratio.confidence)} CI`;
}

/** Number of comparisons for each verdict, as a list of badges; they may be links. */
export function verdictTally(
  counts: Readonly<Record<Verdict, number>>,
  linkTo: (verdict: Verdict) => string | null = () => null,
): Markup {
  return html`<ul class="tally">
    ${verdictOrder
      .filter((verdict) => counts[verdict] > 0)
      .map((verdict) => {
        const path = linkTo(verdict);
        const shown = html`${verdictBadge({ verdict })} <b>${counts[verdict]}</b>`;
        return html`<li>${path === null ? shown : html`<a href="${path}">${shown}</a>`}</li>`;
      })}
  </ul>`;
}

/** A select field of a form. */
export function choice(
  name: string,
  {
    label,
    options,
    chosen,
  }: {
    readonly label: string;
    readonly options: readonly (readonly [value: string, text: string])[];
    readonly chosen: string | undefined;
  },
): Markup {
  return html`<label
    >${label}
    <select name="${name}">
      ${options.map(([value, text]) => (value === (chosen ?? '') ? html`<option value="${value}" selected>${text}</option>` : html`<option value="${value}">${text}</option>`))}
    </select></label
  >`;
}

/** A select field for a project of a catalog, or all of them. */
export function projectChoice(
  { projects }: Pick<CatalogView, 'projects'>,
  chosen: string | undefined,
  { hasAll = true }: { readonly hasAll?: boolean } = {},
): Markup {
  const options = projects.map(({ project }) => [project, project] as const);
  return choice('project', {
    label: 'Project',
    options: [...(hasAll ? [['', 'all'] as const] : []), ...options],
    chosen,
  });
}

/** One page of a list. */
interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Index of its first entry, and of the first that is not on it. */
  readonly from: number;
  readonly to: number;
}

/** The requested page of a list; the last page when the number is too large. */
export function pagingOf(total: number, { page, size }: { readonly page: number; readonly size: number }): Paging {
  const pages = Math.max(1, Math.ceil(total / size));
  const shown = Math.min(page, pages);
  return { page: shown, pages, from: (shown - 1) * size, to: Math.min(total, shown * size) };
}

/** Links to the pages before and after. */
export function pagingLinks(
  { page, pages, from, to }: Paging,
  { total, linkTo }: { readonly total: number; readonly linkTo: (page: number) => string },
): Markup | null {
  if (pages === 1) return null;

  function step(at: number, name: string): Markup {
    return at < 1 || at > pages ? html`<span class="off">${name}</span>` : html`<a href="${linkTo(at)}">${name}</a>`;
  }

  return html`<nav class="paging" aria-label="Pages">
    ${step(page - 1, 'Previous')} <span>${from + 1} to ${to} of ${total}</span> ${step(page + 1, 'Next')}
  </nav>`;
}
