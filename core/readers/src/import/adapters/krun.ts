import type { Adapter } from '../adapter.ts';
import { hasKeys, hasColumns } from '../import-source.ts';
import { readJson } from '../json/read-json.ts';
import { entriesLeftOut } from '../limits.ts';
import { oneSided, runOf } from '../imported-file.ts';
import { nsPer } from '../units.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { readCsv } from '../text/read-csv.ts';

const advice = 'It is the file of results that krun writes, unpacked with bunzip2.';

/** krun's JSON: a process execution is a run. Crashed and timed out ones are left out. Source: `krun/results.py`. */
export const krun: Adapter = {
  id: 'krun',
  describe: 'krun JSON, unpacked',
  reads: 'a process execution is a run; the key `bench:vm:variant` gives name and parameters',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: true,
  detect: (head) =>
    head.first === '{' &&
    ['wallclock_times', 'pexec_flags', 'core_cycle_counts', 'aperf_counts', 'mperf_counts'].some((key) =>
      hasKeys(head, key),
    ),
  read: async (source) => {
    const root = await readJson(source, { advice });
    let failed = 0;
    const benchmarks = root
      .get('wallclock_times')
      .entries()
      .map(([key, executions]) => {
        const [name = key, vm = '', variant = ''] = key.split(':');
        const flags = root.maybe('pexec_flags', key)?.items() ?? [];
        const runs = executions.items().flatMap((execution, index) => {
          const flag = flags[index]?.textOrNull() ?? 'C';
          if (flag !== 'C') failed += 1;
          const times = execution.amounts();
          if (flag !== 'C' || times.length === 0) return [];
          return [runOf(String(index), times, (seconds) => ({ durationNs: seconds * nsPer.s }))];
        });
        return oneSided({
          name,
          params: { ...(vm === '' ? {} : { vm }), ...(variant === '' ? {} : { variant }) },
          runs,
        });
      });
    return { benchmarks, limits: entriesLeftOut(failed, 'krun says that they crashed or took too long') };
  },
};

const tableAdvice = 'It is the table that warmup_stats reads: process_exec_idx, bench_name, 0, 1, 2, ...';
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
    const set = new BenchmarkSet(source.path);
    await readCsv(source, { separator: [','], advice: tableAdvice, required }, (row) => {
      const iterations = set.run({ name: row.text('bench_name') }, row.text('process_exec_idx'));
      for (const column of row.columns.slice(required.length)) {
        if (row.text(column) !== '') iterations.push({ durationNs: row.amount(column) * nsPer.s });
      }
    });
    return { benchmarks: set.benchmarks() };
  },
};
