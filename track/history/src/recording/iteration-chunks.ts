import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadataAsync, parquetRead, type DecodedArray } from 'hyparquet';
import { paramsSchema, recordingFiles, type Method, type Params, type Side, type Trial } from '@deadheat/model';
import { HistoryError } from '../history-error.ts';
import { journalTrials } from './journal-trials.ts';
import type { RunColumns } from '../history.ts';

/** Some consecutive rows of a Parquet file, column by column. */
interface RowGroup {
  readonly rows: number;
  /** Key-value metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Values of a column; `null` = the file has no such column. */
  readonly column: (name: string) => DecodedArray | null;
}

/** Reads a Parquet file, one row group at a time; the columns that `wants` refuses are not read. The only user of hyparquet. */
async function* readRowGroups(
  path: string,
  { wants = () => true }: { readonly wants?: (column: string) => boolean } = {},
): AsyncGenerator<RowGroup> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const file = {
      byteLength: size,
      slice: async (start: number, end: number = size): Promise<ArrayBuffer> => {
        const chunk = new ArrayBuffer(Math.max(0, end - start));
        await handle.read(new Uint8Array(chunk), 0, chunk.byteLength, start);
        return chunk;
      },
    };
    const footer = await parquetMetadataAsync(file);
    const metadata = Object.fromEntries((footer.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? '']));
    const columns = footer.schema
      .slice(1)
      .map(({ name }) => name)
      .filter(wants);
    let rowStart = 0;
    for (const { num_rows } of footer.row_groups) {
      const rows = Number(num_rows);
      const rowEnd = rowStart + rows;
      const pieces = new Map<string, { readonly at: number; readonly data: DecodedArray }[]>();
      await parquetRead({
        file,
        metadata: footer,
        columns,
        rowStart,
        rowEnd,
        onChunk: ({ columnName, columnData, rowStart: at }) => {
          const found = pieces.get(columnName);
          if (found === undefined) pieces.set(columnName, [{ at, data: columnData }]);
          else found.push({ at, data: columnData });
        },
      });
      const joined = new Map([...pieces].map(([name, parts]) => [name, concatenate(parts)]));
      yield { rows, metadata, column: (name) => joined.get(name) ?? null };
      rowStart = rowEnd;
    }
  } finally {
    await handle.close();
  }
}

/** Joins the pages of a column to one array. */
function concatenate(parts: readonly { readonly at: number; readonly data: DecodedArray }[]): DecodedArray {
  const [only, ...more] = parts.toSorted((a, b) => a.at - b.at);
  if (only === undefined) return [];
  if (more.length === 0) return only.data;
  const all: unknown[] = [];
  for (const { data } of [only, ...more]) for (const value of data) all.push(value);
  return all;
}

/** Iterations of one benchmark on one side of one run that are consecutive and of one phase. */
export interface IterationChunk {
  readonly trial: number;
  readonly benchmark: string;
  readonly params: Params;
  readonly method: Method;
  readonly run: number;
  readonly side: Side;
  readonly isWarmup: boolean;
  /** Index of the first iteration; each further one is 1 more. */
  readonly firstIteration: number;
  readonly startNs: BigInt64Array;
  readonly durationNs: BigInt64Array;
  readonly invocations: BigInt64Array;
  /** NaN = not measured; `null` = none of them. */
  readonly cpuNs: Float64Array | null;
  readonly runDelayNs: Float64Array | null;
  readonly involuntarySwitches: Float64Array | null;
  readonly metrics: Readonly<Record<string, Float64Array>>;
}

/** Fields of a trial's line beside its iterations. */
type CountedTrial = Pick<Trial, 'trial' | 'method' | 'run'>;

/** Longest chunk in iterations: 8192 iterations are 64 KB for each column. */
const longestChunk = 8192;

/** Columns that are not read because the other columns determine them. */
const unread: ReadonlySet<string> = new Set(['experiment', 'suite', 'end_ns', 'order', 'cpu']);
const known: ReadonlySet<string> = new Set([
  'benchmark',
  'params',
  'method',
  'run',
  'side',
  'iteration',
  'phase',
  'start_ns',
  'duration_ns',
  'invocations',
  'cpu_ns',
  'run_delay_ns',
  'involuntary_switches',
]);
const schemaName = 'deadheat.iterations/1';

