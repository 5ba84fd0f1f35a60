import type { Comparison, Interval, Verdict } from '@deadheat/model';
import { median } from '@deadheat/stats';
import { nameOf, shorten } from '../text/printable.ts';
import { verdictWords } from '../text/verdict-sentence.ts';
import { type Mark, type Pen, picture, type PictureOptions } from './drawing.ts';
import { element, group, path, tenth, textAt } from './element.ts';

/** The axis that all ratios share: differences from 1, 0.05 = 5 % longer. */
export interface ForestScale {
  readonly low: number;
  readonly high: number;
}

/** Intervals that reach this many times further than the middle one do, end at the edge. */
const furthest = 8;

/** An axis for the intervals of all comparisons, on which the far ones do not squeeze the others. */
export function forestScale(
  comparisons: readonly (Pick<Comparison, 'margin' | 'minimalDetectableSlowdown'> & {
    readonly interval: Pick<Interval, 'estimate' | 'low' | 'high'>;
  })[],
): ForestScale {
  const intervals = comparisons.map(({ interval }) => interval);
  const reaches = intervals.map(({ low, high }) => Math.max(Math.abs(low - 1), Math.abs(high - 1)));
  const margin = Math.max(0, ...comparisons.map((comparison) => comparison.margin));
  const middle = reaches.length === 0 ? 0.01 : median(reaches);
  const limit = Math.max(furthest * middle, margin * 2, 1e-4);
  const ends = intervals.flatMap(({ low, high, estimate }) => [low - 1, high - 1, estimate - 1]);
  const seen = comparisons.map(({ minimalDetectableSlowdown }) => minimalDetectableSlowdown);
  const inside = [...ends, ...seen, margin, -margin, middle / 2, -middle / 2].filter((end) => Math.abs(end) <= limit);
  const [low, high] = [Math.min(0, ...inside), Math.max(0, ...inside)];
  const pad = (high - low) * 0.06;
  return { low: low - pad, high: high + pad };
}

/** Symbols beside the colours of verdicts. */
export const verdictSymbols: Readonly<Record<Verdict, string>> = {
  slower: '▲',
  faster: '▼',
  'dead-heat': '=',
  undecided: '?',
};

const row = 24;
const mostName = 34;
/** Largest number of rows in the picture; the table has all of them. */
const mostForestRows = 200;

/** The intervals of all comparisons below each other, with margin and detectable slowdown. */
export function forestPicture(comparisons: readonly Comparison[], scale: ForestScale): string {
  const shown = comparisons.slice(0, mostForestRows);
  const names = shown.map((comparison) => shorten(nameOf(comparison), mostName));
  const options: PictureOptions = {
    width: 1040,
    height: 46 + row * Math.max(1, shown.length),
    marginLeft: 300,
    marginRight: 150,
    marginTop: 12,
    marginBottom: 34,
    x: {
      domain: [scale.low * 100, scale.high * 100],
      label: 'B / A − 1, %',
      ticks: 10,
      tickSize: 6,
      grid: true,
    },
    y: {
      domain: [Math.max(1, shown.length) - 0.5, -0.5],
      ticks: shown.map((_, index) => index),
      tickFormat: (index) => names[index] ?? '',
    },
    marks: [
      ({ x, top, bottom }) => path('zero', `M${tenth(x(0))},${top}V${bottom}`),
      ...shown.map(
        (comparison, index): Mark =>
          (pen) =>
            rowOf(comparison, { index, pen, scale }),
      ),
    ],
  };
  return picture(options, { label: `Ratios of ${shown.length} comparisons with their intervals` });
}

function rowOf(
  comparison: Comparison,
  { index, pen, scale }: { readonly index: number; readonly pen: Pen; readonly scale: ForestScale },
): string {
  const { verdict, interval, margin, minimalDetectableSlowdown: seen } = comparison;
  const y = pen.y(index);

  function at(difference: number): number {
    return pen.x(Math.min(scale.high, Math.max(scale.low, difference)) * 100);
  }

  const [low, high] = [at(interval.low - 1), at(interval.high - 1)];
  const frame = { x: at(-margin), y: y - row / 2 + 2, width: at(margin) - at(-margin), height: row - 4 };
  return group(
    `forest ${verdict}`,
    [
      margin > 0 ? element('rect', { class: 'within', ...frame }) : '',
      path('interval', `M${tenth(low)},${tenth(y)}H${tenth(Math.max(low + 2, high))}`),
      seen <= scale.high ? path('seen', `M${tenth(at(seen))},${tenth(y - 6)}v12`) : '',
      element('circle', { cx: at(interval.estimate - 1), cy: y, r: 4 }),
      group('word start', textAt(pen.right + 12, y + 4, `${verdictSymbols[verdict]} ${verdictWords[verdict]}`)),
    ].join(''),
  );
}
