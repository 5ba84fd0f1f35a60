import type { Benchmark, Command, Comparison, ExperimentConfig, Interval, Side, SideSummary } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import { welchError, welchInterval } from '../interval/sequential-ratio-interval.ts';
import { blockOrder } from '../warnings/run-warnings.ts';
import { claimedVerdict, deadHeatBoundOf } from './judging.ts';
import { decideVerdict, minimalDetectableSlowdown, pValues } from '../verdict/decide-verdict.ts';

const nsPerSecond = 1e9;

/** Summary of a side without its times. */
export interface TimesSummary {
  /** Mean time of one invocation, ns, above 0. */
  readonly meanNs: number;
  readonly standardDeviationNs: number | null;
  /** Times behind the mean. */
  readonly samples: number | null;
  /** Present where known; they do not count for the result. */
  readonly medianNs: number | null;
  readonly minNs: number | null;
  readonly maxNs: number | null;
}

interface SummariesInput {
  readonly sides: Readonly<Record<Side, TimesSummary>>;
  readonly benchmark: Benchmark;
  readonly config: ExperimentConfig;
  /** True if A was measured before B; `false` when absent. */
  readonly inBlocks?: boolean;
}

interface KnownSummary {
  readonly mean: number;
  readonly deviation: number;
  readonly n: number;
}

function known({ meanNs, standardDeviationNs, samples }: TimesSummary, benchmark: string, side: Side): KnownSummary {
  if (standardDeviationNs !== null && samples !== null && samples >= 2 && meanNs > 0) {
    return { mean: meanNs, deviation: standardDeviationNs, n: samples };
  }
  throw new AnalysisError(
    'NO_MEASUREMENTS',
    `${benchmark}: side ${side} has a mean but no single times, and not both a standard deviation and a number of times ` +
      'above one, so no interval can be given; let the tool keep its samples',
    { benchmark },
  );
}

/**
 * Judges two sides of which only means, standard deviations and counts are known: Welch's t interval of the ratio on the
 * log scale by the delta method. It takes the times to be independent, and one run a side.
 *
 * The `times` of the sides are empty, and where median or extremes are not known the mean stands in their place.
 *
 * @throws AnalysisError `NO_MEASUREMENTS` where a side has no standard deviation or count.
 */
export function compareSummaries({ sides, benchmark, config, inBlocks = false }: SummariesInput): Comparison {
  const { confidence, margin } = config;
  const A = known(sides.A, benchmark.name, 'A');
  const B = known(sides.B, benchmark.name, 'B');
  const parts = [A, B].map(({ deviation, n }) => ({ squaredError: deviation ** 2 / n, n }));
  const logParts = [A, B].map(({ mean, deviation, n }) => ({ squaredError: (deviation / mean) ** 2 / n, n }));
  const log = welchInterval(Math.log(B.mean / A.mean), { parts: logParts, confidence });
  const difference = welchInterval(B.mean - A.mean, { parts, confidence });
  const interval: Interval = {
    estimate: B.mean / A.mean,
    low: Math.exp(log.low),
    high: Math.min(Math.exp(log.high), Number.MAX_VALUE),
    level: confidence,
    kind: 't',
    replicates: 0,
  };
  const units = Math.min(A.n, B.n);
  const logError = { logRatio: Math.log(B.mean / A.mean), ...welchError(logParts) };
  const detectable = () =>
    minimalDetectableSlowdown({
      standardDeviation: logError.standardError * Math.sqrt(units),
      units,
      confidence,
      margin,
    });
  const wallNs = A.mean * A.n + B.mean * B.n;
  return {
    benchmark: benchmark.name,
    params: benchmark.params,
    method: 'sequential',
    methodReason: null,
    neighbourCorrelation: null,
    metric: 'time',
    metricReason: 'wall time: nothing else is in the files',
    interval,
    fixedInterval: null,
    meanInterval: null,
    rankInterval: null,
    interim: null,
    stability: null,
    otherMetrics: [],
    difference: { estimateNs: B.mean - A.mean, lowNs: difference.low, highNs: difference.high },
    verdict: claimedVerdict(decideVerdict(interval, margin), { slow: null, interval, detectable, config }),
    margin,
    ...deadHeatBoundOf(config),
    pValues: pValues(logError, margin),
    planned: null,
    minimalDetectableSlowdown: detectable(),
    pairingGain: null,
    outlook: null,
    runs: 1,
    pairs: 0,
    resampled: { unit: 'iteration', count: units },
    iterationsPerRun: (A.n + B.n) / 2,
    discarded: { warmup: 0, outliers: 0, unpaired: 0 },
    sides: {
      A: summaryOf(sides.A, A, benchmark.commands.A),
      B: summaryOf(sides.B, B, benchmark.commands.B),
    },
    time: { wallNs, machineNs: wallNs },
    warnings: [
      {
        code: 'SUMMARY_ONLY',
        message:
          'there are means and no single times: the interval takes the times to be independent and of one run each, and ' +
          'no outlier, trend or warm-up can be seen; let the tool keep its samples, or measure with deadheat itself',
      },
      ...(inBlocks ? [blockOrder(null)] : []),
    ],
  };
}

function summaryOf(known: TimesSummary, { mean, deviation }: KnownSummary, command: Command): SideSummary {
  return {
    command: command.commandLine,
    name: command.name,
    mean: mean / nsPerSecond,
    stddev: deviation / nsPerSecond,
    median: (known.medianNs ?? mean) / nsPerSecond,
    min: (known.minNs ?? mean) / nsPerSecond,
    max: (known.maxNs ?? mean) / nsPerSecond,
    user: null,
    system: null,
    cv: deviation / mean,
    times: [],
    exitCodes: [],
    maxRssBytes: null,
    metric: 'time',
    alone: null,
  };
}
