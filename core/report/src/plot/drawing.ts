import type { BenchmarkPoints, Comparison } from '@deadheat/model';
import { quantiles } from '@deadheat/stats';
import { groupDigits } from '../text/numbers.ts';
import { element, group, path, tenth, textAt } from './element.ts';

/** The frame and the scales of a picture, in pixels. */
export interface Pen {
  x(this: void, value: number): number;
  y(this: void, value: number): number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
}

/** Round numbers on an axis, ascending, and how they are written. */
interface AxisTicks {
  readonly values: readonly number[];
  /** Decimals that distinguish them. */
  readonly decimals: number;
}

/** Multiples of 1, 2 or 5 times a power of ten from `low` to `high`, about `count` of them; none where `high` is not above `low`. */
export function axisTicks([low, high]: readonly [number, number], count: number): AxisTicks {
  const wanted = (high - low) / count;
  if (!(wanted > 0) || !Number.isFinite(wanted)) return { values: [], decimals: 0 };
  const { digit, power } = roundStep(wanted);
  const scale = 10 ** Math.abs(power);

  // Steps below 1 are computed with whole numbers: 3 times 0.1 is not 0.3, and 0.3 divided by 0.1 is not 3.
  function valueOf(multiple: number): number {
    return power < 0 ? (multiple * digit) / scale : multiple * digit * scale;
  }

  function multipleOf(value: number): number {
    return power < 0 ? (value * scale) / digit : value / digit / scale;
  }

  const [first, last] = [Math.ceil(multipleOf(low)), Math.floor(multipleOf(high))];
  const values: number[] = [];
  for (let multiple = first; multiple <= last; multiple++) values.push(multiple === 0 ? 0 : valueOf(multiple));
  return { values, decimals: Math.max(0, -power) };
}

/** A number beside an axis: thousands in groups. */
export function formatTick(value: number, decimals: number): string {
  const [whole = '', fraction] = value.toFixed(decimals).split('.');
  return fraction === undefined ? groupDigits(whole) : `${groupDigits(whole)}.${fraction}`;
}

/** The digit and the power of ten whose product is nearest to a step above 0, by its logarithm. */
function roundStep(wanted: number): { readonly digit: number; readonly power: number } {
  const power = Math.floor(Math.log10(wanted));
  const times = wanted / 10 ** power;
  if (times >= Math.sqrt(50)) return { digit: 1, power: power + 1 };
  return { digit: times >= Math.sqrt(10) ? 5 : times >= Math.sqrt(2) ? 2 : 1, power };
}

