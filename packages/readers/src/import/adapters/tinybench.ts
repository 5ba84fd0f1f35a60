import type { Adapter } from '../adapter.ts';
import { unnamed } from '../unnamed.ts';
import { hasKeys } from '../file-head.ts';
import type { ImportedBenchmark } from '../imported-file.ts';
import { readJson } from '../json/read-json.ts';
import type { JsonNode } from '../json/json-node.ts';
import { entriesLeftOut, sortedSamples } from '../limits.ts';
import { fromStatistics } from './task-statistics.ts';

const advice =
  'Write it with JSON.stringify(bench.tasks.map(({ name, result }) => ({ name, result }))), with retainSamples: true.';

/** The tasks of a file: a list of them, below `tasks` or `results`, or a single one. */
const tasksOf = (root: JsonNode): readonly JsonNode[] => {
  if (Array.isArray(root.value)) return root.items();
  const list = root.maybe('tasks') ?? root.maybe('results');
  return list === null ? [root] : list.items();
};

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
