import type { TimesSummary } from '@deadheat/analysis';
import { mean, median, standardDeviation } from '@deadheat/stats';
import type { ImportedBenchmark } from './import/imported-file.ts';

/** Mean and scatter of all measured times of a benchmark, where the other side has no more than that. */
export function toSummary({ summary, runs }: ImportedBenchmark): TimesSummary {
  if (summary !== null) return summary;
  const times = runs.flatMap(({ iterations }) => {
    const invocations = iterations.metric('n');
    return Array.from(iterations.durationsNs, (ns, row) => ns / (invocations?.[row] ?? 1)).filter(
      (_, row) => !iterations.isWarmup(row),
    );
  });
  const none = { standardDeviationNs: null, medianNs: null, minNs: null, maxNs: null };
  if (times.length === 0) return { ...none, meanNs: 0, samples: 0 };
  return {
    meanNs: mean(times),
    standardDeviationNs: times.length > 1 ? standardDeviation(times) : null,
    samples: times.length,
    medianNs: median(times),
    minNs: times.reduce((least, time) => Math.min(least, time)),
    maxNs: times.reduce((most, time) => Math.max(most, time)),
  };
}
