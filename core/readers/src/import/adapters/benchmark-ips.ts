import type { Adapter } from '../adapter.ts';
import { type ImportedBenchmark, oneSided, summaryOf } from '../imported-file.ts';
import { hasKeys } from '../import-source.ts';
import type { JsonNode } from '../json/read-json.ts';
import { readJson } from '../json/read-json.ts';
import { rateInverted } from '../limits.ts';
import { nsPer } from '../units.ts';

const advice = "Write it with benchmark-ips: x.json! 'FILE'.";

/** To first order a rate and its inverse have the same relative deviation. */
function toBenchmark(entry: JsonNode): ImportedBenchmark {
  const rate = entry.get('ips').positive();
  const meanNs = nsPer.s / rate;
  const error = entry.maybe('stddev')?.amount() ?? null;
  const iterations = entry.maybe('iterations')?.whole() ?? null;
  const cycles = entry.maybe('cycles')?.whole() ?? null;
  return oneSided({
    name: entry.get('name').text(),
    summary: summaryOf({
      meanNs,
      // It is written in whole operations a second: what was rounded away may be half of one.
      standardDeviationNs: error === null ? null : (Math.max(error, 0.5) / rate) * meanNs,
      samples: iterations === null || cycles === null ? null : Math.max(1, Math.round(iterations / cycles)),
    }),
  });
}

/**
 * benchmark-ips' JSON: operations a second with their standard deviation; samples are as many as its measurement had cycles.
 * Source: its `ips/report.rb`.
 */
export const benchmarkIps: Adapter = {
  id: 'benchmark-ips',
  describe: "JSON of Ruby's benchmark-ips",
  reads: 'means, standard deviations and counts; a rate becomes a time',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'RATE_INVERTED'],
  holdsWarmup: false,
  detect: (head) => head.first === '[' && hasKeys(head, 'name', 'ips', 'microseconds', 'iterations'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    return { benchmarks: root.items().map(toBenchmark), limits: [rateInverted(source.path)] };
  },
};
