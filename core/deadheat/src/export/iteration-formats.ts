import {
  furtherMetrics,
  iterationColumns,
  iterationRows,
  metricColumnNames,
  writeIterationsParquet,
  type IterationRow,
} from '@deadheat/recording';
import { methodFacts, type Trial } from '@deadheat/model';
import { csvRows } from '@deadheat/report';
import type { ExportFormat, ExportSource } from './export-format.ts';

/** The further metrics of a recording and its iterations, row by row. */
export interface CountedRows {
  readonly metrics: readonly string[];
  readonly rows: Iterable<IterationRow>;
}

/** Iterations of the runs that count, those of warm-up runs only with `warmupRuns`; of pilot runs none. */
export function countedRows(
  { recording: { experiment, trials }, records }: ExportSource,
  { warmupRuns }: { readonly warmupRuns: boolean },
): CountedRows {
  const counted: readonly Trial[] = warmupRuns ? trials : trials.filter(({ phase }) => phase === 'measure');
  const metrics = furtherMetrics(counted, records);
  return { metrics, rows: iterationRows(counted, { experiment, metrics, records }) };
}

/** Loss of tandems in a format that has wall times alone, or has them first; empty without tandems. */
export function tandemLosses({ recording: { trials } }: ExportSource, remedy: string): readonly string[] {
  const hasTandem = trials.some(({ method, phase }) => methodFacts[method].ownTime === 'cpu' && phase === 'measure');
  return hasTandem ? [`the wall time of a side in a tandem is that of both sides: ${remedy}`] : [];
}

/** The time of a side, ns: of a tandem CPU time, as far as it was measured. */
export function timeOfSide({ method, durationNs, cpuNs }: IterationRow): number {
  return methodFacts[method].ownTime === 'cpu' ? (cpuNs ?? durationNs) : durationNs;
}

/** Every iteration a row, with the columns of `iterations.parquet`; what is not known is empty. */
export const csv: ExportFormat = {
  id: 'csv',
  describe: 'a CSV table with one row for each iteration',
  needsFile: false,
  ofReport: null,
  make: async (source) => ({
    content: { kind: 'text', pieces: pieces(countedRows(source, { warmupRuns: true })) },
    losses: [
      'CSV holds the iterations only: settings, ratio, interval and verdict are left out',
      ...tandemLosses(source, 'compare cpu_ns, not duration_ns'),
    ],
  }),
};

function* pieces({ metrics, rows }: CountedRows): Generator<string> {
  yield csvRows([[...iterationColumns.map(({ name }) => name), ...metricColumnNames(metrics)]]);
  for (const row of rows) {
    yield csvRows([
      [...iterationColumns.map(({ field }) => row[field]), ...metrics.map((metric) => row.metrics[metric] ?? null)],
    ]);
  }
}

/** `iterations.parquet`, made anew from journal and records. */
export const parquet: ExportFormat = {
  id: 'parquet',
  describe: 'Parquet, one row for each iteration; needs --output',
  needsFile: true,
  ofReport: null,
  make: async (source) => {
    const { recording, records } = source;
    const { experiment, trials } = recording;
    return {
      content: { kind: 'file', write: (path) => writeIterationsParquet(path, { experiment, trials, records }) },
      losses: [
        'Parquet holds iterations only: settings, ratio, interval and verdict are left out',
        ...tandemLosses(source, 'compare cpu_ns, not duration_ns'),
      ],
    };
  },
};
