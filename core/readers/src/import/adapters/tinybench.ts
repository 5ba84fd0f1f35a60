import type { Adapter } from '../adapter.ts';
import { unnamed, type ImportedBenchmark, oneSided, runOf } from '../imported-file.ts';
import { hasKeys } from '../import-source.ts';
import { readJson } from '../json/read-json.ts';
import type { JsonNode } from '../json/json-node.ts';
import { entriesLeftOut, sortedSamples } from '../limits.ts';
import { nsPer } from '../units.ts';

const advice =
  'Write it with JSON.stringify(bench.tasks.map(({ name, result }) => ({ name, result }))), with retainSamples: true.';

/** The tasks of a file: a list of them, below `tasks` or `results`, or a single one. */
function tasksOf(root: JsonNode): readonly JsonNode[] {
  if (Array.isArray(root.value)) return root.items();
  const list = root.maybe('tasks') ?? root.maybe('results');
  return list === null ? [root] : list.items();
}

/**
 * tinybench's results, however a program wrote them down: `{name, result}` a task, or results alone. Versions before 3
 * have the latency's statistics in the result itself. Source: its `src/types.ts`; vitest's `writeResult` has the same shape.
 */
export const tinybench: Adapter = {
  id: 'tinybench',
  describe: 'results of tinybench as JSON, or of writeResult of vitest 5',
  reads: 'the file is a run, a sample an iteration where samples were retained, else a mean',
  cannot: ['SORTED_SAMPLES', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: false,
  detect: (head) =>
    (hasKeys(head, 'latency', 'aad', 'critical', 'moe') || hasKeys(head, 'hz', 'rme', 'sem', 'moe')) &&
    !hasKeys(head, 'stats') &&
    !hasKeys(head, 'groups') &&
    !hasKeys(head, 'testResults'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    const benchmarks: ImportedBenchmark[] = [];
    let failed = 0;
    const tasks = tasksOf(root);
    for (const [index, task] of tasks.entries()) {
      const result = task.maybe('result') ?? task;
      const statistics = result.maybe('latency') ?? result;
      if (statistics.maybe('mean') === null) {
        failed += 1;
        continue;
      }
      const own = task.maybe('name')?.text() ?? null;
      const name = own ?? (tasks.length === 1 ? unnamed : `task ${index + 1}`);
      benchmarks.push(fromStatistics(statistics, { name }));
    }
    return {
      benchmarks,
      limits: [
        ...(benchmarks.some(({ runs }) => runs.length > 0) ? [sortedSamples(source.path)] : []),
        ...entriesLeftOut(failed, 'they have no result'),
      ],
    };
  },
};

/**
 * A benchmark from tinybench's statistics of latency, ms: its samples where they were retained, else mean, standard
 * deviation and count. Vitest passes them on under its own names.
 */
export function fromStatistics(
  statistics: JsonNode,
  facts: { readonly name: string; readonly params?: Readonly<Record<string, string>> },
): ImportedBenchmark {
  const samples = statistics.maybe('samples')?.amounts() ?? [];
  if (samples.length > 0) {
    return oneSided({
      ...facts,
      runs: [runOf('0', samples, (ms) => ({ durationNs: ms * nsPer.ms }))],
    });
  }
  const median = statistics.maybe('median') ?? statistics.get('p50');
  const count = statistics.maybe('samplesCount') ?? statistics.maybe('sampleCount');
  return oneSided({
    ...facts,
    summary: {
      meanNs: statistics.get('mean').amount() * nsPer.ms,
      standardDeviationNs: statistics.get('sd').scaledOrNull(nsPer.ms),
      samples: count?.whole() ?? null,
      medianNs: median.scaledOrNull(nsPer.ms),
      minNs: statistics.get('min').scaledOrNull(nsPer.ms),
      maxNs: statistics.get('max').scaledOrNull(nsPer.ms),
    },
  });
}
