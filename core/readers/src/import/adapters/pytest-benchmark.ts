import type { Adapter } from '../adapter.ts';
import { type ImportedBenchmark, oneSided, runOf, summaryOf } from '../imported-file.ts';
import { hasKeys } from '../import-source.ts';
import type { JsonNode } from '../json/read-json.ts';
import { readJson } from '../json/read-json.ts';
import { nsPer } from '../units.ts';

const advice = 'Write it with pytest --benchmark-json FILE, or --benchmark-save-data and look below .benchmarks.';

function toBenchmark(benchmark: JsonNode): ImportedBenchmark {
  const stats = benchmark.get('stats');
  const group = benchmark.maybe('group')?.textOrNull() ?? null;
  // The name of a test holds its parameters.
  const facts = {
    name: (benchmark.maybe('fullname') ?? benchmark.get('name')).text(),
    params: group === null ? {} : { group },
  };
  const data = stats.maybe('data')?.amounts() ?? [];
  if (data.length > 0) {
    const invocations = stats.maybe('iterations')?.whole() ?? 1;
    const opNs = nsPer.s * invocations;
    return oneSided({ ...facts, runs: [runOf('0', data, (seconds) => ({ durationNs: seconds * opNs, invocations }))] });
  }
  return oneSided({
    ...facts,
    summary: summaryOf({
      meanNs: stats.get('mean').amount() * nsPer.s,
      standardDeviationNs: stats.get('stddev').scaledOrNull(nsPer.s),
      samples: stats.maybe('rounds')?.whole() ?? null,
      medianNs: stats.get('median').scaledOrNull(nsPer.s),
      minNs: stats.get('min').scaledOrNull(nsPer.s),
      maxNs: stats.get('max').scaledOrNull(nsPer.s),
    }),
  });
}

/** pytest-benchmark's JSON: one process, its rounds in their order where they were saved. Source: its `stats.py`, `session.py`. */
export const pytestBenchmark: Adapter = {
  id: 'pytest-benchmark',
  describe: 'pytest-benchmark --benchmark-json',
  reads: 'the file is a run, a round an iteration; without the data of rounds a mean',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY'],
  holdsWarmup: false,
  detect: (head) => head.first === '{' && hasKeys(head, 'machine_info', 'benchmarks', 'stats', 'fullname'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    return {
      benchmarks: root.get('benchmarks').items().map(toBenchmark),
      hostname: root.maybe('machine_info', 'node')?.textOrNull() ?? null,
    };
  },
};