/** One axis of a picture: its domain, numbers and label. */
export interface Axis {
  /** Values at the left and right, or at the bottom and top. */
  readonly domain: readonly [number, number];
  /** The numbers along the axis, or about how many round ones; none by default. */
  readonly ticks?: number | readonly number[];
  /** Text of a number; by default with the decimals that distinguish the round ones. */
  readonly tickFormat?: (value: number) => string;
  /** Length of the small lines at the numbers, pixels; default 0. */
  readonly tickSize?: number;
  /** Pale lines go across the picture at the numbers. */
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
/** Vertical shift of a text that places it below a line or centres it on a line, in text sizes. */
const drop = { below: 0.7, middle: 0.3 } as const;

/** The vertical axis: lines across the picture, numbers at the left, the label in the upper corner. */
function leftAxis(axis: Axis, { y, left, right }: Pen): string {
  const ticks = placed(axis, y);
  return [
    axis.grid === true ? path('grid', ticks.map(({ at }) => `M${left},${tenth(at)}H${right}`).join('')) : '',
    group('left', ticks.map(({ at, text }) => textAt(left - gap.ticks, at + drop.middle * textSize, text)).join('')),
    axis.label === undefined ? '' : group('start', textAt(gap.label, gap.label + drop.below * textSize, axis.label)),
  ].join('');
}

/** The horizontal axis: lines across the picture, numbers with their small lines, the label in the middle below. */
function crossAxis(axis: Axis, { x, left, right, top, bottom, height }: Pen): string {
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

/** The part of an axis that is drawn, and how many values lie outside of it. */
interface RobustDomain {
  readonly low: number;
  readonly high: number;
  readonly outside: number;
}

/** Multiple of the middle 90 % by which an axis reaches beyond them before values are drawn at its edge. */
const reach = 3;

/**
 * An axis that holds all values, or, when a few lie so far off that the others would be squeezed into a line, all but those.
 *
 * @param include values that must lie on the axis, such as the ends of an interval
 */
export function robustDomain(values: Float64Array, include: readonly number[] = []): RobustDomain {
  if (values.length === 0) return { low: Math.min(0, ...include), high: Math.max(1, ...include), outside: 0 };
  const [least = 0, p5 = 0, p95 = 0, most = 0] = quantiles(values, [0, 0.05, 0.95, 1]);
  const width = p95 - p5 || Math.abs(p95) * 1e-3 || 1;
  const finite = include.filter((value) => Number.isFinite(value));
  const low = Math.min(Math.max(least, p5 - reach * width), ...finite);
  const high = Math.max(Math.min(most, p95 + reach * width), ...finite);
  const pad = (high - low || width) * 0.04;
  let outside = 0;
  for (const value of values) if (value < low || value > high) outside++;
  return { low: low - pad, high: high + pad, outside };
}

/** A picture in pixels. */
export interface PictureOptions {
  readonly width: number;
  readonly height: number;
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly marginTop: number;
  readonly marginBottom: number;
  readonly x: Axis;
  readonly y: Axis;
  /** Drawn in this order, above the axes. */
  readonly marks: readonly Mark[];
}

/** Description of a picture. */
interface PictureWords {
  /** Label of the picture for screen readers. */
  readonly label: string;
  /** For the script of the page: see `page/plots.ts`. */
  readonly data?: Readonly<Record<'frame' | 'unit' | 'starts', string>>;
}

/** Draws something into a picture: markup as `element.ts` makes it; empty = nothing. */
export type Mark = (pen: Pen) => string;

/**
 * A picture as the markup of an SVG element that says in words what it shows. It is written as text, without a drawing library: a page
 * has a thousand pictures (`docs/decisions/0007-pictures-written-as-text.md`).
 */
export function picture(
  options: PictureOptions,
  { label, data = {} as NonNullable<PictureWords['data']> }: PictureWords,
): string {
  const { width, height, x, y, marks } = options;
  const pen = penOf(options);
  const drawn = marks.map((draw) => draw(pen)).join('');
  const entries = Object.entries(data).map(([name, text]) => [`data-${name}`, text] as const);
  const attributes = {
    class: 'plot',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': label,
    ...Object.fromEntries(entries),
  };
  return element('svg', attributes, leftAxis(y, pen) + crossAxis(x, pen) + drawn);
}

function penOf({ width, height, marginLeft, marginRight, marginTop, marginBottom, x, y }: PictureOptions): Pen {
  const [left, right, top, bottom] = [marginLeft, width - marginRight, marginTop, height - marginBottom];
  return { x: scale(x.domain, left, right), y: scale(y.domain, bottom, top), left, right, top, bottom, height };
}

function scale([low, high]: Axis['domain'], from: number, to: number): (value: number) => number {
  const perUnit = (to - from) / (high - low || 1);
  return (value) => from + (value - low) * perUnit;
}

/** Data from which the figures of a benchmark are drawn. */
export interface BenchmarkView {
  readonly comparison: Comparison;
  readonly points: BenchmarkPoints;
  /** Marks that a series of one picture may have. */
  readonly mostMarks: number;
}

/** Pictures that belong together, with what they show in words. */
export interface Figure {
  /** Name of the figure among those of its benchmark, such as `times`. */
  readonly name: string;
  readonly title: string;
  /** SVG elements, from top to bottom. */
  readonly pictures: readonly string[];
  readonly caption: string;
  /** The legend for the colours of A and B is shown. */
  readonly hasSides: boolean;
  /** The picture needs the whole width of a page. */
  readonly wide: boolean;
}
