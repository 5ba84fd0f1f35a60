/** A place of the call tree: number of its label, ns of A and of B with everything below, and the places below. */
type Place = readonly [number, number, number, ...Place[]];

const rowHeight = 19;

function make<Tag extends 'svg' | 'g' | 'rect' | 'text'>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Tag] {
  const one = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, String(value));
  return one;
}

function time(ns: number): string {
  const [unit, per] =
    Math.abs(ns) >= 1e9 ? (['s', 1e9] as const) : Math.abs(ns) >= 1e6 ? (['ms', 1e6] as const) : (['µs', 1e3] as const);
  return `${(ns / per).toPrecision(3)} ${unit}`;
}

function colour([, a, b]: Place): string {
  const share = Math.max(-1, Math.min(1, (4 * (b - a)) / Math.max(1, a + b)));
  return `color-mix(in oklab, var(--${share > 0 ? 'hot' : 'cold'}) ${Math.round(Math.abs(share) * 100)}%, var(--same))`;
}

/** Draws the call tree of both sides as SVG, once more after each change of zoom, search or width. */
export function drawFlames(section: HTMLElement): void {
  const [data, graph, about, controls] = ['.data', '.graph', '.about', 'form'].map((name) =>
    section.querySelector<HTMLElement>(name),
  );
  const input = section.querySelector('input');
  if (!data || !graph || !about || !controls || input === null) return;
  const { labels, root } = JSON.parse(data.textContent) as {
    readonly labels: readonly (readonly [string, string])[];
    readonly root: Place;
  };
  const ruler = document.createElement('canvas').getContext('2d');
  if (ruler !== null) ruler.font = getComputedStyle(graph).font;
  let trail: readonly Place[] = [root];
  controls.hidden = false;

  function nameOf([fn]: Place): string {
    return labels[fn]?.[0] ?? 'all';
  }

  /** The beginning of a name that fits into so many pixels; with fewer than two letters none. */
  function fitting(name: string, room: number): string {
    for (let length = Math.min(name.length, Math.floor(room / 2)); length > 1; length--) {
      const text = length < name.length ? `${name.slice(0, length)}…` : name;
      if ((ruler?.measureText(text).width ?? 0) <= room) return text;
    }
    return '';
  }

  function describe(place: Place): string {
    const [fn, a, b] = place;
    const change = a === 0 ? 'B only' : b === 0 ? 'A only' : `${b >= a ? '+' : ''}${((b / a - 1) * 100).toFixed(1)} %`;
    const where = labels[fn]?.[1] ?? '';
    return `${nameOf(place)}${where === '' ? '' : `, ${where}`}: A ${time(a)}, B ${time(b)}, B − A ${time(b - a)} (${change})`;
  }

  function draw(): void {
    const width = graph?.clientWidth || 1000;
    const wanted = input?.value.trim().toLowerCase() ?? '';
    const svg = make('svg', {});
    let [depth, found] = [0, 0];
    function add(place: Place, at: { readonly x: number; readonly w: number; readonly above: readonly Place[] }): void {
      const { x, w, above } = at;
      if (w < 0.4) return;
      const row = above.length;
      const own = [...above, place];
      depth = Math.max(depth, row + 1);
      const isHit = wanted !== '' && nameOf(place).toLowerCase().includes(wanted);
      if (isHit) found++;
      const look = isHit ? 'found' : wanted === '' ? '' : 'faint';
      const g = make('g', { tabindex: 0, role: 'button', 'aria-label': describe(place), class: look });
      const rect = make('rect', { x, y: row * rowHeight, width: w, height: rowHeight - 1, rx: 2 });
      rect.style.fill = colour(place);
      g.append(rect);
      const text = make('text', { x: x + 4, y: row * rowHeight + 13 });
      text.textContent = fitting(nameOf(place), w - 8);
      if (text.textContent !== '') g.append(text);
      function show(): void {
        about?.replaceChildren(describe(place));
      }
      function zoom(): void {
        trail = own;
        draw();
        show();
      }
      g.addEventListener('mouseenter', show);
      g.addEventListener('focus', show);
      g.addEventListener('click', zoom);
      g.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') zoom();
      });
      svg.append(g);
      const next = trail[row + 1];
      if (next !== undefined && trail[row] === place) return add(next, { x: 0, w: width, above: own });
      let left = x;
      for (const child of place.slice(3) as unknown as readonly Place[]) {
        const share = (w * (child[1] + child[2])) / Math.max(1, place[1] + place[2]);
        add(child, { x: left, w: share, above: own });
        left += share;
      }
    }
    add(root, { x: 0, w: width, above: [] });
    svg.setAttribute('viewBox', `0 0 ${width} ${depth * rowHeight}`);
    graph?.replaceChildren(svg);
    section.querySelector('output')?.replaceChildren(wanted === '' ? '' : `${found} found`);
  }
  input.addEventListener('input', draw);
  section.querySelector('button')?.addEventListener('click', () => {
    trail = [root];
    input.value = '';
    draw();
  });
  controls.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('resize', draw);
  draw();
}