/**
 * Reads the table of iterations of a recording, a row group at a time, whatever its size. The table lists the trials that
 * count in the order of the journal, A before B, and has no column for the trial: a row of A behind one of B is of the next.
 *
 * @throws HistoryError `MALFORMED_RECORDING` where it does not fit the journal, or is of another version
 */
export async function* iterationChunks(directory: string): AsyncGenerator<IterationChunk> {
  const path = join(directory, recordingFiles.iterations);
  const trials = countedTrials(directory);
  let trial: CountedTrial | null = null;
  let lastSide = 'B';

  async function nextTrial(): Promise<CountedTrial> {
    const { value, done } = await trials.next();
    if (done === true) throw unfit(path, 'it has more runs than the journal');
    return value;
  }

  try {
    for await (const group of readRowGroups(path, { wants: (name) => !unread.has(name) })) {
      const rows = new Rows(group, path);
      let from = 0;
      while (from < group.rows) {
        const side = rows.side(from);
        if (trial === null || (side === 'A' && lastSide === 'B')) trial = await nextTrial();
        lastSide = side;
        const to = rows.endOfChunk(from);
        yield rows.chunk(trial, { from, to });
        from = to;
      }
    }
  } catch (cause) {
    if (cause instanceof HistoryError) throw cause;
    throw unfit(path, cause instanceof Error ? cause.message : String(cause), cause);
  } finally {
    await trials.return(undefined);
  }
}

class Rows {
  readonly #group: RowGroup;
  readonly #path: string;
  readonly #keys: readonly ArrayLike<unknown>[];
  readonly #iteration: ArrayLike<unknown>;
  readonly #sides: ArrayLike<unknown>;
  readonly #furtherMetrics: readonly (readonly [column: string, metric: string])[];

  constructor(group: RowGroup, path: string) {
    this.#group = group;
    this.#path = path;
    if (group.metadata['deadheat.schema'] !== schemaName) {
      throw unfit(path, `its metadata says ${group.metadata['deadheat.schema'] ?? 'nothing'}, and not ${schemaName}`);
    }
    this.#keys = ['side', 'benchmark', 'params', 'method', 'run', 'phase'].map((name) => this.#column(name));
    this.#iteration = this.#column('iteration');
    this.#sides = this.#column('side');
    const names: unknown = JSON.parse(group.metadata['deadheat.metrics'] ?? '{}');
    this.#furtherMetrics = Object.entries(names as Record<string, string>).filter(([column]) => !known.has(column));
  }

  side(row: number): Side {
    return this.#sides[row] as Side;
  }

