/** Style of the page of an explanation. */
export const flameStyle: string =
  ':root{--bg:#fff;--fg:#1b1f24;--soft:#57606a;--line:#d8dee4;--more:#a8174f;--less:#0a63a8;--same:#e3e7eb;--hot:#f08c9f;--cold:#8fb8e8;--on:#111}' +
  '@media(prefers-color-scheme:dark){:root{--bg:#14181d;--fg:#e6eaef;--soft:#a3adb8;--line:#323a44;--more:#ff8ab3;--less:#6cb6ff;--same:#333b45;--hot:#a03a52;--cold:#2f5f96;--on:#f4f6f8}}' +
  '*{box-sizing:border-box}html{background:var(--bg);color:var(--fg);color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}' +
  'body{margin:0 auto;max-width:1400px;padding:0 24px 48px}.brand{color:var(--soft);font-size:.8125rem;font-weight:600;margin:24px 0 0}' +
  'h1{font-size:1.5rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.125rem;margin:28px 0 4px}code{font:.875em ui-monospace,monospace;overflow-wrap:anywhere}' +
  '.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9375rem}th,td{border-bottom:1px solid var(--line);padding:6px 12px 6px 0;text-align:left;white-space:nowrap}' +
  'th{color:var(--soft);font-size:.8125rem}td:nth-child(n+3),th:nth-child(n+3){font-variant-numeric:tabular-nums;text-align:right}' +
  'tr.more td:nth-child(5){color:var(--more)}tr.less td:nth-child(5){color:var(--less)}.note{color:var(--soft);margin:6px 0}' +
  'input,button{background:none;border:1px solid var(--line);border-radius:6px;color:inherit;font:inherit;padding:2px 10px}output{color:var(--soft)}' +
  'svg{display:block;width:100%}svg g{cursor:pointer}svg rect{stroke:var(--bg);stroke-width:.6}svg text{fill:var(--on);font:12px system-ui,sans-serif;pointer-events:none}' +
  'svg .found rect{stroke:var(--fg);stroke-width:2}svg .faint{opacity:.35}:focus-visible{outline:2px solid var(--less)}';

/** Script of the page: draws the tree as SVG, once more after each change of zoom, search or width. */
export const flameScript: string = String.raw`
const { labels, root } = JSON.parse(document.getElementById('data').textContent);
const [graph, about, controls] = ['graph', 'about', 'controls'].map((id) => document.getElementById(id));
const [input, all, output] = ['input', 'button', 'output'].map((name) => controls.querySelector(name));
const rowHeight = 19, name = 'http://www.w3.org/2000/svg';
const nameOf = ([fn]) => (fn < 0 ? 'all' : labels[fn][0]), weight = ([, a, b]) => a + b;
let path = [root];
controls.hidden = false;
function make(tag, attributes) {
  const one = document.createElementNS(name, tag);
  for (const key in attributes) one.setAttribute(key, attributes[key]);
  return one;
}
function time(ns) {
  const [unit, per] = Math.abs(ns) >= 1e9 ? ['s', 1e9] : Math.abs(ns) >= 1e6 ? ['ms', 1e6] : ['\u00b5s', 1e3];
  return (ns / per).toPrecision(3) + ' ' + unit;
}
function describe(node) {
  const [fn, a, b] = node, change = a > 0 ? ' (' + (b >= a ? '+' : '') + ((b / a - 1) * 100).toFixed(1) + ' %)' : ' (B only)';
  const place = fn >= 0 && labels[fn][1] ? ', ' + labels[fn][1] : '';
  return nameOf(node) + place + ': A ' + time(a) + ', B ' + time(b) + ', B \u2212 A ' + time(b - a) + (b > 0 ? change : ' (A only)');
}
function colour([, a, b]) {
  const share = Math.max(-1, Math.min(1, (4 * (b - a)) / Math.max(1, a + b)));
  return 'color-mix(in oklab, var(--' + (share > 0 ? 'hot' : 'cold') + ') ' + Math.round(Math.abs(share) * 100) + '%, var(--same))';
}
function draw() {
  const width = graph.clientWidth || 1000, wanted = input.value.trim().toLowerCase(), svg = make('svg', {});
  let depth = 0, found = 0;
  function add(node, x, w, row, trail) {
    if (w < 0.4) return;
    depth = Math.max(depth, row + 1);
    const hit = wanted !== '' && nameOf(node).toLowerCase().includes(wanted);
    if (hit) found++;
    const g = make('g', { tabindex: 0, role: 'button', 'aria-label': describe(node), class: hit ? 'found' : wanted === '' ? '' : 'faint' });
    const rect = make('rect', { x: x, y: row * rowHeight, width: w, height: rowHeight - 1, rx: 2 });
    rect.style.fill = colour(node);
    g.append(rect);
    const room = Math.floor((w - 6) / 6.6);
    if (room >= 3) {
      const text = make('text', { x: x + 4, y: row * rowHeight + 13 }), full = nameOf(node);
      text.textContent = full.length > room ? full.slice(0, room - 1) + '\u2026' : full;
      g.append(text);
    }
    const show = () => { about.textContent = describe(node); };
    const zoom = () => { path = trail; draw(); show(); };
    g.addEventListener('mouseenter', show);
    g.addEventListener('focus', show);
    g.addEventListener('click', zoom);
    g.addEventListener('keydown', (event) => { if (event.key === 'Enter') zoom(); });
    svg.append(g);
    if (row < path.length - 1) return add(path[row + 1], 0, width, row + 1, path.slice(0, row + 2));
    let at = x;
    for (const child of node.slice(3)) {
      const own = (w * weight(child)) / Math.max(1, weight(node));
      add(child, at, own, row + 1, [...trail, child]);
      at += own;
    }
  }
  add(root, 0, width, 0, [root]);
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + depth * rowHeight);
  graph.replaceChildren(svg);
  output.textContent = wanted === '' ? '' : found + ' found';
}
input.addEventListener('input', draw);
all.addEventListener('click', () => { path = [root]; input.value = ''; draw(); });
controls.addEventListener('submit', (event) => event.preventDefault());
addEventListener('resize', draw);
draw();
document.documentElement.dataset.ready = '';
`;
