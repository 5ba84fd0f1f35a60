import { type FileHandle, open } from 'node:fs/promises';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { type Experiment, type Trial, methodSchema, phaseSchema, sideSchema, trialSchema } from '@deadheat/model';
import { furtherMetrics, iterationRows, type IterationRow } from './iteration-row.ts';
import type { RecordedTrials } from './trial-records.ts';
import { writeParquet, type ParquetColumn } from './parquet-writer.ts';
import { writeNamedFile } from './durable-files.ts';
import { readFailure, RecordError, systemErrorCode } from './record-error.ts';
import { supportedMajor } from './read-recording.ts';

/** Large enough that the dictionary of a text column costs little, small enough to be held in a few megabytes. */
const rowsPerGroup = 20_000;

/** What the table is made from. `trials` is gone through twice. */
export interface IterationsSource {
  readonly trials: Iterable<Trial>;
  readonly experiment: Experiment;
  /** Iterations that programs recorded themselves. */
  readonly records: RecordedTrials;
}

/**
 * Writes the canonical table of all iterations of the trials that count, as {@link writeNamedFile} does.
 *
 * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`.
 */
export async function writeIterationsParquet(path: string, source: IterationsSource): Promise<void> {
  await writeNamedFile(path, (file) => fillIterationsParquet(file, source));
}

/** Writes the table into an open, empty file. Errors are the system's own. */
export async function fillIterationsParquet(
  file: FileHandle,
  { trials, experiment, records }: IterationsSource,
): Promise<void> {
  const metrics = furtherMetrics(trials, records);
  const names = metricColumnNames(metrics);
  await writeParquet({
    columns: [...iterationColumns, ...names.map((name) => ({ name, type: 'double', nullable: true }) as const)],
    rows: valueRows({ trials, experiment, records }, metrics),
    rowsPerGroup,
    metadata: {
      [schemaKey]: `${iterationsSchemaName}/${iterationsSchemaVersion}`,
      [metricsKey]: JSON.stringify(Object.fromEntries(names.map((name, index) => [name, metrics[index]]))),
    },
    write: (chunk) => file.writeFile(chunk),
  });
}

function* valueRows(
  { trials, experiment, records }: IterationsSource,
  metrics: readonly string[],
): Generator<readonly (string | number | null)[]> {
  for (const row of iterationRows(trials, { experiment, metrics, records })) {
    yield [...iterationColumns.map(({ field }) => row[field]), ...metrics.map((metric) => row.metrics[metric] ?? null)];
  }
}

/** A column of `iterations.parquet` and the field of a row that it holds. */
interface IterationColumn extends ParquetColumn {
  readonly field: Exclude<keyof IterationRow, 'metrics'>;
}

function text(name: string, field: IterationColumn['field']): IterationColumn {
  return {
    name,
    field,
    type: 'text',
    nullable: false,
  };
}
function whole(name: string, field: IterationColumn['field'], type: 'int32' | 'int64'): IterationColumn {
  return {
    name,
    field,
    type,
    nullable: false,
  };
}

/** The columns that every `iterations.parquet` has, in their order. Further metrics follow as doubles. */
export const iterationColumns: readonly IterationColumn[] = [
  text('experiment', 'experiment'),
  text('suite', 'suite'),
  text('benchmark', 'benchmark'),
  text('params', 'params'),
  text('method', 'method'),
  whole('run', 'run', 'int32'),
  text('side', 'side'),
  text('order', 'order'),
  whole('cpu', 'cpu', 'int32'),
  whole('iteration', 'iteration', 'int32'),
  text('phase', 'phase'),
  whole('start_ns', 'startNs', 'int64'),
  whole('end_ns', 'endNs', 'int64'),
  whole('duration_ns', 'durationNs', 'int64'),
  whole('invocations', 'invocations', 'int64'),
  { name: 'cpu_ns', field: 'cpuNs', type: 'int64', nullable: true },
  { name: 'run_delay_ns', field: 'runDelayNs', type: 'int64', nullable: true },
  { name: 'involuntary_switches', field: 'involuntarySwitches', type: 'int64', nullable: true },
];

/**
 * Column names of further metrics, in the same order: the metric's own name, with `metric_` before it as often as it
 * takes to differ from all others (compared without case, as SQL engines do).
 */
