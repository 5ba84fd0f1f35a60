import { ImportError, malformedText } from '../import-error.ts';
import { type FileLine, type ImportSource, linesOf } from '../import-source.ts';
import { largestAmount } from '../../grammar/units.ts';

const longestRowCharacters = 16 * 2 ** 20;

/** A row of a table, by the names of its columns. */
export class CsvRow {
  /** Names of the columns, in their order. */
  readonly columns: readonly string[];
  /** The line in which it begins, from 1. */
  readonly line: number;
  readonly #table: Table;
  readonly #fields: readonly string[];

  constructor(table: Table, line: number, fields: readonly string[]) {
    this.columns = table.names;
    this.line = line;
    this.#table = table;
    this.#fields = fields;
  }

  /** True for a row that has a field for every column. */
  get isWhole(): boolean {
    return this.#fields.length === this.columns.length;
  }

  /** The field of a column; empty where the row or the table has none. */
  text(column: string): string {
    return (this.#fields[this.#table.places.get(column) ?? -1] ?? '').trim();
  }

  /** A finite number of at least 0, or `null` for an empty field, `NA` and `NaN`. */
  amountOrNull(column: string): number | null {
    const text = this.text(column);
    if (text === '' || text === 'NA' || text === 'NaN') return null;
    const value = Number(this.#table.hasDecimalComma ? text.replace(/^(\d+),(\d+)$/, '$1.$2') : text);
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
    const { path, advice, places } = this.#table;
    const index = places.get(column) ?? 0;
    const found = this.#fields[index] ?? '';
    const what = `column ${column}: expected ${expected}, found ${found === '' ? 'nothing' : `'${found.slice(0, 40)}'`}`;
    const at = this.#fields.slice(0, index).reduce((sum, { length }) => sum + length + 1, 1);
    return malformedText({ path, line: this.line, column: at }, { what, advice });
  }
}

/** Common facts of the rows of a table. */
interface Table {
  readonly path: string;
  readonly advice: string;
  readonly hasDecimalComma: boolean;
  readonly names: readonly string[];
  /** Index of each column. */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * Reads a table (RFC 4180) whose first row names its columns, and gives its rows to `take` one after the other. Empty lines are left out;
 * fields beyond the columns are an error.
 *
 * @throws ImportError `MALFORMED_FILE` with line and column, or as the source and `take`
 */
export async function readCsv(
  source: ImportSource,
  {
    separator,
    advice,
    required,
    hasDecimalComma = false,
    begins = () => true,
  }: {
    /** Possible separators of fields: the one that the first row has most of is used. */
    readonly separator: readonly string[];
    readonly advice: string;
    readonly required: readonly string[];
    /** True where the tool writes numbers by the locale: `0,5` is a half, and no number has groups of thousands. */
    readonly hasDecimalComma?: boolean;
    /** True for a line that is the first row, where others may stand before it. */
    readonly begins?: (line: string) => boolean;
  },
  take: (row: CsvRow) => void,
): Promise<void> {
  const { CsvError, parse } = await import('csv-parse/sync');
  const { path } = source;
  const bytes = await source.bytes();
  const first = firstRow(linesOf(bytes, path), begins);
  if (first === null) return;
  function malformed(line: number, what: string): ImportError {
    return malformedText({ path, line, column: 1 }, { what, advice });
  }
  let table: Table | null = null;
  let line = first.number;
  function takeRecord(fields: readonly string[], lastLine: number): void {
    const begin = line;
    line = lastLine + 1;
    if (fields.length === 1 && fields[0]?.trim() === '') return;
    if (table === null) {
      const names = fields.map((name) => name.trim());
      const missing = required.filter((name) => !names.includes(name));
      if (missing.length > 0) throw malformed(begin, `the first row lacks the column ${missing.join(', ')}`);
      table = { path, advice, hasDecimalComma, names, places: new Map(names.map((name, index) => [name, index])) };
      return;
    }
    if (fields.length > table.names.length) {
      throw malformed(begin, `${fields.length} fields in a table of ${table.names.length} columns`);
    }
    take(new CsvRow(table, begin, fields));
  }
  try {
    parse(bytes.subarray(first.at), {
      delimiter: mostOf(first.text, separator),
      record_delimiter: ['\r\n', '\n'],
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: longestRowCharacters,
      // A record that is nothing is not kept by the parser.
      on_record: (fields: string[], { lines }: { readonly lines: number }) => {
        takeRecord(fields, first.number + lines - 1);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isLong = error.code === 'CSV_MAX_RECORD_SIZE';
    throw malformed(line, isLong ? 'a row of more than 16 Mi characters' : 'a quote that is not closed');
  }
}

function firstRow(lines: Iterable<FileLine>, begins: (line: string) => boolean): FileLine | null {
  for (const line of lines) if (line.text.trim() !== '' && begins(line.text)) return line;
  return null;
}

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
