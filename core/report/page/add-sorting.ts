import { compareKeys, readKeys, type RowKeys } from './row-keys.ts';

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
