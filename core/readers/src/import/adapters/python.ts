import type { Adapter } from '../adapter.ts';
import { jsonAdapter } from '../json/json-adapter.ts';
import type { JsonNode } from '../json/read-json.ts';
import { hasKeys } from '../import-source.ts';
import {
  perNormal,
  type ImportedBenchmark,
  type ImportedRun,
  oneSided,
  unnamed,
  runOf,
  summaryInSeconds,
} from '../imported-file.ts';
import { IterationList } from '../iteration-list.ts';
import { nsPer } from '../../grammar/units.ts';

/**
 * Processes of CPython that execute the same function differ more than those of other runtimes: in where objects lie, and by the seed of hashes
 * (docs/formats/imports.md).
 */
const deviationOfRuns = 0.04;

function toRun(
  run: JsonNode,
  { label, loops, innerLoops }: { label: string; loops: number; innerLoops: number },
): ImportedRun {
  const iterations = new IterationList();
  iterations.markPhases();
  for (const warmup of run.maybe('warmups')?.items() ?? []) {
    const [count, value] = warmup.items();
    if (count === undefined || value === undefined) throw warmup.error('[loops, seconds]');
    const invocations = count.whole() * innerLoops;
    iterations.push({ durationNs: value.amount() * nsPer.s * invocations, invocations, warmup: true });
  }
  const invocations = loops * innerLoops;
  for (const seconds of run.get('values').amounts()) {
    iterations.push({ durationNs: seconds * nsPer.s * invocations, invocations });
  }
  return { label, iterations };
}

function pyperfBenchmark(benchmark: JsonNode, root: JsonNode): ImportedBenchmark {
  function fact(run: JsonNode | null, key: string): JsonNode | null {
    return run?.maybe('metadata', key) ?? benchmark.maybe('metadata', key) ?? root.maybe('metadata', key);
  }
  const unit = fact(null, 'unit');
  if (unit !== null && unit.value !== 'second') throw unit.error('seconds (unit "second")');
  return oneSided({
    name: fact(null, 'name')?.text() ?? unnamed,
    deviationOfRuns,
    // A run without values is a calibration.
    runs: benchmark
      .get('runs')
      .items()
      .filter((run) => run.maybe('values') !== null)
      .map((run, index) =>
        toRun(run, {
          label: String(index),
          loops: fact(run, 'loops')?.whole() ?? 1,
          innerLoops: fact(run, 'inner_loops')?.whole() ?? 1,
        }),
      )
      .filter(({ iterations }) => iterations.measured > 0),
  });
}

/** pyperf's JSON, also packed with gzip: a run is a process. Source: its `doc/api.rst`. */
export const pyperf: Adapter = jsonAdapter({
  id: 'pyperf',
  describe: 'pyperf JSON, also .json.gz',
  reads: 'a run is a run, a value an iteration of its loops; warm-up is marked, calibrations are left out',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  detect: (head) =>
    head.first === '{' &&
    hasKeys(head, 'benchmarks', 'runs') &&
    !hasKeys(head, 'layout') &&
    (hasKeys(head, 'values') || hasKeys(head, 'warmups')),
  advice: 'Write it with pyperf: -o FILE.json.',
  read: (root) => {
    const benchmarks = root.get('benchmarks').items();
    return {
      benchmarks: benchmarks.map((benchmark) => pyperfBenchmark(benchmark, root)),
      hostname: root.maybe('metadata', 'hostname')?.textOrNull() ?? null,
    };
  },
});

function pytestBenchmarkOf(benchmark: JsonNode): ImportedBenchmark {
  const stats = benchmark.get('stats');
  const group = benchmark.maybe('group')?.textOrNull() ?? null;
  // The name of a test holds its parameters.
  const facts = {
    name: (benchmark.maybe('fullname') ?? benchmark.get('name')).text(),
    params: group === null ? {} : { group },
    deviationOfRuns,
  };
  const data = stats.maybe('data')?.amounts() ?? [];
  if (data.length > 0) {
    const invocations = stats.maybe('iterations')?.whole() ?? 1;
    const opNs = nsPer.s * invocations;
    return oneSided({ ...facts, runs: [runOf('0', data, (seconds) => ({ durationNs: seconds * opNs, invocations }))] });
  }
  return oneSided({
    ...facts,
    summary: {
      ...summaryInSeconds(stats, stats.maybe('rounds')?.whole() ?? null),
      spreadNs: stats.maybe('iqr')?.scaledOrNull(perNormal.quartiles * nsPer.s) ?? null,
    },
  });
}

/** pytest-benchmark's JSON: one process, its rounds in their order where they were saved. Source: its `stats.py`, `session.py`. */
export const pytestBenchmark: Adapter = jsonAdapter({
  id: 'pytest-benchmark',
  describe: 'pytest-benchmark --benchmark-json',
  reads: 'the file is a run, a round an iteration; without the data of rounds a median',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY'],
  detect: (head) => head.first === '{' && hasKeys(head, 'machine_info', 'benchmarks', 'stats', 'fullname'),
  advice: 'Write it with pytest --benchmark-json FILE, or --benchmark-save-data and look below .benchmarks.',
  read: (root) => ({
    benchmarks: root.get('benchmarks').items().map(pytestBenchmarkOf),
    hostname: root.maybe('machine_info', 'node')?.textOrNull() ?? null,
  }),
});
