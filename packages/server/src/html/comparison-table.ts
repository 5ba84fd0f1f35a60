import {
  differenceMarkup,
  formatShare,
  html,
  intervalGlyph,
  nameOf,
  scaleOfIntervals,
  verdictBadge,
  type ForestScale,
  type Markup,
} from '@deadheat/report';
import type { HistoryPoint } from '@deadheat/model';
import { comparisonLink, seriesLink } from './link.ts';
import { commitPair, momentOf, timeOf } from './words.ts';

interface TableOptions {
  readonly caption: string;
  /** Target of the link on the name of a row. */
  readonly leadsTo: 'series' | 'comparison';
  /** Which columns are shown: the project, and the commits. */
  readonly tells: { readonly project: boolean; readonly commits: boolean };
}

/** Comparisons with their intervals on one axis. */
export function comparisonTable(points: readonly HistoryPoint[], { caption, leadsTo, tells }: TableOptions): Markup {
  const scale = scaleOfIntervals(points);
  const tellMethod = new Set(points.map(({ method }) => method)).size > 1;
  const options = { scale, leadsTo, tells, tellMethod };
  return html`<table class="verdicts">
    <caption>
      ${caption} Ratios of B to A: the bar is the interval, the dot the estimate, the small tick the slowdown that would
      be found in 4 of 5 such experiments.
    </caption>
    <thead>
      <tr>
        <th scope="col">Benchmark</th>
        <th scope="col">Verdict</th>
        <th scope="col" class="n">B against A</th>
        <th scope="col" class="f"><span class="sr">Interval</span></th>
        ${tells.commits ? html`<th scope="col" class="wide">Commits</th>` : null}
        ${tells.commits ? html`<th scope="col" class="wide">When</th>` : html`<th scope="col" class="n wide">Found in 4 of 5</th>`}
        <th scope="col" class="n wide">Runs</th>
      </tr>
    </thead>
    <tbody>
      ${points.map((point) => row(point, options))}
    </tbody>
  </table>`;
}

function row(
  point: HistoryPoint,
  {
    scale,
    leadsTo,
    tells,
    tellMethod,
  }: Omit<TableOptions, 'caption'> & { readonly scale: ForestScale; readonly tellMethod: boolean },
): Markup {
  const { ratio, commits, minimalDetectableSlowdown: seen } = point;
  const path = leadsTo === 'series' ? seriesLink(point) : comparisonLink(point);
  return html`<tr>
    <th scope="row">
      <a href="${path}">${nameOf(point)}</a
      >${tellMethod ? html` <small>${point.method}</small>` : null}${tells.project ? html` <small>${point.project}</small>` : null}
    </th>
    <td>${verdictBadge(point)}</td>
    <td class="n">${differenceMarkup(ratio)}</td>
    <td class="f">${intervalGlyph(point, { interval: ratio, scale })}</td>
    ${tells.commits ? html`<td class="wide">${commitPair(commits)}</td>` : null}
    ${tells.commits ? html`<td class="wide">${momentOf(timeOf(point))}</td>` : html`<td class="n wide">${seen > 1e6 ? 'nothing' : formatShare(seen)}</td>`}
    <td class="n wide">${point.runs}</td>
  </tr>`;
}
