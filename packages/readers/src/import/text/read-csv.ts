import { ImportError, malformedText } from '../import-error.ts';
import type { ImportSource } from '../import-source.ts';
import { largestAmount } from '../units.ts';
import { readLineBatches } from './read-lines.ts';

/** A row of a table, by the names of its columns. */
export class CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
  readonly #table: { readonly path: string; readonly advice: string; readonly columns: ReadonlyMap<string, number> };

  constructor(
    line: number,
    fields: readonly string[],
    table: { readonly path: string; readonly advice: string; readonly columns: ReadonlyMap<string, number> },
  ) {
    this.line = line;
    this.fields = fields;
    this.#table = table;
  }

  /** Names of the columns, in their order. */
  get columns(): readonly string[] {
    return [...this.#table.columns.keys()];
  }

  /** The field of a column; empty where the row or the table has none. */
  text(column: string): string {
    const index = this.#table.columns.get(column);
    return index === undefined ? '' : (this.fields[index] ?? '').trim();
  }

  /** A finite number of at least 0, or `null` for an empty field, `NA` and `NaN`. */
  amountOrNull(column: string): number | null {
    const text = this.text(column);
    if (text === '' || text === 'NA' || text === 'NaN') return null;
    const value = Number(text);
    if (!Number.isFinite(value) || value < 0) throw this.error(column, 'a number of at least 0');
    if (value > largestAmount) throw this.error(column, `a number of at most ${largestAmount}`);
    return value;
  }

  /** A finite number of at least 0. */
  amount(column: string): number {
    const value = this.amountOrNull(column);
    if (value === null) throw this.error(column, 'a number of at least 0');
    return value;
  }

  error(column: string, expected: string): ImportError {
    const { path, advice, columns } = this.#table;
    const index = columns.get(column) ?? 0;
    const found = this.fields[index] ?? '';
    const what = `column ${column}: expected ${expected}, found ${found === '' ? 'nothing' : `'${found.slice(0, 40)}'`}`;
    const at = this.fields.slice(0, index).reduce((sum, { length }) => sum + length + 1, 1);
    return malformedText({ path, line: this.line, column: at }, { what, advice });
  }
}

const mostLinesInRow = 100;

/** The one of several separators that a text has most of; the first of equal ones. */
function mostOf(text: string, separators: readonly string[]): string {
  function count(separator: string): number {
    return text.split(separator).length;
  }
  return separators.reduce(
    (best, separator) => (count(separator) > count(best) ? separator : best),
    separators[0] ?? ',',
  );
}

/**
 * Reads a table whose first row names its columns, in batches of rows as they come from the disk: each has to be gone through. Empty lines are left out; fields beyond the columns are an error.
 *
 * @throws ImportError `MALFORMED_FILE` with line and column, or as the source
 */
export async function* readCsvBatches(
  source: ImportSource,
  {
    separator,
    advice,
    required,
    begins = () => true,
  }: {
    /** What may separate fields: the one that the first row has most of. */
    readonly separator: readonly string[];
    readonly advice: string;
    readonly required: readonly string[];
    /** Whether a line is the first row, where others may stand before it. */
    readonly begins?: (line: string) => boolean;
  },
): AsyncGenerator<Iterable<CsvRow>> {
  const { path } = source;
  let between: string | null = null;
  let columns: Map<string, number> | null = null;
  let pending = '';
  let firstLine = 0;
  let number = 0;
  let table: ConstructorParameters<typeof CsvRow>[2] | null = null;
  function* rowsOf(lines: readonly string[]): Generator<CsvRow> {
    for (const text of lines) {
      number += 1;
      if (pending === '') {
        if (text.trim() === '' || (columns === null && !begins(text))) continue;
        firstLine = number;
      }
      const row = pending === '' ? text : `${pending}\n${text}`;
      between ??= mostOf(row, separator);
      const fields = splitCsv(row, between);
      if (fields === null) {
        pending = row;
        if (number - firstLine < mostLinesInRow) continue;
        throw malformedText({ path, line: firstLine, column: 1 }, { what: 'a quote that is not closed', advice });
      }
      pending = '';
      if (columns === null) {
        columns = new Map(fields.map((name, index) => [name.trim(), index]));
        const missing = required.filter((name) => columns?.has(name) !== true);
        if (missing.length > 0) {
          const what = `the first row lacks the column ${missing.join(', ')}`;
          throw malformedText({ path, line: number, column: 1 }, { what, advice });
        }
        continue;
      }
      if (fields.length > columns.size) {
        const what = `${fields.length} fields in a table of ${columns.size} columns`;
        throw malformedText({ path, line: number, column: 1 }, { what, advice });
      }
      table ??= { path, advice, columns };
      yield new CsvRow(firstLine, fields, table);
    }
  }
  for await (const lines of readLineBatches(source)) yield rowsOf(lines);
  if (pending !== '')
    throw malformedText({ path, line: firstLine, column: 1 }, { what: 'a quote that is not closed', advice });
}

/**
 * The fields of one row of separated values. A field in double quotes may hold the separator and, doubled, quotes
 * (RFC 4180).
 *
 * @returns `null` when a quote is not closed
 */
export function splitCsv(line: string, separator: string): readonly string[] | null {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      let field = '';
      let from = at + 1;
      for (;;) {
        const quote = line.indexOf('"', from);
        if (quote === -1) return null;
        field += line.slice(from, quote);
        if (line[quote + 1] !== '"') {
          at = quote + 1;
          break;
        }
        field += '"';
        from = quote + 2;
      }
      const next = line.indexOf(separator, at);
      fields.push(field + line.slice(at, next === -1 ? line.length : next));
      if (next === -1) return fields;
      at = next + 1;
    } else {
      const next = line.indexOf(separator, at);
      fields.push(line.slice(at, next === -1 ? line.length : next));
      if (next === -1) return fields;
      at = next + 1;
    }
  }
}
