import { type HistoryPoint, seriesKey } from '@deadheat/history';
import {
  differenceMarkup,
  forestScale,
  formatShare,
  type Held,
  html,
  intervalGlyph,
  type Markup,
  nameOf,
  plainTable,
  verdictBadge,
} from '@deadheat/report';
import { commitPair, comparisonLink, momentOf, seriesLink, timeOf } from './words.ts';

interface TableOptions {
  readonly caption: string;
  /** Target of the link on the name of a row. */
  readonly leadsTo: 'series' | 'comparison';
  /** Optional columns: the project, and the commits. */
  readonly shows: { readonly project: boolean; readonly commits: boolean };
  /** Id of the form for which rows can be marked, by the keys of their series; none where it is not given. */
  readonly markedFor?: string;
  /** The newest values of a comparison's series as a small picture; none where it is not given. */
  readonly drawn?: (point: HistoryPoint) => Markup | null;
}

/** Comparisons with their intervals on one axis. */
export function comparisonTable(
  points: readonly HistoryPoint[],
  { caption, leadsTo, shows, drawn, markedFor }: TableOptions,
): Markup {
  const scale = forestScale(points.map((point) => ({ ...point, interval: point.ratio })));
  const showsMethod = new Set(points.map(({ method }) => method)).size > 1;

  function nameCell(point: HistoryPoint): Markup {
    const path = leadsTo === 'series' ? seriesLink(point) : comparisonLink(point);
    const mark =
      markedFor === undefined
        ? null
        : html`<input
            type="checkbox"
            name="series"
            value="${seriesKey(point)}"
            form="${markedFor}"
            aria-label="Mark ${nameOf(point)}"
          /> `;
    return html`${mark}<a href="${path}">${nameOf(point)}</a
      >${showsMethod ? html` <small>${point.method}</small>` : null}${shows.project ? html` <small>${point.project}</small>` : null}`;
  }

  function further(point: HistoryPoint): readonly Held[] {
    const { commits, minimalDetectableSlowdown: seen } = point;
    return shows.commits
      ? [commitPair(commits), momentOf(timeOf(point))]
      : [seen > 1e6 ? 'nothing' : formatShare(seen)];
  }

  return plainTable({
    className: 'verdicts',
    caption: `${caption} Ratios of B to A: the bar is the interval, the dot the estimate, the small tick the slowdown that would be found in 4 of 5 such experiments.`,
    columns: [
      'Benchmark',
      'Verdict',
      ['B against A', 'n'],
      [html`<span class="sr">Interval</span>`, 'f'],
      ...(drawn === undefined ? [] : ([[html`<span class="sr">Newest values</span>`, 'wide']] as const)),
      ...(shows.commits
        ? ([
            ['Commits', 'wide'],
            ['When', 'wide'],
          ] as const)
        : ([['Found in 4 of 5', 'n wide']] as const)),
      ['Runs', 'n wide'],
    ],
    rows: points.map((point) => [
      nameCell(point),
      verdictBadge(point),
      differenceMarkup(point.ratio),
      intervalGlyph(point, { interval: point.ratio, scale }),
      ...(drawn === undefined ? [] : [drawn(point)]),
      ...further(point),
      point.runs,
    ]),
  });
}
