import { methodSchema, paramsSchema, phaseSchema, sideSchema } from '@deadheat/model';
import { openFile, openTable, type RandomAccess, type RowGroup } from '@deadheat/recording';
import type { Adapter, Reading, ReadOptions } from '../adapter.ts';
import { BenchmarkSet, type BenchmarkKey } from '../benchmark-set.ts';
import { ImportError } from '../import-error.ts';
import { readingFailure, type ImportSource } from '../import-source.ts';
import { TableReader } from './tables.ts';

const magic = 'PAR1';
const schemaKey = 'deadheat.schema';
const metricsKey = 'deadheat.metrics';
const schema = 'deadheat.iterations/1';
const advice = 'Expected is a table of iterations as deadheat export parquet writes it, or any table with --columns.';

/** The columns of deadheat's own table that are read; `end_ns`, `cpu`, `experiment` and `suite` are not needed. */
const keyColumns = ['benchmark', 'params', 'method', 'run', 'side', 'phase', 'order'] as const;
const numberColumns = ['iteration', 'start_ns', 'duration_ns', 'invocations'] as const;
/** Columns that not every row has, by the key of the metric. */
const metricColumns = { c: 'cpu_ns', q: 'run_delay_ns', v: 'involuntary_switches' } as const;

/**
 * Parquet: `iterations.parquet` of a recording, which `deadheat export parquet` writes, or any flat table whose columns the user names. Source:
 * docs/formats/recording.md.
 */
export const parquet: Adapter = {
  id: 'parquet',
  describe: 'Parquet: what deadheat export parquet writes, or any with --columns',
  reads:
    "both sides of deadheat's own table, a `run` is a run, with starts, marks of warm-up, CPU time and further metrics; of another table a row is an iteration, as of any CSV",
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  detect: ({ text }) => text.startsWith(magic),
  read: async (source, options) => {
    const file = await openRandomly(source);
    try {
      return await readTable(file, { path: source.path, options });
    } catch (error) {
      if (error instanceof ImportError) throw error;
      const failure = readingFailure(error, source.path);
      if (failure instanceof ImportError) throw failure;
      throw malformed(source.path, error instanceof Error ? error.message : String(error), error);
    } finally {
      await file.close();
    }
  },
};

function malformed(path: string, what: string, cause?: unknown): ImportError {
  const message = `${path} is damaged, or no Parquet that can be read: ${what.replace(/\.$/, '')}. ${advice}`;
  return new ImportError('MALFORMED_FILE', message, { path, cause });
}

async function readTable(
  file: RandomAccess,
  { path, options }: { readonly path: string; readonly options: ReadOptions },
): Promise<Reading> {
  const { metadata, names, groups } = await openTable(file);
  const { columns: asked, unit } = options;
  if (asked === null && metadata.get(schemaKey) !== schema) {
    const what = `${path} is not a table of deadheat (${schemaKey} is ${metadata.get(schemaKey) ?? 'absent'}, not ${schema}), and its columns are not named`;
    const next = `Name those that it has (${names.slice(0, 12).join(', ')}): --columns time=COLUMN,run=COLUMN,benchmark=COLUMN,side=COLUMN.`;
    throw new ImportError('COLUMNS_NEEDED', `${what}. ${next}`, { path });
  }
  const table = asked === null ? null : new TableReader(path, { columns: asked, unit });
  const own = table === null ? new OwnTable(path, metadata.get(metricsKey) ?? '{}') : null;
  const wanted: readonly string[] = asked === null ? (own?.columns ?? []) : Object.values(asked);
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) throw malformed(path, `it lacks the column ${missing.join(', ')}`);
  let rowStart = 0;
  for await (const group of groups(wanted)) {
    own?.take(group);
    if (table !== null) takeRows(table, { group, path, rowStart });
    rowStart += group.rows;
  }
  return { benchmarks: own?.benchmarks() ?? table?.benchmarks() ?? [] };
}

/** A run of a benchmark on a side. */
interface Place {
  readonly key: BenchmarkKey;
  readonly run: string;
  /** Index of the iteration that came last. */
  last: number;
  /** Further runs of the same number so far. */
  copies: number;
}

/** Collects the rows of deadheat's own table. */
class OwnTable {
  readonly columns: readonly string[];
  readonly #path: string;
  readonly #set: BenchmarkSet;
  /** Names of the further metrics, by their columns. */
  readonly #further: readonly (readonly [column: string, metric: string])[];
  readonly #places = new Map<string, Place>();

  constructor(path: string, metrics: string) {
    this.#path = path;
    this.#set = new BenchmarkSet(path);
    const further: unknown = JSON.parse(metrics);
    this.#further = Object.entries(paramsSchema.parse(further));
    this.columns = [
      ...keyColumns,
      ...numberColumns,
      ...Object.values(metricColumns),
      ...this.#further.map(([column]) => column),
    ];
  }

