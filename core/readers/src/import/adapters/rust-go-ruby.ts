import { readGoResults } from '../../grammar/lines.ts';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { malformedText } from '../import-error.ts';
import { readLines, hasKeys, type ImportSource } from '../import-source.ts';
import { dirname, relative } from 'node:path';
import { jsonAdapter } from '../json/json-adapter.ts';
import { oneSided, runOf, unnamed, type ImportedBenchmark, summaryOf } from '../imported-file.ts';
import type { JsonNode } from '../json/read-json.ts';
import { entriesLeftOut, rateInverted } from '../limits.ts';
import { nsPer } from '../../grammar/units.ts';

/**
 * `group/function/value` from the folders of `target/criterion/group/function/value/new/sample.json`: those below `criterion`, or else below the
 * folder that is read.
 */
function nameOf({ path, folder }: ImportSource): string {
  const parts = folder === undefined ? [] : partsOf(relative(folder, dirname(path)), Infinity);
  return (parts.length > 0 ? parts : partsOf(dirname(path), 2)).join('/') || unnamed;
}

/** @param most folders that count where none of them is `criterion` */
function partsOf(path: string, most: number): readonly string[] {
  const folders = path.split(/[\\/]/);
  const below = folders.lastIndexOf('criterion') + 1;
  const parts = folders.slice(below > 0 ? below : -most).filter((part) => part !== '' && part !== '.');
  return /^(new|base)$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts;
}

/** criterion.rs's `sample.json`: each sample is the total time of some invocations, all of one process. Source: its `src/lib.rs`. */
export const criterion: Adapter = jsonAdapter({
  id: 'criterion',
  describe: "criterion.rs's sample.json",
  reads: 'the file is a run, a sample an iteration of `iters` invocations; the name is that of the folders',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  detect: (head) => head.first === '{' && hasKeys(head, 'sampling_mode', 'iters', 'times'),
  advice: 'It is target/criterion/GROUP/FUNCTION/new/sample.json, as criterion.rs writes it.',
  read: (root, source) => {
    const iters = root.get('iters');
    const counts = iters.amounts();
    const times = root.get('times');
    if (times.count() !== counts.length) throw times.error(`as many times as there are iters (${counts.length})`);
    const run = runOf('0', times.amounts(), (durationNs, index) => {
      const invocations = counts[index] ?? 1;
      if (invocations < 1 || !Number.isInteger(invocations)) throw iters.error('whole numbers of at least 1');
      return { durationNs, invocations };
    });
    const runs = run.iterations.length === 0 ? [] : [run];
    return { benchmarks: [oneSided({ name: nameOf(source), runs })] };
  },
});

const advice = 'Write it with go test -bench=. -count=10 > FILE.';

/**
 * Text of `go test -bench`: repeated lines are iterations of one run; the `ok` or `FAIL` that ends a test program ends
 * the run, so appended outputs are several runs. Source: golang/perf `benchfmt/reader.go`.
 */
export const goBench: Adapter = {
  id: 'go-bench',
  describe: 'go test -bench text',
  reads:
    'a line is an iteration; `ok PACKAGE` ends a run, so appended outputs are several runs; B/op, allocs/op and other units are compared, too',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'FAILED_RUNS_IGNORED'],
  detect: ({ lines }) => !readGoResults(lines.map((text, index) => ({ text, number: index + 1 }))).next().done,
  read: async (source) => {
    const set = new BenchmarkSet(source.path);
    const lines = [...(await readLines(source))];
    let untimed = lines.filter(({ text }) => /^Benchmark\S+\s+\d+(?:\s|$)/.test(text)).length;
    for (const result of readGoResults(lines)) {
      const { benchmark: name, params, run, invocations, opNs, metrics, number, text } = result;
      if (text.startsWith('Benchmark')) untimed -= 1;
      if (!(opNs >= 0) || !Number.isFinite(opNs * invocations) || invocations < 1) {
        const what = `expected a count and a time before ns/op, found '${text.slice(0, 80)}'`;
        throw malformedText({ path: source.path, line: number, column: 1 }, { what, advice });
      }
      const iterations = set.run({ name, params }, String(run));
      iterations.push({ durationNs: opNs * invocations, invocations });
      for (const [unit, amount] of Object.entries(metrics)) iterations.setMetric(unit, amount);
    }
    return { benchmarks: set.benchmarks(), limits: entriesLeftOut(untimed, 'they have no time in ns/op') };
  },
};

/** To first order a rate and its inverse have the same relative deviation. */
function toBenchmark(entry: JsonNode): ImportedBenchmark {
  const rate = entry.get('ips').positive();
  const meanNs = nsPer.s / rate;
  const error = entry.maybe('stddev')?.amount() ?? null;
  const iterations = entry.maybe('iterations')?.whole() ?? null;
  const cycles = entry.maybe('cycles')?.whole() ?? null;
  return oneSided({
    name: entry.get('name').text(),
    summary: summaryOf({
      meanNs,
      // It is written in whole operations a second: what was rounded away may be half of one.
      standardDeviationNs: error === null ? null : (Math.max(error, 0.5) / rate) * meanNs,
      samples: iterations === null || cycles === null ? null : Math.max(1, Math.round(iterations / cycles)),
    }),
  });
}

/**
 * benchmark-ips' JSON: operations a second with their standard deviation; samples are as many as its measurement had cycles.
 * Source: its `ips/report.rb`.
 */
export const benchmarkIps: Adapter = jsonAdapter({
  id: 'benchmark-ips',
  describe: "JSON of Ruby's benchmark-ips",
  reads: 'means, standard deviations and counts; a rate becomes a time',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'RATE_INVERTED'],
  detect: (head) => head.first === '[' && hasKeys(head, 'name', 'ips', 'microseconds', 'iterations'),
  advice: "Write it with benchmark-ips: x.json! 'FILE'.",
  read: (root, source) => ({ benchmarks: root.items().map(toBenchmark), limits: [rateInverted(source.path)] }),
});
