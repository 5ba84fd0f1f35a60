import type { Adapter } from '../adapter.ts';
import { hasKeys } from '../import-source.ts';
import type { ImportedBenchmark } from '../imported-file.ts';
import { readJson } from '../json/read-json.ts';
import type { JsonNode } from '../json/read-json.ts';
import { entriesLeftOut, sortedSamples } from '../limits.ts';
import { fromStatistics } from './tinybench.ts';

const advice = 'Write it with vitest bench --outputJson FILE, from vitest 5 on with --reporter=json --outputFile=FILE.';

interface Task {
  readonly task: JsonNode;
  readonly statistics: JsonNode;
  readonly group: string;
}

/** Tasks of vitest 1 to 4: statistics of latency lie flat in the task. */
function tasksBefore5(root: JsonNode): readonly Task[] {
  return root
    .get('files')
    .items()
    .flatMap((file) => file.get('groups').items())
    .flatMap((group) =>
      group
        .get('benchmarks')
        .items()
        .map((task) => ({ task, statistics: task, group: group.get('fullName').text() })),
    );
}

/** Tasks of vitest 5's reporter `json`. */
function tasksOf5(root: JsonNode): readonly Task[] {
  return root
    .get('testResults')
    .items()
    .flatMap((file) => file.get('assertionResults').items())
    .flatMap((test) => test.maybe('benchmarks')?.items() ?? [])
    .flatMap((benchmark) =>
      benchmark
        .get('tasks')
        .items()
        .map((task) => ({
          task,
          statistics: task.get('latency'),
          group: benchmark.maybe('name')?.textOrNull() ?? '',
        })),
    );
}

/** Vitest's benchmarks. Versions 1 to 4 empty the samples. Source: its `json-formatter.ts` and `reporters/json.ts`. */
export const vitest: Adapter = {
  id: 'vitest',
  describe: 'vitest bench, versions 1 to 5',
  reads: 'means, standard deviations and counts; from version 5 on samples with benchmark.retainSamples',
  cannot: ['SUMMARY_ONLY', 'SORTED_SAMPLES', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: false,
  detect: (head) =>
    head.first === '{' &&
    (hasKeys(head, 'files', 'groups', 'benchmarks', 'fullName') ||
      hasKeys(head, 'testResults', 'assertionResults', 'benchmarks', 'tasks')),
  read: async (source) => {
    const root = await readJson(source, { advice });
    const tasks = root.maybe('testResults') === null ? tasksBefore5(root) : tasksOf5(root);
    const benchmarks: ImportedBenchmark[] = [];
    let failed = 0;
    for (const { task, statistics, group } of tasks) {
      if (statistics.maybe('mean') === null) {
        failed += 1;
        continue;
      }
      const params = group === '' ? {} : { group };
      benchmarks.push(fromStatistics(statistics, { name: task.get('name').text(), params }));
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
