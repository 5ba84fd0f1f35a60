import type { Adapter } from '../adapter.ts';
import { hasKeys } from '../import-source.ts';
import { type ImportedBenchmark, oneSided, runOf } from '../imported-file.ts';
import { readJson } from '../json/json-tree.ts';
import type { JsonNode } from '../json/json-node.ts';
import { nsPer } from '../units.ts';

const advice = 'Write it with hyperfine --export-json FILE.';
function ns(seconds: number): number {
  return seconds * nsPer.s;
}

function toBenchmark(result: JsonNode): ImportedBenchmark {
  const facts = { name: result.get('command').text(), params: result.maybe('parameters')?.params() ?? {} };
  const times = result.get('times');
  const samples = times.isNothing ? [] : times.amounts();
  if (samples.length > 0) {
    const runs = samples.map((seconds, index) => runOf(String(index), [{ durationNs: ns(seconds) }]));
    return oneSided({ ...facts, runs });
  }
  const exits = result.maybe('exit_codes')?.count() ?? 0;
  return oneSided({
    ...facts,
    summary: {
      meanNs: ns(result.get('mean').amount()),
      standardDeviationNs: result.get('stddev').scaledOrNull(nsPer.s),
      samples: exits > 0 ? exits : null,
      medianNs: result.get('median').scaledOrNull(nsPer.s),
      minNs: result.get('min').scaledOrNull(nsPer.s),
      maxNs: result.get('max').scaledOrNull(nsPer.s),
    },
  });
}

/** hyperfine's `--export-json`: every execution is a process, so every time is a run. Source: its `benchmark_result.rs`. */
export const hyperfine: Adapter = {
  id: 'hyperfine',
  describe: 'hyperfine --export-json',
  reads: 'a time is a run of one iteration; two commands in one file are two sides',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE', 'SUMMARY_ONLY'],
  holdsWarmup: false,
  detect: (head) => head.first === '{' && hasKeys(head, 'results', 'command', 'mean') && !hasKeys(head, 'schema'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    return { benchmarks: root.get('results').items().map(toBenchmark), alternatives: true, inBlocks: true };
  },
};
