import type { Adapter } from '../adapter.ts';
import { type ImportedBenchmark, oneSided, runOf } from '../imported-file.ts';
import { hasKeys } from '../import-source.ts';
import type { JsonNode } from '../json/read-json.ts';
import { readJson } from '../json/read-json.ts';
import { nsPer } from '../units.ts';

const advice = 'Write it with nanobench: bench.render(ankerl::nanobench::templates::json(), stream).';

function toBenchmark(result: JsonNode): ImportedBenchmark {
  const name = result.get('name').text();
  const title = result.maybe('title')?.textOrNull() ?? '';
  const epochs = runOf('0', result.get('measurements').items(), (epoch) => {
    const invocations = epoch.get('iterations').whole();
    return { durationNs: epoch.get('elapsed').amount() * nsPer.s * invocations, invocations };
  });
  return oneSided({
    name,
    // nanobench calls what nobody named `benchmark`.
    params: title === '' || title === 'benchmark' ? {} : { title },
    runs: epochs.iterations.length === 0 ? [] : [epochs],
  });
}

/**
 * nanobench's template `json`: the epochs of one process, each the mean time of its iterations, s. Where the program gave a `batch` a time
 * is that of a whole batch. Source: its `nanobench.h`, templates and `Result::add`.
 */
export const nanobench: Adapter = {
  id: 'nanobench',
  describe: "nanobench's template json",
  reads: 'the file is a run, an epoch an iteration of its invocations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: false,
  detect: (head) => head.first === '{' && hasKeys(head, 'results', 'median(elapsed)'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    return { benchmarks: root.get('results').items().map(toBenchmark) };
  },
};
