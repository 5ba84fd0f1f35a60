import { join } from 'node:path';
import { paramsSchema, recordingFiles, type Method, type Params, type Side, type Trial } from '@deadheat/model';
import { isCounted } from './iteration-row.ts';
import {
  iterationColumns,
  iterationsSchemaName,
  iterationsSchemaVersion,
  metricsKey,
  schemaKey,
} from './iterations-parquet.ts';
import { journalTrials } from './journal.ts';
import { supportedMajor } from './read-recording.ts';
import { readFailure, RecordError, systemErrorCode } from './record-error.ts';
import { openFile, openTable, type RowGroup } from './parquet.ts';

/** Consecutive rows of a table of iterations. */
export interface IterationGroup {
  readonly rows: number;
  /** @throws RecordError `MALFORMED` where the table lacks the column */
  readonly column: (name: string) => ArrayLike<unknown>;
  /** Columns of further metrics, and the metrics. */
  readonly metrics: readonly (readonly [column: string, metric: string])[];
}

/**
 * Reads a table of iterations, a row group at a time.
 *
 * @param unread columns that are left out
 * @throws RecordError `NOT_FOUND`, `NEWER_VERSION`, `MALFORMED`, `NOT_READABLE` or `IO`
 */
export async function* iterationGroups(
  path: string,
  unread: ReadonlySet<string> = new Set(),
): AsyncGenerator<IterationGroup> {
  const file = await openFile(path).catch((error: unknown) => {
    throw readFailure(error, path);
  });
  try {
    const { metadata, names, groups } = await openTable(file);
    const version = { path, name: iterationsSchemaName, supported: iterationsSchemaVersion };
    if (supportedMajor(metadata.get(schemaKey), version) === null) {
      throw unusable(
        path,
        `its metadata does not say ${schemaKey} = ${iterationsSchemaName}/${iterationsSchemaVersion}`,
      );
    }
    const missing = iterationColumns.find(({ name }) => !names.includes(name) && !unread.has(name));
    if (missing !== undefined) throw unusable(path, `it has no column ${missing.name}`);
    const metrics = Object.entries(JSON.parse(metadata.get(metricsKey) ?? '{}') as Record<string, string>);
    for await (const group of groups(names.filter((name) => !unread.has(name)))) {
      yield { rows: group.rows, metrics, column: (name) => columnOf(group, { name, path }) };
    }
  } catch (error) {
    if (error instanceof RecordError) throw error;
    if (systemErrorCode(error) !== null) throw readFailure(error, path);
    throw unusable(path, error instanceof Error ? error.message : String(error), error);
  } finally {
    await file.close();
  }
}

function columnOf(
  group: RowGroup,
  { name, path }: { readonly name: string; readonly path: string },
): ArrayLike<unknown> {
  const column = group.column(name);
  if (column === null) throw unusable(path, `it has no column ${name}`);
  return column;
}

function unusable(path: string, reason: string, cause?: unknown): RecordError {
  return new RecordError(
    'MALFORMED',
    `${path} is not a table of iterations: ${reason}. Remove it; it is rebuilt from the journal when the recording is ` +
      `finished again.`,
    { path, ...(cause === undefined ? {} : { cause }) },
  );
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
const determined: ReadonlySet<string> = new Set(['experiment', 'suite', 'end_ns', 'order', 'cpu']);
/** Columns whose values are the same in all rows of a chunk. */
const keyColumns = ['side', 'benchmark', 'params', 'method', 'run', 'phase'] as const;

/**
 * Reads the table of iterations of a recording, a row group at a time, whatever its size. The table lists the trials that
 * count in the order of the journal, A before B, and has no column for the trial: a row of A behind one of B is of the next.
 *
 * @throws RecordError as `iterationGroups`, and `MALFORMED` where the table does not fit the journal; as `journalTrials`
 */
export async function* iterationChunks(directory: string): AsyncGenerator<IterationChunk, undefined> {
  const path = join(directory, recordingFiles.iterations);
  const trials = countedTrials(directory);
  let trial: CountedTrial | null = null;
  let lastSide = 'B';
  try {
    for await (const group of iterationGroups(path, determined)) {
      const rows = new Rows(group, path);
      for (let from = 0; from < group.rows;) {
        const side = rows.side(from);
        if (trial === null || (side === 'A' && lastSide === 'B')) {
          const { value, done } = trials.next();
          if (done === true) throw unusable(path, 'it has more runs than the journal');
          trial = value;
        }
        lastSide = side;
        const to = rows.endOfChunk(from);
        yield rows.chunk(trial, { from, to });
        from = to;
      }
    }
  } catch (cause) {
    if (cause instanceof RecordError) throw cause;
    throw unusable(path, cause instanceof Error ? cause.message : String(cause), cause);
  } finally {
    trials.return(undefined);
  }
  return undefined;
}

class Rows {
  readonly #group: IterationGroup;
  readonly #path: string;
  readonly #keys: readonly ArrayLike<unknown>[];
  readonly #iteration: ArrayLike<unknown>;
  readonly #sides: ArrayLike<unknown>;

  constructor(group: IterationGroup, path: string) {
    this.#group = group;
    this.#path = path;
    this.#keys = keyColumns.map((name) => group.column(name));
    this.#iteration = group.column('iteration');
    this.#sides = group.column('side');
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
    const { column, metrics } = this.#group;
    const at = (name: string): unknown => column(name)[from];
    if (at('method') !== method || Number(at('run')) !== run) {
      const found = String(at('run'));
      throw unusable(this.#path, `row ${from} of a group is of run ${found}, where the journal has run ${run}`);
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
      startNs: whole(column('start_ns'), from, to),
      durationNs: whole(column('duration_ns'), from, to),
      invocations: whole(column('invocations'), from, to),
      cpuNs: numbers(column('cpu_ns'), from, to),
      runDelayNs: numbers(column('run_delay_ns'), from, to),
      involuntarySwitches: numbers(column('involuntary_switches'), from, to),
      metrics: Object.fromEntries(
        metrics.flatMap(([name, metric]) => {
          const values = numbers(column(name), from, to);
          return values === null ? [] : [[metric, values]];
        }),
      ),
    };
  }

  #belongs(row: number, from: number): boolean {
    return this.#keys.every((column) => column[row] === column[from]);
  }
}

function numbers(column: ArrayLike<unknown>, from: number, to: number): Float64Array | null {
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

function whole(column: ArrayLike<unknown>, from: number, to: number): BigInt64Array {
  if (column instanceof BigInt64Array) return column.slice(from, to);
  const values = new BigInt64Array(to - from);
  for (let row = from; row < to; row += 1) values[row - from] = BigInt(column[row] as bigint | number);
  return values;
}

function* countedTrials(directory: string): Generator<CountedTrial, undefined> {
  for (const trial of journalTrials(directory)) if (isCounted(trial)) yield trial;
  return undefined;
}
