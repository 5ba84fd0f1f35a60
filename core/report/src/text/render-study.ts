import { columnHeads, type StudyTable } from '@deadheat/analysis';
import { csvRows, printable } from './printable.ts';
import { alignCells, createColors, proseWidth, type TextStyle, wrapText } from './layout.ts';

/** The tables of a study as text, each with its source and notes, ending in a line break. */
export function renderStudy({ tables }: { readonly tables: readonly StudyTable[] }, style: TextStyle): string {
  return tables.map((table) => `${studyTable(table, style).join('\n')}\n`).join('\n');
}

/** A table in aligned columns, or where the terminal is too narrow for it a paragraph a row, its words first. */
export function studyTable({ title, source, columns, rows, notes }: StudyTable, style: TextStyle): readonly string[] {
  const colors = createColors(style);
  const width = style.width ?? proseWidth;
  const cells = rows.map((row) => row.map((cell, place) => formatStudyCell(cell, columns[place]?.unit ?? 'text')));
  const heads = columns.map(({ name }) => printable(name));
  const isText = columns.map(({ unit }) => unit === 'text');
  const aligned = alignCells([heads, ...cells], (column) => isText[column] !== true);
  const fits = style.width === null || aligned.every((line) => line.length <= width);
  const body = fits ? aligned : cells.flatMap((row) => paragraph(row, { heads, isText, width }));
  return [
    ...wrapText(title, width).map((line) => colors.bold(line)),
    ...wrapText(`source: ${source}`, width),
    '',
    ...(rows.length === 0 ? ['nothing was measured for this'] : body),
    ...(notes.length === 0 ? [] : ['', ...notes.flatMap((note) => bullet(note, width))]),
  ];
}

/** A cell of a table in words: shares in percent. */
export function formatStudyCell(cell: string | number | null, unit: StudyTable['columns'][number]['unit']): string {
  if (cell === null) return '-';
  if (typeof cell === 'string') return printable(cell);
  if (unit === 'share') return `${significant(cell * 100)} %`;
  if (unit === 'number') return significant(cell);
  if (unit === 'ratio') return cell.toFixed(cell >= 10 ? 1 : 4);
  return `${cell}`;
}

/** Three digits that count; four decimals at most, and below 0.01 as many as it takes. */
function significant(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) < 0.01) return value.toPrecision(3);
  return value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}

function paragraph(
  cells: readonly string[],
  {
    heads,
    isText,
    width,
  }: { readonly heads: readonly string[]; readonly isText: readonly boolean[]; readonly width: number },
): readonly string[] {
  const firstFigure = isText.indexOf(false);
  const words = firstFigure === -1 ? cells.length : Math.max(1, firstFigure);
  const figures = cells.slice(words).map((cell, place) => `${heads[words + place]} ${cell}`);
  return [
    ...wrapText(cells.slice(0, words).join(', '), width),
    ...wrapText(figures.join(', '), width - 2).map((line) => `  ${line}`),
  ];
}

function bullet(note: string, width: number): readonly string[] {
  return wrapText(printable(note), width - 2).map((line, place) => `${place === 0 ? '-' : ' '} ${line}`);
}

/**
 * All tables of a study in one: a column `table` with the title, then every column that any of them has, named with its unit
 * (`duet [share]`), the second of a name in a table with a 2 behind it (`at least 2 [share]`); what a table does not have is empty.
 * Shares and ratios are plain numbers: 0.01 = 1 %, 1.01 = 1 % longer.
 */
export function studyCsv({ tables }: { readonly tables: readonly StudyTable[] }): string {
  const headed = tables.map((table) => ({ ...table, heads: columnHeads(table.columns) }));
  const names = [...new Set(headed.flatMap(({ heads }) => heads))];
  const rows = headed.flatMap(({ title, heads, rows: own }) =>
    own.map((cells) => {
      const values = new Map(heads.map((head, place) => [head, cells[place] ?? null]));
      return [title, ...names.map((name) => values.get(name) ?? null)];
    }),
  );
  return csvRows([['table', ...names], ...rows]);
}
