import type { ImportedBenchmark } from '../imported-file.ts';
import type { JsonNode } from '../json/json-node.ts';
import { oneSided, runOf } from '../one-sided.ts';
import { nsPer } from '../units.ts';

/**
 * A benchmark from tinybench's statistics of latency, ms: its samples where they were retained, else mean, standard
 * deviation and count. Vitest passes them on under its own names.
 */
export const fromStatistics = (
  statistics: JsonNode,
  facts: { readonly name: string; readonly params?: Readonly<Record<string, string>> },
): ImportedBenchmark => {
  const samples = statistics.maybe('samples')?.amounts() ?? [];
  if (samples.length > 0) {
    return oneSided({
      ...facts,
      runs: [
        runOf(
          '0',
          Array.from(samples, (ms) => ({ durationNs: ms * nsPer.ms })),
        ),
      ],
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
};
