import { renaissanceOriginNs } from '../../grammar/renaissance-origin.ts';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { hasKeys } from '../file-head.ts';
import { readJson } from '../json/read-json.ts';
import { entriesLeftOut } from '../limits.ts';

const advice = 'Write it with renaissance --json FILE.';

/**
 * Renaissance's JSON: one JVM, so one run. Starts are on the JVM's monotonic clock (format 6), or on the
 * wall clock (format 5). Source: its `ResultWriter.scala`.
 */
export const renaissance: Adapter = {
  id: 'renaissance',
  describe: 'Renaissance --json, formats 4 to 6',
  reads: 'the file is a run, with starts from format 5 on; what ended in failure is left out',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: true,
  detect: (head) => head.first === '{' && hasKeys(head, 'format_version', 'data', 'results', 'duration_ns'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    const set = new BenchmarkSet();
    const vm = (key: string): number | null => root.maybe('environment', 'vm', key)?.numberOrNull() ?? null;
    const originNs = renaissanceOriginNs(vm('start_ns'), vm('start_unix_ms')) ?? 0;
    let failed = 0;
    for (const [name, data] of root.get('data').entries()) {
      if (data.maybe('termination')?.textOrNull() === 'failure') {
        failed += 1;
        continue;
      }
      const results = data.get('results').items();
      const hasStarts = results.every((result) => result.maybe('uptime_ns') !== null);
      for (const result of results) {
        const startNs = hasStarts ? originNs + result.get('uptime_ns').amount() : null;
        const iterations = set.run({ name }, '0');
        iterations.push({ durationNs: result.get('duration_ns').amount(), startNs });
        for (const [key, metric] of result.entries()) {
          const value = metric.numberOrNull();
          if (value !== null && key.length > 1 && key !== 'duration_ns' && key !== 'uptime_ns')
            iterations.setMetric(key, value);
        }
      }
    }
    return {
      benchmarks: set.benchmarks(),
      limits: entriesLeftOut(failed, 'Renaissance marked them as failed'),
    };
  },
};
