import { readFrame } from '../../report/page/plot-frame.ts';
import { readDots } from '../../report/page/read-dots.ts';
import { viewOf } from '../../report/page/zoom-view.ts';

/** A dot of a series: its place in the picture, and its number in the order of the commits. */
interface PlacedDot {
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

/** How near the pointer must be, in the units of the picture. */
const near = 14;

/**
 * Tells what the dot under the pointer is, and leads to its comparison. `data-dots` of the figure is a list of `[experiment, text]`, and
 * `data-query` names the series. The table below the picture has the same links.
 */
export function tellDots(figure: HTMLElement): void {
  const svg = figure.querySelector('svg');
  const frame = svg === null ? null : readFrame(svg);
  if (svg === null || frame === null) return;
  const told = JSON.parse(figure.dataset['dots'] ?? '[]') as readonly (readonly [experiment: string, text: string])[];
  const perDot = (frame.right - frame.left) / (frame.xDomain[1] - frame.xDomain[0]);
  const dots: readonly PlacedDot[] = [...svg.querySelectorAll('.points .dots')]
    .flatMap((path) => readDots(path.getAttribute('d') ?? ''))
    .map(({ x, y }) => ({ x, y, at: Math.round((x - frame.left) / perDot + frame.xDomain[0]) }));
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  figure.append(tip);

  function found(event: PointerEvent | MouseEvent): PlacedDot | null {
    const box = (svg as SVGSVGElement).getBoundingClientRect();
    const unit = frame === null ? 1 : frame.width / box.width;
    const [x, y] = [(event.clientX - box.left) * unit, (event.clientY - box.top) * unit];
    const { factor, shift } = viewOf(svg as SVGSVGElement);
    let best: PlacedDot | null = null;
    let least = near * near;
    for (const dot of dots) {
      const distance = (factor * dot.x + shift - x) ** 2 + (dot.y - y) ** 2;
      if (distance < least) [least, best] = [distance, dot];
    }
    return best;
  }

  svg.addEventListener('pointermove', (event) => {
    const dot = found(event);
    tip.hidden = dot === null;
    svg.style.cursor = dot === null ? '' : 'pointer';
    if (dot === null) return;
    tip.textContent = told[dot.at]?.[1] ?? '';
    const host = figure.getBoundingClientRect();
    const left = Math.min(event.clientX - host.left + 12, host.width - tip.offsetWidth);
    tip.style.translate = `${left}px ${event.clientY - host.top + 14}px`;
  });
  svg.addEventListener('pointerleave', () => {
    tip.hidden = true;
  });
  // Whoever draws over a part of the picture to look closer does not follow a link.
  let pressedX = 0;
  svg.addEventListener('pointerdown', ({ clientX }) => {
    pressedX = clientX;
  });
  svg.addEventListener('click', (event) => {
    const dot = Math.abs(event.clientX - pressedX) > 4 ? null : found(event);
    const [experiment] = dot === null ? [] : (told[dot.at] ?? []);
    if (experiment === undefined) return;
    location.assign(`/experiments/${encodeURIComponent(experiment)}/comparison?${figure.dataset['query'] ?? ''}`);
  });
}
