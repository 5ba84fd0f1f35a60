/** Keys by which a row of the table of verdicts is sorted and filtered. */
interface RowKeys {
  readonly place: number;
  readonly verdict: string;
  readonly ratio: number;
  readonly seen: number;
  readonly runs: number;
}

/** The worst first. */
const verdicts = ['slower', 'undecided', 'faster', 'dead-heat'];

function readKeys({ dataset }: HTMLTableRowElement): RowKeys {
  const [place = 0, ratio = 0, seen = 0, runs = 0] = (dataset['k'] ?? '').split(' ').map(Number);
  return { place, verdict: dataset['v'] ?? '', ratio, seen, runs };
}

/** Compares two rows by one column, ascending; verdicts from the worst on. */
function compareKeys(one: RowKeys, other: RowKeys, by: keyof RowKeys): number {
  const order =
    by === 'verdict'
      ? verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict) || other.ratio - one.ratio
      : one[by] - other[by];
  return order || one.place - other.place;
}

/** Makes the heads of the columns buttons that sort the rows; a second press turns the order round. */
export function addSorting(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  if (body === undefined) return;
  const rows = [...body.rows].map((row) => ({ row, keys: readKeys(row) }));
  const heads = [...table.querySelectorAll<HTMLTableCellElement>('th[data-sort]')];
  for (const head of heads) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const descending = head.ariaSort === 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.ariaSort = descending ? 'descending' : 'ascending';
      const by = (head.dataset['sort'] ?? 'place') as keyof RowKeys;
      const sign = descending ? -1 : 1;
      rows.sort((one, other) => sign * compareKeys(one.keys, other.keys, by));
      body.append(...rows.map(({ row }) => row));
    });
  }
}

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