  /** The row behind the last one that belongs to the chunk that begins at `from`. */
  endOfChunk(from: number): number {
    const end = Math.min(this.#group.rows, from + longestChunk);
    const first = Number(this.#iteration[from]);
    let to = from + 1;
    while (to < end && this.#belongs(to, from) && Number(this.#iteration[to]) === first + to - from) to += 1;
    return to;
  }

  chunk(
    { trial, method, run }: CountedTrial,
    { from, to }: { readonly from: number; readonly to: number },
  ): IterationChunk {
    const at = (name: string): unknown => this.#column(name)[from];
    if (at('method') !== method || Number(at('run')) !== run) {
      throw unfit(
        this.#path,
        `row ${from} of a group is of run ${String(at('run'))}, where the journal has run ${run}`,
      );
    }
    return {
      trial,
      benchmark: String(at('benchmark')),
      params: paramsSchema.parse(JSON.parse(String(at('params')))),
      method,
      run,
      side: this.side(from),
      isWarmup: at('phase') === 'warmup',
      firstIteration: Number(this.#iteration[from]),
      startNs: whole(this.#column('start_ns'), from, to),
      durationNs: whole(this.#column('duration_ns'), from, to),
      invocations: whole(this.#column('invocations'), from, to),
      cpuNs: this.#numbers('cpu_ns', from, to),
      runDelayNs: this.#numbers('run_delay_ns', from, to),
      involuntarySwitches: this.#numbers('involuntary_switches', from, to),
      metrics: Object.fromEntries(
        this.#furtherMetrics.flatMap(([column, metric]) => {
          const values = this.#numbers(column, from, to);
          return values === null ? [] : [[metric, values]];
        }),
      ),
    };
  }

  #belongs(row: number, from: number): boolean {
    return this.#keys.every((column) => column[row] === column[from]);
  }

  #column(name: string): ArrayLike<unknown> {
    const column = this.#group.column(name);
    if (column === null) throw unfit(this.#path, `it has no column ${name}`);
    return column;
  }

  #numbers(name: string, from: number, to: number): Float64Array | null {
    const column = this.#group.column(name);
    if (column === null) return null;
    const values = new Float64Array(to - from);
    let measured = 0;
    for (let row = from; row < to; row += 1) {
      const value: unknown = column[row];
      const isMissing = value === null || value === undefined;
      values[row - from] = isMissing ? Number.NaN : Number(value);
      if (!isMissing) measured += 1;
    }
    return measured === 0 ? null : values;
  }
}

function whole(column: ArrayLike<unknown>, from: number, to: number): BigInt64Array {
  if (column instanceof BigInt64Array) return column.slice(from, to);
  const values = new BigInt64Array(to - from);
  for (let row = from; row < to; row += 1) values[row - from] = BigInt(column[row] as bigint | number);
  return values;
}

/** Trials that count, in the journal's order: the table has neither failed runs nor pilot runs. */
async function* countedTrials(directory: string): AsyncGenerator<CountedTrial, undefined> {
  for await (const trial of journalTrials(directory)) {
    if (trial.status === 'ok' && trial.phase !== 'pilot') yield trial;
  }
  return undefined;
}

function unfit(path: string, why: string, cause?: unknown): HistoryError {
  return new HistoryError(
    'MALFORMED_RECORDING',
    `${path} cannot be taken: ${why}. Remove iterations.parquet; it is made anew when the recording is pushed.`,
    { cause },
  );
}

/** Chunks put together: one entry for each benchmark, side and trial, in the order in which they came. */
export function runColumns(chunks: readonly IterationChunk[]): readonly RunColumns[] {
  const groups = new Map<string, IterationChunk[]>();
  for (const chunk of chunks) {
    const key = JSON.stringify([chunk.trial, chunk.side, chunk.benchmark, chunk.params]);
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [chunk]);
    else found.push(chunk);
  }
  return [...groups.values()].map(joinChunks);
}

function joinChunks(chunks: readonly IterationChunk[]): RunColumns {
  const length = chunks.reduce((sum, { startNs }) => sum + startNs.length, 0);

  function fill(values: (chunk: IterationChunk) => ArrayLike<number | bigint> | null): Float64Array {
    const column = new Float64Array(length).fill(Number.NaN);
    let at = 0;
    for (const chunk of chunks) {
      const from = values(chunk);
      if (from !== null) for (let k = 0; k < from.length; k += 1) column[at + k] = Number(from[k]);
      at += chunk.startNs.length;
    }
    return column;
  }

  const { trial, benchmark, params, method, run, side } = chunks[0] as IterationChunk;
  const metrics = new Set(chunks.flatMap((chunk) => Object.keys(chunk.metrics)));
  return {
    trial,
    benchmark,
    params,
    method,
    run,
    side,
    iteration: fill(({ firstIteration, startNs }) => Float64Array.from(startNs, (_, k) => firstIteration + k)),
    isWarmup: Uint8Array.from(fill(({ isWarmup, startNs }) => new Float64Array(startNs.length).fill(isWarmup ? 1 : 0))),
    startNs: fill(({ startNs }) => startNs),
    durationNs: fill(({ durationNs }) => durationNs),
    invocations: fill(({ invocations }) => invocations),
    cpuNs: fill(({ cpuNs }) => cpuNs),
    runDelayNs: fill(({ runDelayNs }) => runDelayNs),
    involuntarySwitches: fill(({ involuntarySwitches }) => involuntarySwitches),
    metrics: Object.fromEntries(
      [...metrics].toSorted().map((name) => [name, fill((chunk) => chunk.metrics[name] ?? null)]),
    ),
  };
}
