import type { FileHandle } from 'node:fs/promises';
import type { Experiment, Trial } from '@deadheat/model';
import { furtherMetrics, iterationRows, type IterationRow } from './iteration-row.ts';
import type { RecordedTrials } from './trial-records.ts';
import { writeParquet, type ParquetColumn } from './parquet.ts';
import { writeNamedFile } from './durable-files.ts';

/** Large enough that the dictionary of a text column costs little, small enough to be held in a few megabytes. */
const rowsPerGroup = 20_000;

/** The source of the table. `trials` is iterated twice. */
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
export const schemaKey = 'deadheat.schema';
/** Key of the file's metadata that holds a JSON object from column names to names of further metrics. */
export const metricsKey = 'deadheat.metrics';
export const iterationsSchemaName = 'deadheat.iterations';
export const iterationsSchemaVersion = 1;
