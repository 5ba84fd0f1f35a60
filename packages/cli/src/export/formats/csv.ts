import { iterationColumns, metricColumnNames } from '@deadheat/engine';
import { csvRows } from '../csv-rows.ts';
import { countedRows, tandemLosses, type CountedRows } from './counted-rows.ts';
import type { ExportFormat } from './export-format.ts';

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
