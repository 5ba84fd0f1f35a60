import { crossAxis, leftAxis, type Axis, type Pen } from './axes.ts';
import { element } from './element.ts';

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
export interface PictureWords {
  /** Label of the picture for screen readers. */
  readonly label: string;
  /** For the script of the page: see `page/plot-frame.ts`. */
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
  const told = Object.entries(data).map(([name, text]) => [`data-${name}`, text] as const);
  const attributes = {
    class: 'plot',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': label,
    ...Object.fromEntries(told),
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
