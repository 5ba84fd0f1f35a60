import { renaissanceOriginNs, readDacapoLine } from '../../grammar/lines.ts';
import type { Adapter } from '../adapter.ts';
import { jsonAdapter } from '../json/json-adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { hasKeys, hasColumns, readLines } from '../import-source.ts';
import { entriesLeftOut, coarseClock } from '../limits.ts';
import { readCsv } from '../text/read-csv.ts';
import { nsPer } from '../../grammar/units.ts';

/**
 * The output of DaCapo and ScalaBench. The harness calls all iterations but the last warm-up, which is its word for "not the one
 * that counts" and no mark here: the first half of a run is left out, as in ICPE'20, section 4. The last iteration says
 * PASSED and ends the run, or FAILED, which loses it.
 */
export const dacapo: Adapter = {
  id: 'dacapo',
  describe: 'what DaCapo and ScalaBench print',
  reads: 'a line with a time is an iteration; PASSED ends a run, FAILED loses it',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'COARSE_CLOCK', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: true,
  detect: ({ lines }) => lines.some((text) => /^===== (DaCapo|ScalaBench) /.test(text)),
  read: async (source) => {
    const set = new BenchmarkSet(source.path);
    const runs = new Map<string, number>();
    const open = new Map<string, number[]>();
    let failed = 0;
    let broken = 0;
    for (const { text } of await readLines(source)) {
      const found = readDacapoLine(text);
      if (found === null) continue;
      const { benchmark: name, event, isFirst, ms } = found;
      if (isFirst && open.delete(name)) broken += 1;
      if (event === 'failed') {
        failed += 1;
        open.delete(name);
        continue;
      }
      if (ms === null) continue;
      const times = open.get(name) ?? [];
      times.push(ms);
      open.set(name, times);
      if (event !== 'passed') continue;
      open.delete(name);
      const run = runs.get(name) ?? 0;
      runs.set(name, run + 1);
      const iterations = set.run({ name }, String(run));
      for (const time of times) iterations.push({ durationNs: time * nsPer.ms });
    }
    return {
      benchmarks: set.benchmarks(),
      limits: [
        coarseClock(source.path, 'milliseconds'),
        ...entriesLeftOut(failed, 'the benchmark says FAILED'),
        ...entriesLeftOut(broken + open.size, 'the run broke off before PASSED'),
      ],
    };
  },
};

const advice = 'Write it with renaissance --json FILE.';

/**
 * Renaissance's JSON: one JVM, so one run. Starts are on the JVM's monotonic clock (format 6), or on the
 * wall clock (format 5). Source: its `ResultWriter.scala`.
 */
export const renaissance: Adapter = jsonAdapter({
  id: 'renaissance',
  describe: 'Renaissance --json, formats 4 to 6',
  reads: 'the file is a run, with starts from format 5 on; what ended in failure is left out',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: true,
  detect: (head) => head.first === '{' && hasKeys(head, 'format_version', 'data', 'results', 'duration_ns'),
  advice,
  read: (root, source) => {
    const set = new BenchmarkSet(source.path);
    function vm(key: string): number | null {
      return root.maybe('environment', 'vm', key)?.numberOrNull() ?? null;
    }
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
});

const csvAdvice = 'Write it with renaissance --csv FILE.';
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
    const set = new BenchmarkSet(source.path);
    await readCsv(source, { separator: [','], advice: csvAdvice, required }, (row) => {
      // The first row again: tables were appended to each other.
      if (row.text('benchmark') === 'benchmark' && row.text('duration_ns') === 'duration_ns') return;
      if (!row.isWhole) throw row.error('vm_start_unix_ms', 'a row with a field for every column');
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
    });
    return { benchmarks: set.benchmarks() };
  },
};
