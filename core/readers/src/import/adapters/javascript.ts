import type { Adapter } from '../adapter.ts';
import { jsonAdapter } from '../json/json-adapter.ts';
import type { JsonNode } from '../json/read-json.ts';
import { hasKeys, readLines } from '../import-source.ts';
import { type ImportedBenchmark, oneSided, singleRuns, runOf, deviationOfMargin, summaryOf } from '../imported-file.ts';
import { entriesLeftOut, sortedSamples } from '../limits.ts';
import { readTasks } from './tinybench.ts';
import { nsPer } from '../../grammar/units.ts';
import { malformedText } from '../import-error.ts';

function mitataBenchmark(run: JsonNode, alias: JsonNode, group: string | null): ImportedBenchmark {
  const stats = run.get('stats');
  const heap = stats.maybe('heap')?.maybe('avg')?.numberOrNull() ?? null;
  const facts = {
    name: (run.maybe('name') ?? alias).text(),
    params: { ...(group === null ? {} : { group }), ...run.maybe('args')?.params() },
    quantities: heap === null ? [] : [{ name: 'heap', unit: 'B/iter', values: [heap] }],
  };
  const samples = stats.maybe('samples')?.amounts() ?? [];
  if (samples.length > 0) {
    return oneSided({ ...facts, runs: [runOf('0', samples, (durationNs) => ({ durationNs }))] });
  }
  const meanNs = stats.get('avg').amount();
  const [medianNs = null, minNs = null, maxNs = null] = ['p50', 'min', 'max'].map((key) =>
    stats.get(key).scaledOrNull(1),
  );
  return oneSided({ ...facts, summary: summaryOf({ meanNs, medianNs, minNs, maxNs }) });
}

