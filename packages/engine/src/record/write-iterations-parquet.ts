import type { FileHandle } from 'node:fs/promises';
import type { Experiment, Trial } from '@deadheat/model';
import {
  iterationColumns,
  iterationsSchemaName,
  iterationsSchemaVersion,
  metricColumnNames,
  metricsKey,
  schemaKey,
} from './iteration-columns.ts';
import { furtherMetrics, iterationRows } from './iteration-row.ts';
import type { RecordedTrials } from './trial-records.ts';
import { writeParquet } from './parquet-writer.ts';
import { writeAtomically } from './write-atomically.ts';
import { writeFailure } from './write-failure.ts';

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
 * Writes the canonical table of all iterations of the trials that count, by temporary name and rename.
 *
 * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`.
 */
export const writeIterationsParquet = async (path: string, source: IterationsSource): Promise<void> => {
  try {
    await writeAtomically(path, (file) => fillIterationsParquet(file, source));
  } catch (error) {
    throw writeFailure(error, { path, recording: 'untouched' });
  }
};

/** Writes the table into an open, empty file. Errors are the system's own. */
export const fillIterationsParquet = async (
  file: FileHandle,
  { trials, experiment, records }: IterationsSource,
): Promise<void> => {
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
};

function* valueRows(
  { trials, experiment, records }: IterationsSource,
  metrics: readonly string[],
): Generator<readonly (string | number | null)[]> {
  for (const row of iterationRows(trials, { experiment, metrics, records })) {
    yield [...iterationColumns.map(({ field }) => row[field]), ...metrics.map((metric) => row.metrics[metric] ?? null)];
  }
}
