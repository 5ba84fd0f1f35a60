import { readFrame, type PlotFrame } from './plot-frame.ts';
import { setView, viewOf, type ZoomView } from './zoom-view.ts';

interface Zoomable {
  readonly svg: SVGSVGElement;
  readonly frame: PlotFrame;
  /** Holds what moves. */
  readonly inner: SVGGElement;
  /** Numbers of runs below the axis, with their places. */
  readonly labels: readonly { readonly text: SVGTextElement; readonly x: number }[];
}

const most = 400;
const svgNamespace = 'http://www.w3.org/2000/svg';
let clips = 0;

/** Lets a reader look closer at a part of the runs: by dragging over it, or by buttons. */
export function addZoom(figure: HTMLElement): void {
  if (figure.querySelector('.points:not(.few)') === null) return;
  const pictures = [...figure.querySelectorAll('svg')].flatMap((svg) => prepare(svg));
  const [first] = pictures;
  if (first === undefined) return;
  const { svg, frame } = first;

  function show(view: ZoomView): void {
    for (const picture of pictures) apply(picture, view);
    all.disabled = view.factor === 1;
  }

  function by(factor: number): void {
    const view = viewOf(svg);
    const middle = (frame.left + frame.right) / 2;
    show(bounded(frame, { factor: view.factor * factor, shift: middle - factor * (middle - view.shift) }));
  }

  const all = button('Show all', () => show({ factor: 1, shift: 0 }));
  all.disabled = true;
  const bar = document.createElement('div');
  bar.className = 'zoom';
  const hint = document.createElement('span');
  hint.textContent = 'Drag over a part to look closer';
  bar.append(
    hint,
    button('Closer', () => by(2)),
    button('Wider', () => by(0.5)),
    all,
  );
  figure.querySelector('figcaption')?.after(bar);
  for (const picture of pictures) watchDrag(picture, show);
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
}

function prepare(svg: SVGSVGElement): readonly Zoomable[] {
  const frame = readFrame(svg);
  if (frame === null) return [];
  const moving = [...svg.querySelectorAll<SVGElement>('.points, .band, .level, .mean, .link, .change')];
  const anchor = moving[0];
  if (anchor === undefined) return [];
  const clip = document.createElementNS(svgNamespace, 'clipPath');
  clip.id = `zoom-${(clips += 1)}`;
  const rect = document.createElementNS(svgNamespace, 'rect');
  const reach = 4;
  const size = {
    x: frame.left - reach,
    y: frame.top - reach,
    width: frame.right - frame.left + 2 * reach,
    height: frame.bottom - frame.top + 2 * reach,
  };
  for (const [name, value] of Object.entries(size)) rect.setAttribute(name, String(value));
  clip.append(rect);
  const outer = document.createElementNS(svgNamespace, 'g');
  outer.setAttribute('clip-path', `url(#${clip.id})`);
  const inner = document.createElementNS(svgNamespace, 'g');
  anchor.before(clip, outer);
  outer.append(inner);
  inner.append(...moving);
  const labels = [...svg.querySelectorAll<SVGTextElement>('.runs text')].map((text) => ({
    text,
    x: Number(text.getAttribute('x')),
  }));
  return [{ svg, frame, inner, labels }];
}

function apply({ svg, frame, inner, labels }: Zoomable, view: ZoomView): void {
  setView(svg, view);
  inner.setAttribute('transform', `matrix(${view.factor},0,0,1,${view.shift},0)`);
  for (const { text, x } of labels) {
    const at = view.factor * x + view.shift;
    text.setAttribute('x', String(at));
    text.setAttribute('visibility', at >= frame.left && at <= frame.right ? 'visible' : 'hidden');
  }
}

/** A view that is not wider than the frame and shows nothing beside it. */
function bounded({ left, right }: PlotFrame, { factor, shift }: ZoomView): ZoomView {
  const kept = Math.min(most, Math.max(1, factor));
  return { factor: kept, shift: Math.min(left - kept * left, Math.max(right - kept * right, shift)) };
}

function watchDrag({ svg, frame }: Zoomable, show: (view: ZoomView) => void): void {
  function placeOf(event: PointerEvent): number {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * frame.width;
    return Math.min(frame.right, Math.max(frame.left, x));
  }

  let from: number | null = null;
  const band = document.createElementNS(svgNamespace, 'rect');
  band.setAttribute('class', 'drag');
  svg.addEventListener('pointerdown', (event) => {
    // A finger scrolls.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    from = placeOf(event);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    if (from === null) return;
    const to = placeOf(event);
    const size = { x: Math.min(from, to), y: frame.top, width: Math.abs(to - from), height: frame.bottom - frame.top };
    for (const [name, value] of Object.entries(size)) band.setAttribute(name, String(value));
    if (band.parentNode === null) svg.append(band);
  });

  function end(event: PointerEvent): void {
    band.remove();
    if (from === null) return;
    const [low, high] = [Math.min(from, placeOf(event)), Math.max(from, placeOf(event))];
    from = null;
    if (high - low < 6) return;
    const view = viewOf(svg);
    const factor = (view.factor * (frame.right - frame.left)) / (high - low);
    const scale = factor / view.factor;
    show(bounded(frame, { factor, shift: frame.left - scale * (low - view.shift) }));
  }

  svg.addEventListener('pointerup', end);
  svg.addEventListener('pointercancel', () => {
    band.remove();
    from = null;
  });
  svg.addEventListener('dblclick', () => show({ factor: 1, shift: 0 }));
}
