import { axisTicks, formatTick } from './axis-ticks.ts';
import { group, path, tenth, textAt } from './element.ts';
import type { Pen } from './pen.ts';

/** What is at the ends of one direction of a picture, and what stands beside it. */
export interface Axis {
  /** Values at the left and right, or at the bottom and top. */
  readonly domain: readonly [number, number];
  /** Numbers that stand along it, or about how many round ones do; none by default. */
  readonly ticks?: number | readonly number[];
  /** How a number is written; by default with the decimals that tell the round ones apart. */
  readonly tickFormat?: (value: number) => string;
  /** Length of the small lines at the numbers, pixels; default 0. */
  readonly tickSize?: number;
  /** Whether pale lines go across the picture at the numbers. */
  readonly grid?: boolean;
  readonly label?: string;
  /** Where the numbers of a horizontal axis stand; default `below`. */
  readonly side?: 'above' | 'below';
  /** Class of the group of the numbers, for the script of the page. */
  readonly name?: string;
}

/** Size of all texts, pixels. */
const textSize = 11;
/** From the frame to the numbers, and from the edge of the picture to its labels, pixels. */
const gap = { ticks: 9, label: 3 } as const;
/** What brings a text below a height, or to the middle of its digits, in sizes of the text. */
const drop = { below: 0.7, middle: 0.3 } as const;

/** The vertical axis: lines across the picture, numbers at the left, the label in the upper corner. */
export function leftAxis(axis: Axis, { y, left, right }: Pen): string {
  const ticks = placed(axis, y);
  return [
    axis.grid === true ? path('grid', ticks.map(({ at }) => `M${left},${tenth(at)}H${right}`).join('')) : '',
    group('left', ticks.map(({ at, text }) => textAt(left - gap.ticks, at + drop.middle * textSize, text)).join('')),
    axis.label === undefined ? '' : group('start', textAt(gap.label, gap.label + drop.below * textSize, axis.label)),
  ].join('');
}

/** The horizontal axis: lines across the picture, numbers with their small lines, the label in the middle below. */
export function crossAxis(axis: Axis, { x, left, right, top, bottom, height }: Pen): string {
  const { tickSize = 0, side = 'below', name = 'ticks' } = axis;
  const ticks = placed(axis, x);
  const [edge, length] = side === 'above' ? [top, -tickSize] : [bottom, tickSize];
  const line = side === 'above' ? edge - gap.ticks : edge + gap.ticks + drop.below * textSize;
  return [
    axis.grid === true ? path('grid', ticks.map(({ at }) => `M${tenth(at)},${top}V${bottom}`).join('')) : '',
    length === 0 ? '' : path('tick', ticks.map(({ at }) => `M${tenth(at)},${edge}v${length}`).join('')),
    group(name, ticks.map(({ at, text }) => textAt(at, line, text)).join('')),
    axis.label === undefined ? '' : textAt((left + right) / 2, height - gap.label, axis.label),
  ].join('');
}

interface PlacedTick {
  readonly at: number;
  readonly text: string;
}

function placed({ ticks = [], tickFormat, domain }: Axis, place: (value: number) => number): readonly PlacedTick[] {
  const { values, decimals } = typeof ticks === 'number' ? axisTicks(domain, ticks) : { values: ticks, decimals: 0 };
  const format = tickFormat ?? ((value: number): string => formatTick(value, decimals));
  return values.map((value) => ({ at: place(value), text: format(value) }));
}
