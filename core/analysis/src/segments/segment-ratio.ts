import {
  expandedPercentileInterval,
  meanInterval,
  standardDeviation,
  type FlatSample,
  type VarianceComponents,
} from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import { welchInterval } from '../interval/sequential-ratio-interval.ts';
import {
  grandMean,
  SEGMENT_REPLICATES,
  segmentInterval,
  type SegmentInterval,
  type SegmentIntervalOptions,
  chooseMethod,
  type ChooseMethodOptions,
  type ChosenMethod,
} from './segment-interval.ts';
import { segmentReplicates, type IntervalMethod } from './segment-replicates.ts';

/** The interval of a ratio B / A, from that of its logarithm. `standardError` stays that of the logarithm. */
function ratioOf(interval: SegmentInterval): SegmentInterval {
  return {
    ...interval,
    estimate: Math.exp(interval.estimate),
    low: Math.exp(interval.low),
    high: Math.min(Math.exp(interval.high), Number.MAX_VALUE),
  };
}

/**
 * The ratio of the two sides of a duet: the logarithms of its paired ratios are one series a run, with segments of its own, and their
 * grand mean is the logarithm of the ratio (`segmentInterval`).
 *
 * @param logRatios runs of segments of ln(B / A), a value a pair.
 * @throws AnalysisError, RangeError as `segmentInterval`.
 * Ours; docs/methods/procedures/segment-ratio.md derives it from equations 1 to 3 of Antoch et al., OOPSLA'26.
 */
export function duetSegmentRatio(
  logRatios: FlatSample,
  method: IntervalMethod,
  options: SegmentIntervalOptions,
): SegmentInterval {
  return ratioOf(segmentInterval(logRatios, method, options));
}

/**
 * The ratio of two sides that were measured by themselves, each with its own runs and segments: the ratio of their grand means, with the
 * sum of their relative variances as the variance of its logarithm. `t` takes the degrees of freedom of Welch and Satterthwaite;
 * `resampling` draws both sides independently, and the expanded percentile takes the number of runs of the side with fewer.
 *
 * @param a runs of segments of A's times, above 0; b those of B; runs may differ in number and length.
 * @throws AnalysisError `TOO_FEW_RUNS` with one run on a side; RangeError for a broken sample, a grand mean that is not above 0, options
 *   as `segmentInterval`.
 * Ours; docs/methods/procedures/segment-ratio.md derives it.
 */
export function sequentialSegmentRatio(
  a: FlatSample,
  b: FlatSample,
  method: IntervalMethod,
  options: SegmentIntervalOptions,
): SegmentInterval {
  const { confidence = 0.99, replicates = SEGMENT_REPLICATES, random } = options;
  const { segments, kind } = method;
  const sides = [grandMean(a, segments), grandMean(b, segments)] as const;
  const parts = sides.map(({ mean, variance, runs }) => {
    if (variance === null) {
      throw new AnalysisError(
        'TOO_FEW_RUNS',
        'one run of a side says nothing about the next; give both at least 2 (--runs)',
      );
    }
    if (!(mean > 0)) throw new RangeError(`times must be above 0, got a grand mean of ${mean}`);
    return { squaredError: variance / mean ** 2, n: runs };
  });
  const estimate = Math.log(sides[1].mean / sides[0].mean);
  const runs = Math.min(sides[0].runs, sides[1].runs);
  const squaredError = parts.reduce((sum, part) => sum + part.squaredError, 0);
  const common = { segments, kind, estimate, level: confidence, runs };
  if (kind === 'resampling') {
    const below = segmentReplicates(a, segments, { replicates, random });
    const drawn = segmentReplicates(b, segments, { replicates, random }).map((value, k) => Math.log(value / below[k]!));
    const { low, high } = expandedPercentileInterval(drawn, confidence, runs);
    const standardError = replicates > 1 ? standardDeviation(drawn) : Math.sqrt(squaredError);
    return ratioOf({ ...common, low, high, standardError, replicates });
  }
  const { low, high } =
    kind === 't'
      ? welchInterval(estimate, { parts, confidence })
      : meanInterval({ mean: estimate, variance: squaredError, df: Infinity, level: confidence });
  return ratioOf({ ...common, low, high, standardError: Math.sqrt(squaredError), replicates: 0 });
}

/** The sum over both sides, relative to their squared means; null where neither has the component. */
function relativeSum(parts: readonly { readonly variance: number | null; readonly mean: number }[]): number | null {
  return parts.every(({ variance }) => variance === null)
    ? null
    : parts.reduce((sum, { variance, mean }) => sum + (variance ?? 0) / mean ** 2, 0);
}

/**
 * Which interval of `sequentialSegmentRatio` to compute: as `chooseMethod`, with the relative variances of both sides added up, because the
 * segments of one side alone can widen the ratio, and both means must be of one kind.
 *
 * @throws RangeError as `chooseMethod`.
 */
export function chooseSequentialMethod(
  a: VarianceComponents,
  b: VarianceComponents,
  options: ChooseMethodOptions = {},
): ChosenMethod {
  const runs = Math.min(a.runs, b.runs);
  // Per run mean, so that one segment a run is what chooseMethod divides by.
  const segmentVariance = relativeSum(
    [a, b].map(({ segmentVariance: variance, segments, runs: own, grandMean: mean }) => ({
      variance: variance === null ? null : variance / (segments / own),
      mean,
    })),
  );
  const runVariance = relativeSum([a, b].map(({ runVariance: variance, grandMean: mean }) => ({ variance, mean })));
  return chooseMethod({ segmentVariance, runVariance, segments: runs, runs }, options);
}
