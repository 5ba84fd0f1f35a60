import type {
  Benchmark,
  Command,
  Comparison,
  ExperimentConfig,
  Side,
  SideSummary,
  IterationColumns,
  Quantity,
  WarmupRule,
} from '@deadheat/model';
import { mean, studentTQuantile, variance } from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import { measuredIterations } from '../columns/measured-runs.ts';
import { ratioOfLocation, tLocation } from '../interval/location.ts';
import { deviationOf, levelsOfSummary, locationOfLevels, type SideLevels } from '../interval/single-run.ts';
import { boundsOf, differenceBy, pValuesOf } from './estimate.ts';
import { welchError, welchInterval } from '../interval/sequential-ratio-interval.ts';
import { marginAsGiven, marginShare } from '../verdict/margin-share.ts';
import { decideVerdict, minimalDetectableSlowdown } from '../verdict/decide-verdict.ts';
import { blockOrder } from '../warnings/run-warnings.ts';

const nsPerSecond = 1e9;

/** Summary of a side without its times. */
export interface TimesSummary {
  /** Mean time of one invocation, ns, above 0. */
  readonly meanNs: number;
  readonly standardDeviationNs: number | null;
  /** Times behind the mean. */
  readonly samples: number | null;
  /** Where both sides have one it decides, as far as the fastest times bear it out. */
  readonly medianNs: number | null;
  /** Standard deviation that the middle of the times gives, as by quartiles; absent or `null` = not known. */
  readonly spreadNs?: number | null;
  /** True if each of the times is of a process of its own; `false` when absent: they are iterations of one run. */
  readonly ofRuns?: boolean;
  /** Standard deviation between runs of a program, on the log scale, where the times are of one; 1 % when absent. */
  readonly deviationOfRuns?: number | null;
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

/** The levels of a side by its median; `null` where there is none. */
function levelsOf(side: TimesSummary, { deviation, n }: KnownSummary): SideLevels | null {
  const { medianNs: median, minNs: min, spreadNs = null, ofRuns = false } = side;
  if (median === null || !(median > 0)) return null;
  return levelsOfSummary({
    median,
    deviation: spreadNs ?? deviation,
    min,
    n,
    deviationOfRuns: deviationOf(!ofRuns, side.deviationOfRuns),
  });
}

/**
 * Judges two sides of which only summaries are known: by their medians and fastest times (`locationOfLevels`) where both have a median, else by their
 * means, with Welch's t interval of the ratio on the log scale by the delta method. It takes the times to be independent, and one run a side unless they say
 * that they are of several.
 *
 * The `times` of the sides are empty, and where median or extremes are not known the mean stands in their place.
 *
 * @throws AnalysisError `NO_MEASUREMENTS` where a side has no standard deviation or count.
 */
export function compareSummaries({ sides, benchmark, config, inBlocks = false }: SummariesInput): Comparison {
  const { confidence } = config;
  const A = known(sides.A, benchmark.name, 'A');
  const B = known(sides.B, benchmark.name, 'B');
  const levels = { A: levelsOf(sides.A, A), B: levelsOf(sides.B, B) };
  const logParts = [A, B].map(({ mean, deviation, n }) => ({ squaredError: (deviation / mean) ** 2 / n, n }));
  const ofMeans = tLocation({ mean: Math.log(B.mean / A.mean), ...welchError(logParts) }, confidence);
  const ofMedians = levels.A === null || levels.B === null ? null : locationOfLevels(levels.A, levels.B, confidence);
  const byMean = ofMedians === null || config.judge === 'total';
  const location = byMean ? ofMeans : ofMedians;
  const interval = ratioOfLocation(location, confidence);
  const base = byMean ? A.mean : (sides.A.medianNs ?? A.mean);
  const margin = marginShare(config, () => ({ metric: 'time', typicalNs: base }));
  const units = Math.min(A.n, B.n);
  const wallNs = A.mean * A.n + B.mean * B.n;
  return {
    benchmark: benchmark.name,
    params: benchmark.params,
    method: 'sequential',
    methodReason: null,
    neighbourCorrelation: null,
    metric: 'time',
    metricReason: 'wall time: nothing else is in the files',
    judge: byMean ? 'total' : 'typical',
    interval,
    fixedInterval: null,
    total: ratioOfLocation(ofMeans, confidence),
    typical: byMean && ofMedians !== null ? ratioOfLocation(ofMedians, confidence) : null,
    rankInterval: null,
    interim: null,
    stability: null,
    otherMetrics: [],
    difference: differenceBy(interval, base),
    verdict: decideVerdict(interval, margin),
    opposition: null,
    margin,
    ...marginAsGiven(config),
    pValues: pValuesOf({ location, other: null }, { ...config, margin }),
    bounds: boundsOf(location, confidence),
    planned: null,
    minimalDetectableSlowdown: minimalDetectableSlowdown({
      standardError: (location.high - location.low) / 2 / studentTQuantile((1 + confidence) / 2, units - 1),
      degrees: units - 1,
      otherError: 0,
      confidence,
      margin,
    }),
    pairingGain: null,
    shift: null,
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
          `there are ${byMean ? 'means' : 'medians'} and no single times: the interval takes the times to be independent, and ` +
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

/** The values of a quantity on both sides. */
export interface QuantityValues extends Pick<Quantity, 'name' | 'unit'> {
  /** One value a run, or of a single run one an iteration; at least one. */
  readonly values: Readonly<Record<Side, readonly number[]>>;
}

/** Relative difference of the means within which a quantity is the same, where no larger margin is asked for. */
const sameWithin = 0.01;

/** Variance of rounding to whole numbers, which equal integers do not show: uniform over one unit. */
const varianceOfRounding = 1 / 12;

/**
 * The values of a column of iterations without their warm-up: means of runs, of a single run its iterations. Rows without the
 * column are left out.
 */
export function quantityValues(
  runs: readonly IterationColumns[],
  { key, warmup }: { readonly key: string; readonly warmup: WarmupRule },
): readonly number[] {
  const byRun = runs
    .map((run) => Array.from(measuredIterations(run, warmup).metric(key) ?? []).filter(Number.isFinite))
    .filter((values) => values.length > 0);
  const [first] = byRun;
  return byRun.length === 1 && first !== undefined ? first : byRun.map((values) => mean(values));
}

/**
 * Compares the means of a quantity that is no time: Welch's t interval of the ratio on the log scale by the delta method, of the
 * difference where a mean is 0 or below. Equal whole numbers have the scatter of rounding, so that two runs alone do not prove a
 * difference of one allocation.
 */
export function compareQuantity(
  { name, unit, values: { A, B } }: QuantityValues,
  { confidence, margin }: { readonly confidence: number; readonly margin: number },
): Quantity {
  const [meanA, meanB] = [mean(A), mean(B)];
  const hasRatio = meanA > 0 && meanB > 0;
  const known = Math.min(A.length, B.length) >= 2;
  const isConstant = known && [A, B].every((side) => side.every((value) => value === side[0]));
  const isAllEqual = isConstant && A[0] === B[0];
  const sides = {
    A: { mean: meanA, samples: A.length },
    B: { mean: meanB, samples: B.length },
    ...(isConstant ? { isConstant } : {}),
  } as const;
  const isWhole = [...A, ...B].every(Number.isInteger);
  const errors = [A, B].map((side) => ({
    squaredError: known ? Math.max(variance(side), isWhole ? varianceOfRounding : 0) / side.length : 0,
    n: side.length,
  }));
  if (!hasRatio) {
    const { low, high } = known
      ? welchInterval(meanB - meanA, { parts: errors, confidence })
      : { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
    const verdict = isAllEqual ? 'same' : low > 0 ? 'more' : high < 0 ? 'less' : 'undecided';
    return { name, unit, ...sides, ratio: null, verdict };
  }
  const estimate = meanB / meanA;
  const parts = errors.map(({ squaredError, n }, side) => ({
    squaredError: squaredError / (side === 0 ? meanA : meanB) ** 2,
    n,
  }));
  const log = welchInterval(Math.log(estimate), { parts, confidence });
  const { low, high } = isAllEqual
    ? { low: 1, high: 1 }
    : known
      ? { low: Math.exp(log.low), high: Math.min(Math.exp(log.high), Number.MAX_VALUE) }
      : { low: 0, high: Number.MAX_VALUE };
  return {
    name,
    unit,
    ...sides,
    ratio: { estimate, low, high, level: confidence },
    verdict: quantityVerdict({ low, high }, margin),
  };
}

function quantityVerdict(
  { low, high }: { readonly low: number; readonly high: number },
  margin: number,
): Quantity['verdict'] {
  const most = 1 + Math.max(margin, sameWithin);
  if (low >= 1 / most && high <= most) return 'same';
  if (low > 1 + margin) return 'more';
  return high < 1 / (1 + margin) ? 'less' : 'undecided';
}
