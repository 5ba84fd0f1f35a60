import type { VerdictCounts } from '@deadheat/history';
import {
  differenceMarkup,
  formatChosenShare,
  formatDifference,
  formatRatio,
  html,
  printable,
  verdictBadge,
  verdictOrder,
  verdictWordsOf,
  type Markup,
} from '@deadheat/report';
import { isTimeMetric, type CommitRef, type Commits, type Verdict } from '@deadheat/model';
import type { HistoryPoint } from '@deadheat/history';

const mostLabel = 40;

/** The label of a commit; its full id is the title. */
export function commitName(commit: CommitRef | null): Markup {
  if (commit === null) return html`<span class="unknown">not known</span>`;
  return html`<code title="${printable(commit.id)}">${commitText(commit)}</code>`;
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
export function verdictTally(counts: VerdictCounts, linkTo: (verdict: Verdict) => string | null = () => null): Markup {
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
