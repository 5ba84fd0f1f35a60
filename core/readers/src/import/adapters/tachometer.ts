import type { Adapter } from '../adapter.ts';
import { hasKeys } from '../import-source.ts';
import { readJson } from '../json/read-json.ts';
import { oneSided, singleRuns } from '../imported-file.ts';
import { nsPer } from '../units.ts';

const advice = 'Write it with tachometer --json-file FILE.';

/** tachometer's JSON: every sample is a page load, so every sample is a run. Source: its `src/json-output.ts`. */
export const tachometer: Adapter = {
  id: 'tachometer',
  describe: 'tachometer --json-file',
  reads: 'a sample is a run of one iteration; two benchmarks in one file are two sides',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE'],
  holdsWarmup: false,
  detect: (head) => head.first === '{' && hasKeys(head, 'benchmarks', 'samples', 'differences', 'measurement'),
  read: async (source) => {
    const root = await readJson(source, { advice });
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
};
