import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { hasKeys } from '../import-source.ts';
import { readJson } from '../json/json-tree.ts';
import { entriesLeftOut } from '../limits.ts';
import { nsPerUnit } from '../units.ts';

const advice = 'Write it with --benchmark_format=json or --benchmark_out=FILE.';

/**
 * Google Benchmark's JSON: the rows of one process, of which the aggregates, failed ones and those without times
 * (complexity) are left out. Source: its `json_reporter.cc`.
 */
export const googleBenchmark: Adapter = {
  id: 'google-benchmark',
  describe: 'Google Benchmark JSON',
  reads: 'the file is a run, a repetition an iteration; CPU time is read too',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: false,
  detect: (head) => head.first === '{' && hasKeys(head, 'context', 'benchmarks', 'run_name'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    const set = new BenchmarkSet();
    let failed = 0;
    for (const row of root.get('benchmarks').items()) {
      if (row.maybe('run_type')?.textOrNull() === 'aggregate') continue;
      if (row.get('error_occurred').value === true || row.maybe('skipped') !== null) {
        failed += 1;
        continue;
      }
      if (row.get('real_time').isNothing) continue;
      const unit = row.get('time_unit');
      const ns = nsPerUnit(unit.text());
      if (ns === null) throw unit.error('ns, us, ms or s');
      const invocations = row.get('iterations').whole();
      const iterations = set.run({ name: (row.maybe('run_name') ?? row.get('name')).text() }, '0');
      iterations.push({ durationNs: row.get('real_time').amount() * ns * invocations, invocations });
      const cpu = row.get('cpu_time').numberOrNull();
      if (cpu !== null && cpu >= 0) iterations.setMetric('c', cpu * ns * invocations);
    }
    return {
      benchmarks: set.benchmarks(),
      limits: entriesLeftOut(failed, 'Google Benchmark marked them as failed or skipped'),
      hostname: root.maybe('context', 'host_name')?.textOrNull() ?? null,
    };
  },
};
