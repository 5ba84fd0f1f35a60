import { decidingInterval, type Comparison, type Verdict } from '@deadheat/model';
import { printable } from '../text/printable.ts';
import { verdictWords } from '../text/verdict-words.ts';
import { picture, sketch, type Drawing, type Pen } from './drawing.ts';
import type { ForestScale } from './forest-scale.ts';

/** Symbols beside the colours of verdicts. */
export const verdictSymbols: Readonly<Record<Verdict, string>> = {
  slower: '▲',
  faster: '▼',
  'dead-heat': '=',
  undecided: '?',
};

const row = 24;
const mostName = 34;
/** A picture of more rows than this could not be looked at; the table has all of them. */
export const mostForestRows = 200;

/** The intervals of all comparisons below each other, with margin and detectable slowdown. */
export function forestPicture(drawing: Drawing, comparisons: readonly Comparison[], scale: ForestScale): string {
  const shown = comparisons.slice(0, mostForestRows);
  const options = {
    width: 1040,
    height: 46 + row * Math.max(1, shown.length),
    marginLeft: 300,
    marginRight: 150,
    marginTop: 12,
    marginBottom: 34,
    x: {
      domain: [scale.low * 100, scale.high * 100],
      label: 'B / A − 1, %',
      labelAnchor: 'center' as const,
      labelArrow: 'none' as const,
      grid: true,
    },
    y: {
      domain: [Math.max(1, shown.length) - 0.5, -0.5],
      ticks: shown.map((_, index) => index),
      tickSize: 0,
      tickFormat: (index: number) => shortName(shown[index]),
      label: null,
    },
    marks: [
      sketch((pen) => pen.element('path', { class: 'zero', d: `M${pen.x(0).toFixed(1)},${pen.top}V${pen.bottom}` })),
      ...shown.map((comparison, index) => sketch((pen) => rowOf(comparison, { index, pen, scale }))),
    ],
  };
  return picture(drawing, options, { label: `Ratios of ${shown.length} comparisons with their intervals` });
}

function rowOf(
  comparison: Comparison,
  { index, pen, scale }: { readonly index: number; readonly pen: Pen; readonly scale: ForestScale },
): ReturnType<Pen['element']> {
  const { verdict, margin, minimalDetectableSlowdown } = comparison;
  const interval = decidingInterval(comparison);
  const y = pen.y(index);
  const at = (difference: number): number => pen.x(Math.min(scale.high, Math.max(scale.low, difference)) * 100);
  const group = pen.element('g', { class: `forest ${verdict}` });
  if (margin > 0) {
    const frame = { x: at(-margin), y: y - row / 2 + 2, width: at(margin) - at(-margin), height: row - 4 };
    group.append(pen.element('rect', { class: 'within', ...frame }));
  }
  const [low, high] = [at(interval.low - 1), at(interval.high - 1)];
  group.append(
    pen.element('path', { class: 'interval', d: `M${low.toFixed(1)},${y}H${Math.max(low + 2, high).toFixed(1)}` }),
  );
  if (minimalDetectableSlowdown <= scale.high) {
    group.append(pen.element('path', { class: 'seen', d: `M${at(minimalDetectableSlowdown).toFixed(1)},${y - 6}v12` }));
  }
  group.append(pen.element('circle', { cx: at(interval.estimate - 1), cy: y, r: 4 }));
  const word = pen.element('text', { class: 'word', x: pen.right + 12, y: y + 4, 'text-anchor': 'start' });
  word.append(`${verdictSymbols[verdict]} ${verdictWords[verdict]}`);
  group.append(word);
  return group;
}

function shortName(comparison: Comparison | undefined): string {
  if (comparison === undefined) return '';
  const params = Object.entries(comparison.params).map(([name, value]) => `${name}=${value}`);
  const name = printable([comparison.benchmark, ...params].join(' '));
  return name.length > mostName ? `${name.slice(0, mostName - 1)}…` : name;
}