export function metricColumnNames(metrics: readonly string[]): readonly string[] {
  const taken = new Set(iterationColumns.map(({ name }) => name));
  return metrics.map((metric) => {
    let name = metric;
    while (taken.has(name.toLowerCase())) name = `metric_${name}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** Key of the file's metadata that holds the format's name and version. */
const schemaKey = 'deadheat.schema';
/** Key of the file's metadata that holds a JSON object from column names to names of further metrics. */
const metricsKey = 'deadheat.metrics';
const iterationsSchemaName = 'deadheat.iterations';
const iterationsSchemaVersion = 1;

/**
 * Reads `iterations.parquet` back into rows.
 *
 * @throws RecordError `NOT_FOUND`, `NEWER_VERSION`, `MALFORMED`, `NOT_READABLE` or `IO`.
 */
export async function readIterationsParquet(path: string): Promise<readonly IterationRow[]> {
  const { metadata, rows } = await readContent(path);
  const version = { path, name: iterationsSchemaName, supported: iterationsSchemaVersion };
  if (supportedMajor(metadata[schemaKey], version) === null) {
    throw unusable(path, `its metadata does not say ${schemaKey} = ${iterationsSchemaName}/${iterationsSchemaVersion}`);
  }
  try {
    const metrics = metricColumns(metadata[metricsKey]);
    return rows.map((row) => toRow(row, metrics));
  } catch (cause) {
    throw unusable(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

async function readContent(path: string): Promise<ParquetContent> {
  try {
    return await readParquet(path);
  } catch (error) {
    if (systemErrorCode(error) !== null) throw readFailure(error, path);
    throw unusable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function unusable(path: string, reason: string, cause?: unknown): RecordError {
  return new RecordError(
    'MALFORMED',
    `${path} is not a table of iterations: ${reason}. Remove it; it is rebuilt from the journal when the recording is ` +
      `finished again.`,
    { path, ...(cause === undefined ? {} : { cause }) },
  );
}

function metricColumns(text = '{}'): readonly (readonly [column: string, metric: string])[] {
  const names: unknown = JSON.parse(text);
  return typeof names === 'object' && names !== null
    ? Object.entries(names).map(([column, metric]) => [column, String(metric)])
    : [];
}

function toRow(
  row: Readonly<Record<string, unknown>>,
  metrics: readonly (readonly [column: string, metric: string])[],
): IterationRow {
  return {
    experiment: textIn(row, 'experiment'),
    suite: textIn(row, 'suite'),
    benchmark: textIn(row, 'benchmark'),
    params: textIn(row, 'params'),
    method: methodSchema.parse(row['method']),
    run: numberIn(row, 'run'),
    side: sideSchema.parse(row['side']),
    order: trialSchema.shape.order.parse(row['order']),
    cpu: numberIn(row, 'cpu'),
    iteration: numberIn(row, 'iteration'),
    phase: phaseSchema.parse(row['phase']),
    startNs: numberIn(row, 'start_ns'),
    endNs: numberIn(row, 'end_ns'),
    durationNs: numberIn(row, 'duration_ns'),
    invocations: numberIn(row, 'invocations'),
    cpuNs: numberOrNull(row, 'cpu_ns'),
    runDelayNs: numberOrNull(row, 'run_delay_ns'),
    involuntarySwitches: numberOrNull(row, 'involuntary_switches'),
    metrics: Object.fromEntries(metrics.map(([column, metric]) => [metric, numberOrNull(row, column)])),
  };
}

function textIn(row: Readonly<Record<string, unknown>>, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`column ${column} holds no text`);
}

function numberIn(row: Readonly<Record<string, unknown>>, column: string): number {
  const value = numberOrNull(row, column);
  if (value !== null) return value;
  throw new TypeError(`column ${column} lacks a number`);
}

function numberOrNull(row: Readonly<Record<string, unknown>>, column: string): number | null {
  const value = row[column];
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw new TypeError(`column ${column} holds no number`);
}

/** A Parquet file read whole. */
interface ParquetContent {
  /** Key-value metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Rows by column name, as the library decodes them. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Reads a Parquet file. The only user of hyparquet. Errors are the system's or the library's own. */
async function readParquet(path: string): Promise<ParquetContent> {
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
    return { metadata, rows: await parquetReadObjects({ file, metadata: footer }) };
  } finally {
    await handle.close();
  }
}
