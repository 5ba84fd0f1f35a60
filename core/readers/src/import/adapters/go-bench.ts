import { readGoLine } from '../../grammar/lines.ts';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { malformedText } from '../import-error.ts';
import { readLines } from '../import-source.ts';

const advice = 'Write it with go test -bench=. -count=10 > FILE.';
const setting = /^([a-z][^\sA-Z:]*):(?:\s+(.*))?$/;

/**
 * Text of `go test -bench`: repeated lines are iterations of one run; the `ok` or `FAIL` that ends a test program ends
 * the run, so appended outputs are several runs. Source: golang/perf `benchfmt/reader.go`.
 */
export const goBench: Adapter = {
  id: 'go-bench',
  describe: 'go test -bench text',
  reads:
    'a line is an iteration; `ok PACKAGE` ends a run, so appended outputs are several runs; B/op, allocs/op and other units are compared, too',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: false,
  detect: ({ lines }) => lines.some((text) => readGoLine(text) !== null),
  read: async (source) => {
    const { path } = source;
    const set = new BenchmarkSet(source.path);
    const ended = new Map<string, number>();
    let pkg = '';
    for (const { number, text } of await readLines(source)) {
      const found = readGoLine(text);
      if (found === null) {
        const [, key, value = ''] = setting.exec(text) ?? [];
        if (key === 'pkg') pkg = value.trim();
        if (/^(ok|FAIL)\s/.test(text)) ended.set(pkg, (ended.get(pkg) ?? 0) + 1);
        continue;
      }
      const { benchmark: name, invocations, opNs, metrics } = found;
      if (!(opNs >= 0) || !Number.isFinite(opNs * invocations) || invocations < 1) {
        const what = `expected a count and a time before ns/op, found '${text.slice(0, 80)}'`;
        throw malformedText({ path, line: number, column: 1 }, { what, advice });
      }
      const iterations = set.run({ name, params: pkg === '' ? {} : { pkg } }, String(ended.get(pkg) ?? 0));
      iterations.push({ durationNs: opNs * invocations, invocations });
      for (const [unit, amount] of Object.entries(metrics)) iterations.setMetric(unit, amount);
    }
    return { benchmarks: set.benchmarks() };
  },
};
