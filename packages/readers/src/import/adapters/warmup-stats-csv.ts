import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { hasColumns } from '../file-head.ts';
import { readCsv } from '../text/read-csv.ts';
import { nsPer } from '../units.ts';

const advice = 'It is the table that warmup_stats reads: process_exec_idx, bench_name, 0, 1, 2, ...';
const required = ['process_exec_idx', 'bench_name'];

/** warmup_stats' table: a row a process execution, a column an iteration, seconds. Source: its README. */
export const warmupStatsCsv: Adapter = {
  id: 'warmup-stats-csv',
  describe: 'CSV of warmup_stats',
  reads: 'a row is a run, its columns are the iterations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: true,
  detect: (head) => hasColumns(head, ...required),
  read: async (source) => {
    const set = new BenchmarkSet();
    for await (const row of readCsv(source, { separator: [','], advice, required })) {
      const iterations = set.run({ name: row.text('bench_name') }, row.text('process_exec_idx'));
      for (const column of row.columns.slice(required.length)) {
        if (row.text(column) !== '') iterations.push({ durationNs: row.amount(column) * nsPer.s });
      }
    }
    return { benchmarks: set.benchmarks() };
  },
};
