import type { IterationRow } from './iteration-row.ts';
import type { ParquetColumn } from './parquet-writer.ts';

/** A column of `iterations.parquet` and the field of a row that it holds. */
export interface IterationColumn extends ParquetColumn {
  readonly field: Exclude<keyof IterationRow, 'metrics'>;
}

const text = (name: string, field: IterationColumn['field']): IterationColumn => ({
  name,
  field,
  type: 'text',
  nullable: false,
});
const whole = (name: string, field: IterationColumn['field'], type: 'int32' | 'int64'): IterationColumn => ({
  name,
  field,
  type,
  nullable: false,
});

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
export const metricColumnNames = (metrics: readonly string[]): readonly string[] => {
  const taken = new Set(iterationColumns.map(({ name }) => name));
  return metrics.map((metric) => {
    let name = metric;
    while (taken.has(name.toLowerCase())) name = `metric_${name}`;
    taken.add(name.toLowerCase());
    return name;
  });
};

/** Key of the file's metadata that holds the format's name and version. */
export const schemaKey = 'deadheat.schema';
/** Key of the file's metadata that holds a JSON object from column names to names of further metrics. */
export const metricsKey = 'deadheat.metrics';
export const iterationsSchemaName = 'deadheat.iterations';
export const iterationsSchemaVersion = 1;
