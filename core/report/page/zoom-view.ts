/** Scale and shift of a picture: what was at x stands at `factor * x + shift`. */
export interface ZoomView {
  readonly factor: number;
  readonly shift: number;
}

const views = new WeakMap<SVGSVGElement, ZoomView>();
const whole: ZoomView = { factor: 1, shift: 0 };

export function viewOf(svg: SVGSVGElement): ZoomView {
  return views.get(svg) ?? whole;
}

export function setView(svg: SVGSVGElement, view: ZoomView): void {
  views.set(svg, view);
}
