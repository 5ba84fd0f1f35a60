import type { Adapter } from '../adapter.ts';
import { hasKeys } from '../import-source.ts';
import { type ImportedBenchmark, type ImportedRun, oneSided, unnamed } from '../imported-file.ts';
import { IterationList } from '../iteration-list.ts';
import { readJson } from '../json/read-json.ts';
import type { JsonNode } from '../json/read-json.ts';
import { nsPer } from '../units.ts';

const advice = 'Write it with pyperf: -o FILE.json.';

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

function toBenchmark(benchmark: JsonNode, root: JsonNode): ImportedBenchmark {
  function fact(run: JsonNode | null, key: string): JsonNode | null {
    return run?.maybe('metadata', key) ?? benchmark.maybe('metadata', key) ?? root.maybe('metadata', key);
  }
  const unit = fact(null, 'unit');
  if (unit !== null && unit.value !== 'second') throw unit.error('seconds (unit "second")');
  return oneSided({
    name: fact(null, 'name')?.text() ?? unnamed,
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
export const pyperf: Adapter = {
  id: 'pyperf',
  describe: 'pyperf JSON, also .json.gz',
  reads: 'a run is a run, a value an iteration of its loops; warm-up is marked, calibrations are left out',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: false,
  detect: (head) =>
    head.first === '{' &&
    hasKeys(head, 'benchmarks', 'runs') &&
    !hasKeys(head, 'layout') &&
    (hasKeys(head, 'values') || hasKeys(head, 'warmups')),
  read: async (source) => {
    const root = await readJson(source, { advice });
    const benchmarks = root.get('benchmarks').items();
    return {
      benchmarks: benchmarks.map((benchmark) => toBenchmark(benchmark, root)),
      hostname: root.maybe('metadata', 'hostname')?.textOrNull() ?? null,
    };
  },
};
