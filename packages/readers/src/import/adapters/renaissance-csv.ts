import { renaissanceOriginNs } from '../../grammar/renaissance-origin.ts';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { hasColumns } from '../file-head.ts';
import { readCsv } from '../text/read-csv.ts';

const advice = 'Write it with renaissance --csv FILE.';
const required = ['benchmark', 'duration_ns', 'vm_start_unix_ms'];
const notMetrics = new Set([...required, 'uptime_ns', 'vm_start_ns']);

/** Renaissance's table: a row an iteration; rows with the same start of the JVM are one run. Source: `ResultWriter.scala`. */
export const renaissanceCsv: Adapter = {
  id: 'renaissance-csv',
  describe: 'Renaissance --csv',
  reads: 'a row is an iteration; rows of one `vm_start_unix_ms` are a run, so appended tables are several runs',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: true,
  detect: (head) => hasColumns(head, ...required),
  read: async (source) => {
    const set = new BenchmarkSet();
    for await (const row of readCsv(source, { separator: [','], advice, required })) {
      // The first row again: tables were appended to each other.
      if (row.text('benchmark') === 'benchmark' && row.text('duration_ns') === 'duration_ns') continue;
      const upNs = row.amountOrNull('uptime_ns');
      const origin = [row.amountOrNull('vm_start_ns'), row.amountOrNull('vm_start_unix_ms')] as const;
      const originNs = renaissanceOriginNs(...origin) ?? 0;
      const iterations = set.run({ name: row.text('benchmark') }, row.text('vm_start_unix_ms'));
      const isTimed = iterations.length === 0 ? upNs !== null : iterations.hasTimestamps;
      if (isTimed && upNs === null) throw row.error('uptime_ns', 'a number, as in the rows before');
      iterations.push({
        durationNs: row.amount('duration_ns'),
        startNs: isTimed && upNs !== null ? originNs + upNs : null,
      });
      for (const name of row.columns) {
        const value = notMetrics.has(name) || name.length < 2 ? null : row.amountOrNull(name);
        if (value !== null) iterations.setMetric(name, value);
      }
    }
    return { benchmarks: set.benchmarks() };
  },
};
