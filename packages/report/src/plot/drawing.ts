import type { Markish, PlotOptions } from '@observablehq/plot';
import { LightDocument, type LightElement } from './light-document.ts';

/** Observable Plot, loaded when the first picture is drawn: it costs more than all else of a report. */
export interface Drawing {
  readonly Plot: typeof import('@observablehq/plot');
  readonly document: LightDocument;
}

export async function startDrawing(): Promise<Drawing> {
  return { Plot: await import('@observablehq/plot'), document: new LightDocument() };
}

/** What a picture says of itself. */
export interface PictureWords {
  /** What it shows, in words. */
  readonly label: string;
  /** For the script of the page: see `page/plot-frame.ts`. */
  readonly data?: Readonly<Record<'frame' | 'unit' | 'starts', string>>;
}

/** A plot as the markup of an SVG element that says in words what it shows. */
export function picture({ Plot, document }: Drawing, options: PlotOptions, { label, data }: PictureWords): string {
  const element = Plot.plot({
    className: 'plot',
    ...options,
    document,
  }) as unknown as LightElement;
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', label);
  for (const [name, text] of Object.entries(data ?? {})) element.setAttribute(`data-${name}`, text);
  return element.toMarkup();
}

/** Where things are in a picture, in pixels. */
export interface Pen {
  x(value: number): number;
  y(value: number): number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  element(tagName: string, attributes: Readonly<Record<string, string | number>>): LightElement;
}

/**
 * A mark of one element, such as a path of thousands of points: Plot's own marks have an element a point. The domains of the
 * scales must be given.
 */
export function sketch(draw: (pen: Pen) => LightElement | null): Markish {
  const render = (
    _index: unknown,
    scales: { readonly x: (value: number) => number; readonly y: (value: number) => number },
    _values: unknown,
    frame: Readonly<Record<'width' | 'height' | 'marginLeft' | 'marginRight' | 'marginTop' | 'marginBottom', number>>,
    { document }: { readonly document: LightDocument },
  ): LightElement | null =>
    draw({
      x: scales.x,
      y: scales.y,
      left: frame.marginLeft,
      right: frame.width - frame.marginRight,
      top: frame.marginTop,
      bottom: frame.height - frame.marginBottom,
      element: (tagName, attributes) => {
        const element = document.createElement(tagName);
        for (const [name, value] of Object.entries(attributes)) {
          if (name === 'd') element.setPath(String(value));
          else element.setAttribute(name, value);
        }
        return element;
      },
    });
  return render as unknown as Markish;
}
