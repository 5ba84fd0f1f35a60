import type { Side, TimeUnit } from '@deadheat/model';
import { BenchmarkSet } from '../benchmark-set.ts';
import type { ColumnMap, Adapter } from '../adapter.ts';
import { unnamed, type ImportedBenchmark } from '../imported-file.ts';
import { ImportError, malformedText, type TextPlace } from '../import-error.ts';
import { nsPer } from '../../grammar/units.ts';
import { readCsv } from '../text/read-csv.ts';
import { readLines } from '../import-source.ts';

/** A row of any table. */
interface TableRow {
  /** Empty for an empty field. */
  readonly text: (column: string) => string;
  /** A number of at least 0, `null` for an empty field; throws for anything else. */
  readonly amountOrNull: (column: string) => number | null;
  readonly error: (column: string, expected: string) => ImportError;
}

/** Collects the rows of a table whose columns the user named. Without a column of runs the file is one run. */
export class TableReader {
  readonly #columns: ColumnMap;
  readonly #ns: number;
  readonly #set: BenchmarkSet;

  constructor(path: string, { columns, unit }: { readonly columns: ColumnMap; readonly unit: TimeUnit }) {
    this.#set = new BenchmarkSet(path);
    this.#columns = columns;
    this.#ns = nsPer[unit];
  }

  take(row: TableRow): void {
    const { time, run, benchmark, start, invocations } = this.#columns;
    const duration = row.amountOrNull(time);
    if (duration === null) throw row.error(time, 'a time of at least 0');
    const startValue = start === undefined ? null : row.amountOrNull(start);
    if (start !== undefined && startValue === null) throw row.error(start, 'a start of at least 0');
    const count = invocations === undefined ? null : row.amountOrNull(invocations);
    if (invocations !== undefined && count !== null && count < 1) throw row.error(invocations, 'a count of at least 1');
    const name = (benchmark === undefined ? '' : row.text(benchmark)) || unnamed;
    const label = (run === undefined ? '' : row.text(run)) || '0';
    this.#set.run({ name, side: this.#side(row) }, label).push({
      durationNs: duration * this.#ns,
      startNs: startValue === null ? null : startValue * this.#ns,
      invocations: count ?? 1,
    });
  }

  benchmarks(): readonly ImportedBenchmark[] {
    return this.#set.benchmarks();
  }

  #side(row: TableRow): Side | null {
    const { side } = this.#columns;
    if (side === undefined) return null;
    const text = row.text(side);
    if (text !== 'A' && text !== 'B') throw row.error(side, 'A or B');
    return text;
  }
}

function columnsNeeded(path: string, what: string): ImportError {
  return new ImportError('COLUMNS_NEEDED', `${path} is to be read as ${what}`, { path });
}

const csvAdvice = 'Name its columns: time=COLUMN,run=COLUMN,benchmark=COLUMN,side=COLUMN.';

/** Any table of times with a first row that names its columns. */
export const csv: Adapter = {
  id: 'csv',
  describe: 'any CSV, with --columns',
  reads: 'a row is an iteration; columns say its time, and if there are any run, benchmark, side, start, invocations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  detect: () => false,
  read: async (source, { columns, unit }) => {
    const { path } = source;
    if (columns === null) throw columnsNeeded(path, `csv, whose columns are not named. ${csvAdvice}`);
    const table = new TableReader(path, { columns, unit });
    const required = Object.values(columns);
    await readCsv(source, { separator: [',', ';', '\t'], advice: csvAdvice, required }, (row) => table.take(row));
    return { benchmarks: table.benchmarks() };
  },
};

const jsonAdvice = 'Name its keys: time=KEY,run=KEY,benchmark=KEY,side=KEY.';

/** Any text with a JSON object a line. */
export const jsonLines: Adapter = {
  id: 'json-lines',
  describe: 'any JSON lines, with --columns',
  reads: 'a line is an iteration; keys say its time, and if there are any run, benchmark, side, start, invocations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  detect: () => false,
  read: async (source, { columns, unit }) => {
    const { path } = source;
    if (columns === null) throw columnsNeeded(path, `json-lines, whose keys are not named. ${jsonAdvice}`);
    const table = new TableReader(path, { columns, unit });
    for (const { number, text } of await readLines(source)) {
      if (text.trim() !== '') table.take(rowOfJson(text, { path, line: number, column: 1 }));
    }
    return { benchmarks: table.benchmarks() };
  },
};

/** @throws ImportError `MALFORMED_FILE` when the line holds no object */
function rowOfJson(line: string, place: TextPlace): TableRow {
  function fail(what: string): ImportError {
    return malformedText(place, { what, advice: jsonAdvice });
  }
  const row = objectOf(line);
  if (row === null) throw fail('expected a JSON object in this line');
  function valueOf(key: string): unknown {
    return row?.get(key) ?? null;
  }
  function error(key: string, expected: string): ImportError {
    return fail(`key ${key}: expected ${expected}, found ${JSON.stringify(valueOf(key)).slice(0, 40)}`);
  }
  return {
    error,
    text: (key) => {
      const value = valueOf(key) ?? '';
      if (typeof value === 'string') return value;
      if (typeof value !== 'number') throw error(key, 'a text or number');
      return String(value);
    },
    amountOrNull: (key) => {
      const value = valueOf(key);
      if (value === null) return null;
      if (typeof value !== 'number' || !(value >= 0) || value === Infinity) throw error(key, 'a number of at least 0');
      return value;
    },
  };
}

/** The object of a line; `null` when it is none. */
function objectOf(text: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
}
