import { methodSchema, phaseSchema, sideSchema, trialSchema } from '@deadheat/model';
import { iterationsSchemaName, iterationsSchemaVersion, metricsKey, schemaKey } from './iteration-columns.ts';
import type { IterationRow } from './iteration-row.ts';
import { readParquet, type ParquetContent } from './parquet-reader.ts';
import { readFailure } from './read-failure.ts';
import { RecordError } from './record-error.ts';
import { supportedMajor } from './schema-version.ts';
import { systemErrorCode } from './system-error.ts';

/**
 * Reads `iterations.parquet` back into rows.
 *
 * @throws RecordError `NOT_FOUND`, `NEWER_VERSION`, `MALFORMED`, `NOT_READABLE` or `IO`.
 */
export const readIterationsParquet = async (path: string): Promise<readonly IterationRow[]> => {
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
};

const readContent = async (path: string): Promise<ParquetContent> => {
  try {
    return await readParquet(path);
  } catch (error) {
    if (systemErrorCode(error) !== null) throw readFailure(error, path);
    throw unusable(path, error instanceof Error ? error.message : String(error), error);
  }
};

const unusable = (path: string, reason: string, cause?: unknown): RecordError =>
  new RecordError(
    'MALFORMED',
    `${path} is not a table of iterations: ${reason}. Remove it; it is rebuilt from the journal when the recording is ` +
      `finished again.`,
    { path, ...(cause === undefined ? {} : { cause }) },
  );

const metricColumns = (text = '{}'): readonly (readonly [column: string, metric: string])[] => {
  const names: unknown = JSON.parse(text);
  return typeof names === 'object' && names !== null
    ? Object.entries(names).map(([column, metric]) => [column, String(metric)])
    : [];
};

const toRow = (
  row: Readonly<Record<string, unknown>>,
  metrics: readonly (readonly [column: string, metric: string])[],
): IterationRow => ({
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
});

const textIn = (row: Readonly<Record<string, unknown>>, column: string): string => {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`column ${column} holds no text`);
};

const numberIn = (row: Readonly<Record<string, unknown>>, column: string): number => {
  const value = numberOrNull(row, column);
  if (value !== null) return value;
  throw new TypeError(`column ${column} lacks a number`);
};

const numberOrNull = (row: Readonly<Record<string, unknown>>, column: string): number | null => {
  const value = row[column];
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw new TypeError(`column ${column} holds no number`);
};
