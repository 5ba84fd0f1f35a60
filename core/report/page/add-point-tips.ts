import { readFrame, type PlotFrame } from './plot-frame.ts';
import { readDots, type Dot } from './read-dots.ts';
import { viewOf } from './zoom-view.ts';

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