/** mitata's JSON: times are sorted, and without the two lowest and highest of more than 12. Source: its `src/lib.mjs`. */
export const mitata: Adapter = jsonAdapter({
  id: 'mitata',
  describe: "mitata's format json",
  reads:
    'the file is a run, a sample an iteration; mitata drops the two lowest and highest samples; the mean heap of an iteration is compared, too',
  cannot: ['SORTED_SAMPLES', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY', 'FAILED_RUNS_IGNORED'],
  detect: (head) => head.first === '{' && hasKeys(head, 'layout', 'benchmarks', 'runs', 'alias'),
  advice: "Write it with mitata: await run({ format: 'json' }).",
  read: (root, source) => {
    const benchmarks: ImportedBenchmark[] = [];
    let failed = 0;
    const groups = root
      .get('layout')
      .items()
      .map((group) => group.maybe('name')?.textOrNull() ?? null);
    for (const benchmark of root.get('benchmarks').items()) {
      const group = groups[benchmark.maybe('group')?.numberOrNull() ?? -1] ?? null;
      for (const run of benchmark.get('runs').items()) {
        if (run.maybe('stats') === null && run.maybe('error') !== null) failed += 1;
        else benchmarks.push(mitataBenchmark(run, benchmark.get('alias'), group));
      }
    }
    return {
      benchmarks,
      limits: [sortedSamples(source.path), ...entriesLeftOut(failed, 'the benchmark threw an error')],
    };
  },
});

/** tachometer's JSON: every sample is a page load, so every sample is a run. Source: its `src/json-output.ts`. */
export const tachometer: Adapter = jsonAdapter({
  id: 'tachometer',
  describe: 'tachometer --json-file',
  reads: 'a sample is a run of one iteration; two benchmarks in one file are two sides',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE'],
  detect: (head) => head.first === '{' && hasKeys(head, 'benchmarks', 'samples', 'differences', 'measurement'),
  advice: 'Write it with tachometer --json-file FILE.',
  read: (root, source) => {
    const benchmarks = root
      .get('benchmarks')
      .items()
      .map((benchmark) => {
        const version = benchmark.maybe('version')?.textOrNull() ?? '';
        const browser = benchmark.maybe('browser', 'name')?.textOrNull() ?? null;
        const measurement = benchmark.maybe('measurement', 'name')?.textOrNull() ?? null;
        const params = {
          ...(version === '' ? {} : { version }),
          ...(browser === null ? {} : { browser }),
          ...(measurement === null ? {} : { measurement }),
        };
        const times = benchmark.get('samples').amounts();
        const runs = singleRuns(
          times.map((ms) => ms * nsPer.ms),
          source.path,
        );
        return oneSided({ name: benchmark.get('name').text(), params, runs });
      });
    return { benchmarks, alternatives: true };
  },
});

type Tasks = Parameters<typeof readTasks>[0];

/** A task of a group or benchmark of this name. */
function vitestTask(task: JsonNode, statistics: JsonNode, group: string): Tasks[number] {
  return { statistics, facts: { name: task.get('name').text(), params: group === '' ? {} : { group } } };
}

/** Tasks of vitest 1 to 4: statistics of latency lie flat in the task. */
function tasksBefore5(root: JsonNode): Tasks {
  const groups = root
    .get('files')
    .items()
    .flatMap((file) => file.get('groups').items());
  return groups.flatMap((group) => {
    const name = group.get('fullName').text();
    return group
      .get('benchmarks')
      .items()
      .map((task) => vitestTask(task, task, name));
  });
}

/** Tasks of vitest 5's reporter `json`. */
function tasksOf5(root: JsonNode): Tasks {
  const tests = root
    .get('testResults')
    .items()
    .flatMap((file) => file.get('assertionResults').items());
  const benchmarks = tests.flatMap((test) => test.maybe('benchmarks')?.items() ?? []);
  return benchmarks.flatMap((benchmark) => {
    const name = benchmark.maybe('name')?.textOrNull() ?? '';
    return benchmark
      .get('tasks')
      .items()
      .map((task) => vitestTask(task, task.get('latency'), name));
  });
}

/** Vitest's benchmarks. Versions 1 to 4 empty the samples. Source: its `json-formatter.ts` and `reporters/json.ts`. */
export const vitest: Adapter = jsonAdapter({
  id: 'vitest',
  describe: 'vitest bench, versions 1 to 5',
  reads: 'medians, spreads and counts; from version 5 on samples with benchmark.retainSamples',
  cannot: ['SUMMARY_ONLY', 'SORTED_SAMPLES', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'FAILED_RUNS_IGNORED'],
  detect: (head) =>
    head.first === '{' &&
    (hasKeys(head, 'files', 'groups', 'benchmarks', 'fullName') ||
      hasKeys(head, 'testResults', 'assertionResults', 'benchmarks', 'tasks')),
  advice: 'Write it with vitest bench --outputJson FILE, from vitest 5 on with --reporter=json --outputFile=FILE.',
  read: (root, source) => readTasks(root.maybe('testResults') === null ? tasksBefore5(root) : tasksOf5(root), source),
});

const benchmarkJsAdvice =
  'Write it with JSON.stringify(suite.map(({ name, count, stats }) => ({ name, count, stats }))).';

/** The benchmarks of a file: a list of them, a suite, which has them under numbers, or a single one. */
function benchmarksOf(root: JsonNode): readonly JsonNode[] {
  if (Array.isArray(root.value)) return root.items();
  const list = root.maybe('benchmarks') ?? root.maybe('results');
  if (list !== null) return list.items();
  const numbered = root.entries().filter(([key, { value }]) => /^\d+$/.test(key) && typeof value === 'object');
  return numbered.length > 0 ? numbered.map(([, node]) => node) : [root];
}

function benchmarkJsBenchmark(benchmark: JsonNode, index: number): ImportedBenchmark {
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
export const benchmarkJs: Adapter = jsonAdapter({
  id: 'benchmark-js',
  describe: 'benchmarks of benchmark.js as JSON',
  reads: 'the file is a run, a sample an iteration of `count` invocations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY', 'FAILED_RUNS_IGNORED'],
  detect: (head) => hasKeys(head, 'stats', 'rme', 'sem', 'deviation') && !hasKeys(head, 'latency'),
  advice: benchmarkJsAdvice,
  read: (root) => {
    const all = benchmarksOf(root);
    const whole = all.filter((one) => one.maybe('error') === null && one.maybe('stats')?.maybe('mean')?.value !== 0);
    return {
      benchmarks: whole.map(benchmarkJsBenchmark),
      limits: entriesLeftOut(all.length - whole.length, 'they failed or were not measured'),
    };
  },
});

const printedLine = /^(.*\S) x ([\d,]+(?:\.\d+)?) ops\/sec ±(\d+(?:\.\d+)?)% \(([\d,]+) runs? sampled\)\s*$/;
const printedAdvice = 'It is what String(benchmark) gives in benchmark.js.';

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** Lines that benchmark.js prints: the rate is the inverse of the mean time, the margin that of a 95 % interval. Source: its `toStringBench`. */
export const benchmarkJsText: Adapter = {
  id: 'benchmark-js-text',
  describe: 'what benchmark.js prints',
  reads: 'means; the standard deviation follows from the margin of error; the rate is the inverse of the mean time',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'FAILED_RUNS_IGNORED'],
  detect: ({ lines }) => lines.some((text) => text.length < 1000 && printedLine.test(text)),
  read: async (source) => {
    const benchmarks: ImportedBenchmark[] = [];
    let unread = 0;
    for (const { number, text } of await readLines(source)) {
      const [, name, rate = '', margin = '', count = ''] = text.length < 1000 ? (printedLine.exec(text) ?? []) : [];
      if (name === undefined) {
        if (/ x \S+ ops\/sec/.test(text.slice(0, 1000))) unread += 1;
        continue;
      }
      const [meanNs, samples] = [nsPer.s / numberOf(rate), numberOf(count)];
      if (
        !Number.isFinite(meanNs) ||
        !Number.isFinite(numberOf(margin)) ||
        !Number.isSafeInteger(samples) ||
        samples < 1
      ) {
        const what = `expected a rate above 0 and a count of samples, found '${text.slice(0, 80)}'`;
        throw malformedText({ path: source.path, line: number, column: 1 }, { what, advice: printedAdvice });
      }
      const standardDeviationNs = deviationOfMargin(margin, { mean: meanNs, samples });
      benchmarks.push(oneSided({ name, summary: summaryOf({ meanNs, standardDeviationNs, samples }) }));
    }
    return { benchmarks, limits: entriesLeftOut(unread, 'they have no rate with its margin and count') };
  },
};
