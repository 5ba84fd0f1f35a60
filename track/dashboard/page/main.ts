import { addZoom, readDots, readFrame, viewOf } from '../../../core/report/page/plots.ts';

/** Replaces the parts of a page that a fleet changes, whenever it does. The server has escaped what they say. */
function followFleet(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-live]')];
  const state = document.querySelector('#live-state');

  function show(text: string): void {
    if (state !== null && state.textContent !== text) state.textContent = text;
  }

  if (parts.length === 0) return;
  const events = new EventSource('/fleet/events');
  events.addEventListener('parts', ({ data }: MessageEvent<string>) => {
    const found = JSON.parse(data) as Record<string, string>;
    for (const part of parts) {
      const text = found[part.dataset['live'] ?? ''];
      if (text !== undefined) replace(part, text);
    }
    show('Live: this page follows the fleet.');
  });
  events.addEventListener('error', () => show('The connection was lost; what is shown may be old. Trying again.'));
}

/** Leaves what has the focus alone where it stays, so that nobody is thrown back to the top. */
function replace(part: HTMLElement, text: string): void {
  const focused = document.activeElement;
  const href = focused !== null && part.contains(focused) ? focused.getAttribute('href') : null;
  const template = document.createElement('template');
  template.innerHTML = text;
  part.replaceChildren(template.content);
  if (href === null) return;
  [...part.querySelectorAll('a')].find((anchor) => anchor.getAttribute('href') === href)?.focus();
}

/** A dot of a series: its place in the picture, its label, and where it leads. */
interface PlacedDot {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** `null` = nowhere. */
  readonly path: string | null;
}

/** The labels of the dots of one series. */
interface LabelledTrack {
  /** Names the series in an address; empty = its dots lead nowhere. */
  readonly query: string;
  readonly dots: readonly (readonly [at: number, experiment: string, text: string])[];
}

/** The most distance of the pointer, in the units of the picture. */
const near = 14;

/**
 * Describes the dot under the pointer, and leads to its comparison. `data-tracks` of the figure is a list of `LabelledTrack`; the class `tK` of
 * dots says that they are those of entry K, without it they are those of the first. The table below the picture has the same links.
 */
function labelDots(figure: HTMLElement): void {
  const svg = figure.querySelector('svg');
  const frame = svg === null ? null : readFrame(svg);
  if (svg === null || frame === null) return;
  const tracks = JSON.parse(figure.dataset['tracks'] ?? '[]') as readonly LabelledTrack[];
  const described = tracks.map(({ dots }) => new Map(dots.map((dot) => [dot[0], dot])));
  const perDot = (frame.right - frame.left) / (frame.xDomain[1] - frame.xDomain[0]);
  const dots: readonly PlacedDot[] = [...svg.querySelectorAll('.points')].flatMap((points) => {
    const track = Number(/(?:^| )t(\d+)(?: |$)/.exec(points.getAttribute('class') ?? '')?.[1] ?? 0);
    return readDots(points.querySelector('.dots')?.getAttribute('d') ?? '').flatMap(({ x, y }) => {
      const found = described[track]?.get(Math.round((x - frame.left) / perDot + frame.xDomain[0]));
      if (found === undefined) return [];
      const [, experiment, text] = found;
      const query = tracks[track]?.query ?? '';
      const path = query === '' ? null : `/experiments/${encodeURIComponent(experiment)}/comparison?${query}`;
      return [{ x, y, text, path }];
    });
  });
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
    svg.style.cursor = dot === null || dot.path === null ? '' : 'pointer';
    if (dot === null) return;
    tip.textContent = dot.text;
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
    if (dot !== null && dot.path !== null) location.assign(dot.path);
  });
}

followFleet();
for (const figure of document.querySelectorAll<HTMLElement>('figure.series')) {
  addZoom(figure);
  labelDots(figure);
}
document.documentElement.dataset['ready'] = '';
