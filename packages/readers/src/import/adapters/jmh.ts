import type { Adapter } from '../adapter.ts';
import { hasKeys } from '../file-head.ts';
import { JsonNode } from '../json/json-node.ts';
import { readJson } from '../json/read-json.ts';
import { iterationsMerged, rateInverted } from '../limits.ts';
import { RunStore } from '../run-store.ts';
import { JmhResult, type JmhResults } from './jmh-result.ts';

const advice = 'Write it with JMH: -rf json -rff FILE.';

/**
 * JMH's JSON: a fork is a run. Scores become the time of one operation; a sampled iteration is the mean of its
 * histogram. How many operations another iteration held is not in the file. Source: `JSONResultFormat.java`.
 */
export const jmh: Adapter = {
  id: 'jmh',
  describe: 'JMH -rf json',
  reads: 'a fork is a run; in sample mode an iteration is the mean of its histogram; a rate becomes a time',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE', 'RATE_INVERTED', 'ITERATIONS_MERGED'],
  holdsWarmup: false,
  detect: (head) => head.first === '[' && hasKeys(head, 'jmhVersion', 'benchmark'),
  read: async (source) => {
    const { path } = source;
    const results: JmhResults = { path, store: new RunStore(), benchmarks: [], hasRate: false };
    const top = new JsonNode(null, { path, advice });
    const root = await readJson(source, {
      advice,
      reduce: (place, kind) => {
        const [key] = place;
        if (place.length !== 1 || kind !== 'object' || key === undefined) return null;
        return new JmhResult(results, (value) => new JsonNode(value, { path, advice }, { parent: top, key }));
      },
    });
    for (const item of root.items()) if (item.value !== true) throw item.error('an object');
    const { benchmarks, store, hasRate } = results;
    return {
      benchmarks,
      limits: [...(hasRate ? [rateInverted(path)] : []), ...iterationsMerged(path, store.group)],
    };
  },
};
