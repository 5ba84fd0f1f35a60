import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { unnamed } from '../unnamed.ts';
import { hasColumns } from '../file-head.ts';
import { malformedText } from '../malformed-text.ts';
import { readCsv } from '../text/read-csv.ts';
import { nsPer } from '../units.ts';

const advice = "Write it with -o FILE of the D3S group's DaCapo.";

/**
 * The table of the D3S group's DaCapo: a row an iteration. Its start is `start_unix` (ms of the wall clock) or in older
 * tables `total_ms` (ms since the run began). Source: asynchronous-duet's `parsers_benchmark.py`, which names these
 * columns only.
 */
export const dacapoCsv: Adapter = {
  id: 'dacapo-csv',
  describe: "CSV of the D3S group's DaCapo",
  reads: 'the file is a run, a row an iteration; starts from `start_unix` or `total_ms`',
  cannot: ['NO_RUN_VARIANCE'],
  holdsWarmup: true,
  detect: (head) =>
    hasColumns(head, 'iteration_time_ns', 'start_unix') || hasColumns(head, 'iteration_time_ns', 'total_ms'),
  read: async (source) => {
    const set = new BenchmarkSet();
    for await (const row of readCsv(source, { separator: [','], advice, required: ['iteration_time_ns'] })) {
      const start = row.columns.find((name) => name === 'start_unix' || name === 'total_ms');
      if (start === undefined) {
        const what = 'the first row has neither the column start_unix nor total_ms';
        throw malformedText({ path: source.path, line: 1, column: 1 }, { what, advice });
      }
      const name = row.text('benchmark') || unnamed;
      set
        .run({ name }, '0')
        .push({ durationNs: row.amount('iteration_time_ns'), startNs: row.amount(start) * nsPer.ms });
    }
    return { benchmarks: set.benchmarks() };
  },
};
