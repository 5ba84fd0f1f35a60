/** The frame of a drawn plot, and what its axes stand for; in the units of the picture. */
export interface PlotFrame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  /** Value at the bottom and at the top of the frame. */
  readonly yDomain: readonly [number, number];
  readonly xDomain: readonly [number, number];
  readonly unit: string;
}

/** Frame of a picture; `null` for one that does not. */
export function readFrame(svg: SVGSVGElement): PlotFrame | null {
  const numbers = (svg.dataset['frame'] ?? '').split(' ').map(Number);
  if (numbers.length !== 8 || numbers.some((value) => Number.isNaN(value))) return null;
  const [left = 0, right = 0, top = 0, bottom = 0, x0 = 0, x1 = 1, y0 = 0, y1 = 1] = numbers;
  const width = svg.viewBox.baseVal.width;
  return { left, right, top, bottom, width, xDomain: [x0, x1], yDomain: [y0, y1], unit: svg.dataset['unit'] ?? '' };
}
