import type { Comparison, Interval, Report } from '@deadheat/model';
import { verdictSymbols, type ForestScale } from '../plot/forest-picture.ts';
import { formatChosenShare, formatInterval, formatShare } from '../text/numbers.ts';
import { nameOf } from '../text/printable.ts';
import { openNote, standingNote, type Standing } from '../text/details.ts';
import { verdictWords } from '../text/verdict-sentence.ts';
import { html, type Markup } from '../markup.ts';

/** Size of the drawn interval of a row and the padding at both ends of its axis, pixels. */
export const cell = { width: 260, height: 22, pad: 10 } as const;

/**
 * Length by which the line of no difference reaches beyond the drawing of a row, pixels: it fills rows of several lines, which
 * clip it.
 */
const beyondRow = 200;

interface TableOptions {
  readonly scale: ForestScale;
  /** The axis above the intervals. */
  readonly axis: Markup;
  /** Id of a comparison's section; `null` = it has none. */
  readonly anchorOf: (comparison: Comparison) => string | null;
  readonly standing: ReadonlyMap<Comparison, Standing>;
}

/** All verdicts as a table whose intervals share one axis: a forest plot that can be sorted and filtered. */
export function verdictTable(
  { comparisons }: Pick<Report, 'comparisons'>,
  ordered: readonly Comparison[],
  { scale, axis, anchorOf, standing }: TableOptions,
): Markup {
  const place = new Map(comparisons.map((comparison, index) => [comparison, index] as const));
  const methods = new Set(comparisons.map(({ method }) => method));
  const rows = ordered.map((comparison) =>
    row(comparison, {
      place: place.get(comparison) ?? 0,
      scale,
      anchor: anchorOf(comparison),
      showsMethod: methods.size > 1,
      note: standingNote(standing.get(comparison)) ?? openNote(comparison),
    }),
  );
  return html`<table class="verdicts" id="verdicts-table">
    <caption>
      B against A: above zero B is slower. The bar is the ${levelOf(comparisons)} interval, the dot the estimate, the
      grey band the margin, the small tick the slowdown that is found in 4 of 5 such experiments; an arrow leads beyond
      the axis.
    </caption>
    <thead>
      <tr>
        <th scope="col" data-sort="place">Benchmark</th>
        <th scope="col" data-sort="verdict">Verdict</th>
        <th scope="col" data-sort="ratio" class="n">B against A</th>
        <th scope="col" class="f"><span class="sr">Interval</span>${axis}</th>
        <th scope="col" data-sort="seen" class="n wide">Found in 4 of 5</th>
        <th scope="col" data-sort="runs" class="n wide">Runs</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function row(
  comparison: Comparison,
  {
    place,
    scale,
    anchor,
    showsMethod,
    note,
  }: {
    readonly place: number;
    readonly scale: ForestScale;
    readonly anchor: string | null;
    readonly showsMethod: boolean;
    readonly note: string | null;
  },
): Markup {
  const { verdict, interval, minimalDetectableSlowdown: seen, runs, method } = comparison;
  const key = [place, Number(interval.estimate.toPrecision(8)), Number(Math.min(seen, 1e6).toPrecision(4)), runs].join(
    ' ',
  );
  const name = nameOf(comparison);
  return html`<tr data-k="${key}" data-v="${verdict}">
    <th scope="row">
      ${anchor === null ? name : html`<a href="#${anchor}">${name}</a>`}${showsMethod ? html` <small>${method}</small>` : null}
    </th>
    <td>${verdictBadge(comparison)}${noteMarkup(note)}</td>
    <td class="n">${differenceMarkup(interval)}</td>
    <td class="f">${intervalGlyph(comparison, { interval, scale })}</td>
    <td class="n wide">${seen > 1e6 ? 'nothing' : formatShare(seen)}</td>
    <td class="n wide">${runs}</td>
  </tr>`;
}

/** A ratio as a difference, with its interval. */
export function differenceMarkup(ratio: Pick<Interval, 'estimate' | 'low' | 'high'>): Markup {
  const { estimate, low, high } = formatInterval(ratio);
  return html`<b>${estimate}</b> <small>${low.replace(' %', '')} … ${high}</small>`;
}

/** The verdict as symbol and word; colour only repeats them. */
export function verdictBadge({ verdict }: Pick<Comparison, 'verdict'>): Markup {
  return html`<span class="v ${verdict}"
    ><span aria-hidden="true">${verdictSymbols[verdict]}</span> ${verdictWords[verdict]}</span
  >`;
}

/** The note behind the verdict of a comparison that the gate waives or does not count. */
export function noteMarkup(note: string | null): Markup | null {
  return note === null ? null : html` <small>${note}</small>`;
}

/** The interval of one row on the axis of all. */
export function intervalGlyph(
  {
    verdict,
    margin,
    minimalDetectableSlowdown: seen,
  }: Pick<Comparison, 'verdict' | 'margin' | 'minimalDetectableSlowdown'>,
  { interval, scale }: { readonly interval: Pick<Interval, 'estimate' | 'low' | 'high'>; readonly scale: ForestScale },
): Markup {
  const { estimate, low, high } = interval;

  function x(ratio: number): number {
    return tenth(forestX(ratio - 1, scale));
  }

  const middle = cell.height / 2;
  const [from, to] = [x(low), Math.max(x(low) + 1, x(high))];
  const beyond = [
    low - 1 < scale.low ? `M8,${middle - 4}l-5,4l5,4` : '',
    high - 1 > scale.high ? `M${cell.width - 8},${middle - 4}l5,4l-5,4` : '',
  ].join('');
  return html`<svg class="${verdict}" viewBox="0 0 ${cell.width} ${cell.height}" aria-hidden="true">
    ${margin > 0 ? html`<path class="w" d="M${x(1 - margin)},0H${x(1 + margin)}V${cell.height}H${x(1 - margin)}z" />` : null}
    <path class="z" d="M${x(1)},${-beyondRow}V${cell.height + beyondRow}" />
    <path d="M${from},${middle}H${tenth(to)}${beyond}" />
    ${seen <= scale.high ? html`<path class="s" d="M${x(1 + seen)},${middle - 5}v10" />` : null}
    <circle cx="${x(estimate)}" cy="${middle}" r="3.5" />
  </svg>`;
}

/** The place of a difference on the axis, pixels; a difference outside the axis is placed at its end. */
function forestX(difference: number, { low, high }: ForestScale): number {
  const share = (Math.min(high, Math.max(low, difference)) - low) / (high - low || 1);
  return cell.pad + share * (cell.width - 2 * cell.pad);
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The confidence level of all intervals, in words. */
function levelOf(comparisons: readonly Comparison[]): string {
  const levels = [...new Set(comparisons.map(({ interval }) => interval.level))];
  return levels.map((level) => formatChosenShare(level)).join(', ');
}
