import type { Adapter } from '../adapter.ts';
import { hasKeys } from '../import-source.ts';
import { type ImportedBenchmark, oneSided, runOf } from '../imported-file.ts';
import { readJson } from '../json/read-json.ts';
import type { JsonNode } from '../json/read-json.ts';
import { entriesLeftOut, sortedSamples } from '../limits.ts';

const advice = "Write it with mitata: await run({ format: 'json' }).";

function toBenchmark(run: JsonNode, alias: JsonNode): ImportedBenchmark {
  const stats = run.get('stats');
  const facts = {
    name: (run.maybe('name') ?? alias).text(),
    params: run.maybe('args')?.params() ?? {},
  };
  const heap = stats.maybe('heap')?.maybe('avg')?.numberOrNull() ?? null;
  const quantities = heap === null ? [] : [{ name: 'heap', unit: 'B/iter', values: [heap] }];
  const samples = stats.maybe('samples')?.amounts() ?? [];
  return samples.length > 0
    ? oneSided({
        ...facts,
        quantities,
        runs: [runOf('0', samples, (durationNs) => ({ durationNs }))],
      })
    : oneSided({
        ...facts,
        quantities,
        summary: {
          meanNs: stats.get('avg').amount(),
          standardDeviationNs: null,
          samples: null,
          medianNs: stats.get('p50').scaledOrNull(1),
          minNs: stats.get('min').scaledOrNull(1),
          maxNs: stats.get('max').scaledOrNull(1),
        },
      });
}

/** mitata's JSON: times are sorted, and without the two lowest and highest of more than 12. Source: its `src/lib.mjs`. */
export const mitata: Adapter = {
  id: 'mitata',
  describe: "mitata's format json",
  reads:
    'the file is a run, a sample an iteration; mitata drops the two lowest and highest samples; the mean heap of an iteration is compared, too',
  cannot: ['SORTED_SAMPLES', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: false,
  detect: (head) => head.first === '{' && hasKeys(head, 'layout', 'benchmarks', 'runs', 'alias'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    const benchmarks: ImportedBenchmark[] = [];
    let failed = 0;
    for (const benchmark of root.get('benchmarks').items()) {
      for (const run of benchmark.get('runs').items()) {
        if (run.maybe('stats') === null && run.maybe('error') !== null) failed += 1;
        else benchmarks.push(toBenchmark(run, benchmark.get('alias')));
      }
    }
    return {
      benchmarks,
      limits: [sortedSamples(source.path), ...entriesLeftOut(failed, 'the benchmark threw an error')],
    };
  },
};