  take({ rows, column }: RowGroup): void {
    const [names = [], params = [], methods = [], runs = [], sides = [], phases = [], orders = []] = keyColumns.map(
      (name) => column(name) ?? [],
    );
    const [indices = [], starts = [], durations = [], invocations = []] = numberColumns.map(
      (name) => column(name) ?? [],
    );
    const metrics = [...Object.entries(metricColumns).map(([key, name]) => [name, key] as const), ...this.#further];
    const metricValues = metrics.map(([name, key]) => ({ key, values: column(name) ?? [] }));
    for (let row = 0; row < rows; row++) {
      const place = this.#placeOf([names, params, methods, sides, runs].map((values) => String(values[row])));
      const index = this.#number(indices[row], 'iteration');
      // A warm-up run has the number of the run behind it.
      if (index <= place.last) place.copies += 1;
      place.last = index;
      const list = this.#set.run(place.key, place.copies === 0 ? place.run : `${place.run} #${place.copies + 1}`);
      const order = orders[row];
      if (order === 'AB' || order === 'BA') list.order = order;
      const count = this.#number(invocations[row], 'invocations');
      list.push({
        durationNs: this.#number(durations[row], 'duration_ns'),
        startNs: this.#number(starts[row], 'start_ns'),
        invocations: count >= 1 ? count : 1,
        warmup: phaseSchema.parse(phases[row]) === 'warmup',
      });
      list.markPhases();
      for (const { key: metric, values } of metricValues) {
        const value = values[row];
        if (value !== null && value !== undefined) list.setMetric(metric, Number(value));
      }
    }
  }

  /** Runs that are nothing but warm-up are left out. */
  benchmarks(): Reading['benchmarks'] {
    return this.#set
      .benchmarks()
      .map((one) => ({ ...one, runs: one.runs.filter(({ iterations }) => iterations.measured > 0) }));
  }

  #placeOf(parts: readonly string[]): Place {
    const id = parts.join('\n');
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const [name = '', params = '', method, side, run = ''] = parts;
    const key: BenchmarkKey = {
      name,
      params: paramsSchema.parse(JSON.parse(params)),
      method: methodSchema.parse(method),
      side: sideSchema.parse(side),
    };
    const place: Place = { key, run, last: -1, copies: 0 };
    this.#places.set(id, place);
    return place;
  }

  #number(value: unknown, column: string): number {
    const number = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
    if (number >= 0 && number < Infinity) return number;
    throw malformed(this.#path, `column ${column} holds ${String(value)}, and not a number of at least 0`);
  }
}

/** Takes the rows of any table. */
function takeRows(
  table: TableReader,
  { group, path, rowStart }: { readonly group: RowGroup; readonly path: string; readonly rowStart: number },
): void {
  let row = 0;
  function valueOf(name: string): unknown {
    return group.column(name)?.[row] ?? null;
  }
  function error(name: string, expected: string): ImportError {
    const found = String(valueOf(name)).slice(0, 40);
    const what = `row ${rowStart + row + 1}, column ${name}: expected ${expected}, found ${found}`;
    return new ImportError('MALFORMED_FILE', `${path}: ${what}. ${advice}`, { path, line: rowStart + row + 1 });
  }
  const reader = {
    error,
    text: (name: string): string => {
      const value = valueOf(name) ?? '';
      if (typeof value === 'string') return value;
      if (typeof value === 'number' || typeof value === 'bigint') return String(value);
      throw error(name, 'a text or number');
    },
    amountOrNull: (name: string): number | null => {
      const value = valueOf(name);
      if (value === null) return null;
      const number = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
      if (!(number >= 0) || number === Infinity) throw error(name, 'a number of at least 0');
      return number;
    },
  };
  for (; row < group.rows; row++) table.take(reader);
}

/** The file on disk, or, where it is packed, its content in memory. */
async function openRandomly(source: ImportSource): Promise<RandomAccess> {
  const { path, file } = source;
  const found = file === undefined ? null : await openPlain(file, path);
  if (found !== null) return found;
  const bytes = new Uint8Array(await source.bytes());
  return {
    byteLength: bytes.length,
    slice: (start, end) => Promise.resolve(bytes.slice(start, end).buffer),
    close: () => Promise.resolve(),
  };
}

/** `null` = it is packed. */
async function openPlain(file: string, path: string): Promise<RandomAccess | null> {
  try {
    const opened = await openFile(file);
    if (Buffer.from(await opened.slice(0, magic.length)).toString('latin1') === magic) return opened;
    await opened.close();
    return null;
  } catch (error) {
    throw readingFailure(error, path);
  }
}
