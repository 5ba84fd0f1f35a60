import { readDacapoLine } from '../../grammar/lines.ts';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { coarseClock, entriesLeftOut } from '../limits.ts';
import { readLines } from '../text/read-lines.ts';
import { nsPer } from '../units.ts';
import { unnamed } from '../imported-file.ts';
import { hasColumns } from '../import-source.ts';
import { malformedText } from '../import-error.ts';
import { readCsv } from '../text/read-csv.ts';

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
    for (const { text } of await readLines(source)) {
      const found = readDacapoLine(text);
      if (found === null) continue;
      const { benchmark: name, event, ms } = found;
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
        ...entriesLeftOut(open.size, 'the run broke off before PASSED'),
      ],
    };
  },
};

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
    const set = new BenchmarkSet(source.path);
    await readCsv(source, { separator: [','], advice, required: ['iteration_time_ns'] }, (row) => {
      const start = row.columns.find((name) => name === 'start_unix' || name === 'total_ms');
      if (start === undefined) {
        const what = 'the first row has neither the column start_unix nor total_ms';
        throw malformedText({ path: source.path, line: 1, column: 1 }, { what, advice });
      }
      const name = row.text('benchmark') || unnamed;
      set
        .run({ name }, '0')
        .push({ durationNs: row.amount('iteration_time_ns'), startNs: row.amount(start) * nsPer.ms });
    });
    return { benchmarks: set.benchmarks() };
  },
};
