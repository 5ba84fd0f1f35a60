import type { Study, StudyColumn } from '@deadheat/analysis';
import { csvRows } from '../export/csv-rows.ts';

/**
 * All tables of a study in one: a column `table` with the title, then every column that any of them has, named with its unit
 * (`duet [share]`); what a table does not have is empty. Shares and ratios are plain numbers: 0.01 = 1 %, 1.01 = 1 % longer.
 */
export function studyCsv({ tables }: Pick<Study, 'tables'>): string {
  const names = [...new Set(tables.flatMap(({ columns }) => columns.map((column) => nameOf(column))))];
  const rows = tables.flatMap(({ title, columns, rows: own }) =>
    own.map((cells) => {
      const values = new Map(columns.map((column, place) => [nameOf(column), cells[place] ?? null]));
      return [title, ...names.map((name) => values.get(name) ?? null)];
    }),
  );
  return csvRows([['table', ...names], ...rows]);
}

function nameOf({ name, unit }: StudyColumn): string {
  return unit === 'text' ? name : `${name} [${unit}]`;
}
