import { ImportError, malformedText } from '../import-error.ts';
import type { ImportSource } from '../import-source.ts';
import { largestAmount } from '../units.ts';
import { ByteTexts, DecimalReader } from './byte-values.ts';
import { lineEnd, lineText, readLineBytes } from './read-lines.ts';

/** What the rows of a table have in common. */
interface Table {
  readonly path: string;
  readonly advice: string;
  readonly columns: ReadonlyMap<string, number>;
  readonly separator: string;
}

const quote = 0x22;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A row of a table, by the names of its columns; good until the next one is asked for. */
export class CsvRow {
  /** Names of the columns, in their order. */
  readonly columns: readonly string[];
  readonly #table: Table;
  readonly #texts = new ByteTexts();
  readonly #decimal = new DecimalReader();
  #line = 0;
  /** Of a row that was taken as a text its fields, else `null`. */
  #fields: readonly string[] | null = null;
  /** Of another row its bytes, the places where each field begins and ends in them, and how many fields there are. */
  #bytes: Buffer = Buffer.alloc(0);
  readonly #places: Int32Array;
  #count = 0;

  constructor(table: Table) {
    this.columns = [...table.columns.keys()];
    this.#table = table;
    this.#places = new Int32Array(2 * table.columns.size);
  }

  /** The line in which it begins, from 1. */
  get line(): number {
    return this.#line;
  }

  /** Makes it the row of these fields. */
  hold(line: number, fields: readonly string[]): void {
    this.#line = line;
    this.#fields = fields;
  }

  /**
   * Makes it the row that begins at a place, if its fields can be told by separators and the quotes around some of them.
   *
   * @returns the end of the line; -1 = it has other quotes, too many fields, or perhaps nothing
   */
  scan(line: number, bytes: Buffer, at: number): number {
    const separator = this.#table.separator.charCodeAt(0);
    const places = this.#places;
    const { length } = bytes;
    let count = 0;
    let end = at;
    for (; ; end += 1) {
      if (2 * count === places.length) return -1;
      const isQuoted = bytes[end] === quote;
      if (isQuoted) end += 1;
      places[2 * count] = end;
      let byte = bytes[end] ?? lineFeed;
      if (isQuoted) {
        while (end < length && byte !== quote && byte !== lineFeed) byte = bytes[++end] ?? lineFeed;
        if (byte !== quote) return -1;
        places[2 * count + 1] = end;
        byte = bytes[++end] ?? lineFeed;
        if (byte === carriageReturn && (bytes[end + 1] ?? lineFeed) === lineFeed) byte = bytes[++end] ?? lineFeed;
        if (byte !== separator && byte !== lineFeed) return -1;
      } else {
        while (byte !== separator && byte !== lineFeed) {
          if (byte === quote) return -1;
          byte = bytes[++end] ?? lineFeed;
        }
        places[2 * count + 1] = byte === lineFeed && end > at && bytes[end - 1] === carriageReturn ? end - 1 : end;
      }
      count += 1;
      if (byte === lineFeed) break;
    }
    const mayBeBlank = !isVisible(bytes[at] ?? 0) && (count === 1 || separator === tab);
    if (mayBeBlank) return -1;
    this.#line = line;
    this.#fields = null;
    this.#bytes = bytes;
    this.#count = count;
    return end;
  }

  /** The field of a column; empty where the row or the table has none. */
  text(column: string): string {
    const index = this.#table.columns.get(column);
    if (index === undefined) return '';
    if (this.#fields !== null) return (this.#fields[index] ?? '').trim();
    if (index >= this.#count) return '';
    const from = this.#places[2 * index] ?? 0;
    const to = this.#places[2 * index + 1] ?? 0;
    const text = this.#texts.textOf(this.#bytes, from, to);
    return isVisible(this.#bytes[from] ?? 0) && isVisible(this.#bytes[to - 1] ?? 0) ? text : text.trim();
  }

  /** A finite number of at least 0, or `null` for an empty field, `NA` and `NaN`. */
  amountOrNull(column: string): number | null {
    const index = this.#table.columns.get(column) ?? this.#count;
    if (this.#fields === null && index < this.#count) {
      const value = this.#decimal.read(this.#bytes, this.#places[2 * index] ?? 0);
      if (this.#decimal.end === this.#places[2 * index + 1] && value <= largestAmount) return value;
    }
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
    const fields = this.#fields ?? this.#scanned();
    const index = columns.get(column) ?? 0;
    const found = fields[index] ?? '';
    const what = `column ${column}: expected ${expected}, found ${found === '' ? 'nothing' : `'${found.slice(0, 40)}'`}`;
    const at = fields.slice(0, index).reduce((sum, { length }) => sum + length + 1, 1);
    return malformedText({ path, line: this.#line, column: at }, { what, advice });
  }

  #scanned(): readonly string[] {
    return Array.from({ length: this.#count }, (_, index) =>
      this.#bytes.toString('utf8', this.#places[2 * index], this.#places[2 * index + 1]),
    );
  }
}

/** Whether a byte is a character of ASCII that is not white space. */
function isVisible(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
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
  let row: CsvRow | null = null;
  let between: string | null = null;
  let columns: Map<string, number> | null = null;
  let pending = '';
  let firstLine = 0;
  let number = 0;
  function malformed(line: number, what: string): ImportError {
    return malformedText({ path, line, column: 1 }, { what, advice });
  }
  /** Takes a line of any kind; gives whether it ends a row. */
  function take(text: string): boolean {
    if (pending === '') {
      if (text.trim() === '' || (columns === null && !begins(text))) return false;
      firstLine = number;
    }
    const whole = pending === '' ? text : `${pending}\n${text}`;
    between ??= mostOf(whole, separator);
    const fields = splitCsv(whole, between);
    if (fields === null) {
      pending = whole;
      if (number - firstLine < mostLinesInRow) return false;
      throw malformed(firstLine, 'a quote that is not closed');
    }
    pending = '';
    if (columns === null) {
      columns = new Map(fields.map((name, index) => [name.trim(), index]));
      const missing = required.filter((name) => columns?.has(name) !== true);
      if (missing.length > 0) throw malformed(number, `the first row lacks the column ${missing.join(', ')}`);
      return false;
    }
    if (fields.length > columns.size) {
      throw malformed(number, `${fields.length} fields in a table of ${columns.size} columns`);
    }
    row ??= new CsvRow({ path, advice, columns, separator: between });
    row.hold(firstLine, fields);
    return true;
  }
  function* rowsOf(bytes: Buffer): Generator<CsvRow> {
    for (let at = 0; at < bytes.length;) {
      number += 1;
      let end: number = row === null || pending !== '' ? -1 : row.scan(number, bytes, at);
      if (end === -1) {
        end = lineEnd(bytes, at);
        if (take(lineText(bytes, at, end)) && row !== null) yield row;
      } else if (row !== null) yield row;
      at = end + 1;
    }
  }
  for await (const bytes of readLineBytes(source)) yield rowsOf(bytes);
  if (pending !== '') throw malformed(firstLine, 'a quote that is not closed');
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
