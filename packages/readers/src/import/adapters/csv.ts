import type { Adapter } from '../adapter.ts';
import { ImportError } from '../import-error.ts';
import { readCsv } from '../text/read-csv.ts';
import { TableReader } from './table-reader.ts';

const advice = 'Name its columns with --columns time=COLUMN,run=COLUMN,benchmark=COLUMN,side=COLUMN.';

/** Any table of times with a first row that names its columns. */
export const csv: Adapter = {
  id: 'csv',
  describe: 'any CSV, with --columns',
  reads: 'a row is an iteration; columns say its time, and if there are any run, benchmark, side, start, invocations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: false,
  detect: () => false,
  read: async (source, { columns, unit }) => {
    const { path } = source;
    if (columns === null) throw new ImportError('COLUMNS_NEEDED', `${path} is to be read as csv. ${advice}`, { path });
    const table = new TableReader(columns, unit);
    const required = Object.values(columns);
    for await (const row of readCsv(source, { separator: [',', ';', '\t'], advice, required })) {
      table.take({
        text: (column) => row.text(column) || null,
        amount: (column) => row.amountOrNull(column),
        error: (column, expected) => row.error(column, expected),
      });
    }
    return { benchmarks: table.benchmarks() };
  },
};
