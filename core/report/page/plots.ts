/** The frame of a drawn plot, and what its axes stand for; in the units of the picture. */
interface PlotFrame {
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

/** A drawn dot, in the units of its picture. */
interface Dot {
  readonly x: number;
  readonly y: number;
}

/** Reads the places of dots back from the path that draws them: `M12,3.4h0m1-2h0`. */
export function readDots(path: string): readonly Dot[] {
  const dots: Dot[] = [];
  let [x, y] = [0, 0];
  for (const [, dx = '', dy = ''] of path.matchAll(/[Mm](-?\d*\.?\d+),?(-?\d*\.?\d+)h0/g)) {
    x += Number(dx);
    y += Number(dy);
    dots.push({ x, y });
  }
  return dots;
}

/** Scale and shift of a picture: what was at x stands at `factor * x + shift`. */
interface ZoomView {
  readonly factor: number;
  readonly shift: number;
}

const views = new WeakMap<SVGSVGElement, ZoomView>();
const whole: ZoomView = { factor: 1, shift: 0 };

export function viewOf(svg: SVGSVGElement): ZoomView {
  return views.get(svg) ?? whole;
}

function setView(svg: SVGSVGElement, view: ZoomView): void {
  views.set(svg, view);
}

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

interface NamedDots {
  readonly name: string;
  readonly dots: readonly Dot[];
}

/** Largest distance of the pointer, in the units of the picture. */
const near = 14;

/** Shows the value of the dot under the pointer: side, value, run and iteration. */
export function addPointTips(figure: HTMLElement): void {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  figure.append(tip);
  const starts = (figure.querySelector('svg')?.dataset['starts'] ?? '')
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
  for (const svg of figure.querySelectorAll('svg')) {
    const frame = readFrame(svg);
    if (frame === null) continue;
    // Read when they are first needed: a page may hold hundreds of thousands of dots.
    let series: readonly NamedDots[] | null = null;
    svg.addEventListener('pointermove', (event) => {
      series ??= seriesOf(svg);
      const box = svg.getBoundingClientRect();
      const unit = frame.width / box.width;
      const at = { x: (event.clientX - box.left) * unit, y: (event.clientY - box.top) * unit };
      const found = nearest(svg, series, at);
      tip.hidden = found === null;
      if (found === null) return;
      tip.textContent = textOf(found, { frame, starts });
      const host = figure.getBoundingClientRect();
      const left = event.clientX - host.left + 12;
      tip.style.translate = `${Math.min(left, host.width - tip.offsetWidth)}px ${event.clientY - host.top + 14}px`;
    });
    svg.addEventListener('pointerleave', () => {
      tip.hidden = true;
    });
  }
}

function seriesOf(svg: SVGSVGElement): readonly NamedDots[] {
  return [...svg.querySelectorAll('.points')].map((group) => ({
    name: group.classList.contains('a')
      ? 'A'
      : group.classList.contains('b')
        ? 'B'
        : group.classList.contains('warm')
          ? 'warm-up'
          : 'B / A − 1:',
    dots: readDots(group.querySelector('.dots')?.getAttribute('d') ?? ''),
  }));
}

interface Found {
  readonly name: string;
  readonly dot: Dot;
}

function nearest(svg: SVGSVGElement, series: readonly NamedDots[], at: Dot): Found | null {
  const { factor, shift } = viewOf(svg);
  let best: Found | null = null;
  let least = near * near;
  for (const { name, dots } of series) {
    for (const dot of dots) {
      const distance = (factor * dot.x + shift - at.x) ** 2 + (dot.y - at.y) ** 2;
      if (distance < least) {
        least = distance;
        best = { name, dot };
      }
    }
  }
  return best;
}

function textOf(
  { name, dot }: Found,
  { frame, starts }: { readonly frame: PlotFrame; readonly starts: readonly number[] },
): string {
  const { left, right, top, bottom, xDomain, yDomain, unit } = frame;
  const place = xDomain[0] + ((dot.x - left) / (right - left)) * (xDomain[1] - xDomain[0]);
  const value = yDomain[0] + ((bottom - dot.y) / (bottom - top)) * (yDomain[1] - yDomain[0]);
  const run = starts.findLastIndex((start) => start <= place + 1e-6);
  const single = xDomain[0] < 0;
  const where = single
    ? `run ${Math.round(place) + 1}`
    : run === -1
      ? `place ${Math.round(place)}`
      : `run ${run + 1}, iteration ${Math.floor(place - (starts[run] ?? 0)) + 1}`;
  return `${name} ${Number(value.toPrecision(4))} ${unit}, ${where}`;
}
