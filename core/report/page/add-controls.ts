const words: Readonly<Record<string, string>> = {
  slower: 'slower',
  undecided: 'undecided',
  faster: 'faster',
  'dead-heat': 'dead heat',
};
/** With fewer rows a filter by name would be larger than the table. */
const fewestForText = 8;

/** Adds a search field and a box for every verdict that occurs, and the number of rows that are left. */
export function addControls(table: HTMLTableElement, controls: HTMLElement): void {
  const rows = [...(table.tBodies[0]?.rows ?? [])].map((row) => ({
    row,
    verdict: row.dataset['v'] ?? '',
    name: (row.cells[0]?.textContent ?? '').toLowerCase(),
  }));
  const present = Object.keys(words).filter((verdict) => rows.some((row) => row.verdict === verdict));
  if (rows.length < 2) return;
  const field = document.createElement('input');
  field.type = 'search';
  field.placeholder = 'part of a name';
  const label = document.createElement('label');
  label.append('Benchmark ', field);
  const boxes = new Map<string, HTMLInputElement>();
  const group = document.createElement('fieldset');
  const legend = document.createElement('legend');
  legend.textContent = 'Show';
  group.append(legend);
  for (const verdict of present) {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = true;
    box.value = verdict;
    const name = document.createElement('label');
    name.append(box, ` ${words[verdict] ?? verdict}`);
    group.append(name);
    boxes.set(verdict, box);
  }
  const count = document.createElement('output');
  count.ariaLive = 'polite';

  function filter(): void {
    const wanted = field.value.trim().toLowerCase();
    let left = 0;
    for (const { row, verdict, name } of rows) {
      const shown = (boxes.get(verdict)?.checked ?? true) && name.includes(wanted);
      row.hidden = !shown;
      if (shown) left++;
    }
    count.textContent = left === rows.length ? `${rows.length} benchmarks` : `${left} of ${rows.length} benchmarks`;
  }

  controls.addEventListener('input', filter);
  if (rows.length >= fewestForText) controls.append(label);
  if (present.length > 1) controls.append(group);
  controls.append(count);
  controls.hidden = controls.children.length === 1;
  filter();
}
