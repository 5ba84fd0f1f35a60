import type { Adapter } from '../adapter.ts';
import { malformedText } from '../import-error.ts';
import { type ImportedBenchmark, oneSided, runOf, summaryOf } from '../imported-file.ts';
import { hasKeys } from '../import-source.ts';
import type { JsonNode } from '../json/read-json.ts';
import { readJson } from '../json/read-json.ts';
import { entriesLeftOut } from '../limits.ts';
import { deviationOfMargin } from '../margin.ts';
import { readLines } from '../import-source.ts';
import { nsPer } from '../units.ts';

const advice = 'Write it with JSON.stringify(suite.map(({ name, count, stats }) => ({ name, count, stats }))).';

/** The benchmarks of a file: a list of them, a suite, which has them under numbers, or a single one. */
function benchmarksOf(root: JsonNode): readonly JsonNode[] {
  if (Array.isArray(root.value)) return root.items();
  const list = root.maybe('benchmarks') ?? root.maybe('results');
  if (list !== null) return list.items();
  const numbered = root.entries().filter(([key, { value }]) => /^\d+$/.test(key) && typeof value === 'object');
  return numbered.length > 0 ? numbered.map(([, node]) => node) : [root];
}

function toBenchmark(benchmark: JsonNode, index: number): ImportedBenchmark {
  const stats = benchmark.get('stats');
  const name = benchmark.maybe('name')?.text() ?? `benchmark ${index + 1}`;
  const sample = stats.maybe('sample')?.amounts() ?? [];
  if (sample.length > 0) {
    const invocations = benchmark.maybe('count')?.whole() ?? 1;
    const cycleNs = nsPer.s * invocations;
    return oneSided({
      name,
      runs: [runOf('0', sample, (seconds) => ({ durationNs: seconds * cycleNs, invocations }))],
    });
  }
  return oneSided({
    name,
    summary: summaryOf({
      meanNs: stats.get('mean').amount() * nsPer.s,
      standardDeviationNs: stats.get('deviation').scaledOrNull(nsPer.s),
    }),
  });
}

/** benchmark.js' benchmarks as JSON: a sample is the mean time of `count` calls, s, in the order of measurement. Source: its `benchmark.js`. */
export const benchmarkJs: Adapter = {
  id: 'benchmark-js',
  describe: 'benchmarks of benchmark.js as JSON',
  reads: 'the file is a run, a sample an iteration of `count` invocations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: false,
  detect: (head) => hasKeys(head, 'stats', 'rme', 'sem', 'deviation') && !hasKeys(head, 'latency'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    const all = benchmarksOf(root);
    const whole = all.filter((one) => one.maybe('error') === null && one.maybe('stats')?.maybe('mean')?.value !== 0);
    return {
      benchmarks: whole.map(toBenchmark),
      limits: entriesLeftOut(all.length - whole.length, 'they failed or were not measured'),
    };
  },
};

const line = /^(.*\S) x ([\d,]+(?:\.\d+)?) ops\/sec ±(\d+(?:\.\d+)?)% \(([\d,]+) runs? sampled\)\s*$/;
const textAdvice = 'It is what String(benchmark) gives in benchmark.js.';

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** Lines that benchmark.js prints: the rate is the inverse of the mean time, the margin that of a 95 % interval. Source: its `toStringBench`. */
export const benchmarkJsText: Adapter = {
  id: 'benchmark-js-text',
  describe: 'what benchmark.js prints',
  reads: 'means; the standard deviation follows from the margin of error; the rate is the inverse of the mean time',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE'],
  holdsWarmup: false,
  detect: ({ lines }) => lines.some((text) => text.length < 1000 && line.test(text)),
  read: async (source) => {
    const benchmarks: ImportedBenchmark[] = [];
    for (const { number, text } of await readLines(source)) {
      const [, name, rate = '', margin = '', count = ''] = text.length < 1000 ? (line.exec(text) ?? []) : [];
      if (name === undefined) continue;
      const [meanNs, samples] = [nsPer.s / numberOf(rate), numberOf(count)];
      if (
        !Number.isFinite(meanNs) ||
        !Number.isFinite(numberOf(margin)) ||
        !Number.isSafeInteger(samples) ||
        samples < 1
      ) {
        const what = `expected a rate above 0 and a count of samples, found '${text.slice(0, 80)}'`;
        throw malformedText({ path: source.path, line: number, column: 1 }, { what, advice: textAdvice });
      }
      const standardDeviationNs = deviationOfMargin(margin, { mean: meanNs, samples });
      benchmarks.push(oneSided({ name, summary: summaryOf({ meanNs, standardDeviationNs, samples }) }));
    }
    return { benchmarks };
  },
};
