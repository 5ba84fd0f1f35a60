import { segmentIntervalFacts } from '@deadheat/model';
import {
  expandedPercentileInterval,
  mean,
  meanInterval,
  standardDeviation,
  variance,
  varianceComponents,
  type FlatSample,
  type Random,
  expandedTail,
  type VarianceComponents,
} from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import { welchInterval } from '../interval/sequential-ratio-interval.ts';
import { segmentReplicates, type IntervalMethod } from './segment-replicates.ts';

/** Replicates of the paper's resampling. */
export const SEGMENT_REPLICATES = 33_000;

/** The level, and what resampling needs. */
export interface SegmentIntervalOptions {
  /** Inside (0, 1), default 0.99. */
  readonly confidence?: number;
  /** Bootstrap replicates, default 33 000; unused by `normal` and `t`. */
  readonly replicates?: number;
  readonly random: Random;
}

/** The interval of a grand mean, in the unit of the values. */
export interface SegmentInterval extends IntervalMethod {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  /** Estimated standard error of the estimate: analytical, or the spread of the replicates. */
  readonly standardError: number;
  readonly runs: number;
  /** 0 where nothing was resampled. */
  readonly replicates: number;
}

/**
 * The interval of the grand mean of runs of segments of measurements.
 *
 * `normal`, `t`: the mean plus and minus the quantile times the root of `grandMean(...).variance`, t with runs - 1 degrees of
 * freedom. `resampling`: the expanded percentile interval of `segmentReplicates` with n = number of runs.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` with one run; RangeError for a broken sample, a level outside (0, 1), no replicates.
 * Source: Antoch et al., OOPSLA'26, sections 5.1, 5.2 and appendix A; which n the expanded percentile takes is not said there.
 */
export function segmentInterval(
  sample: FlatSample,
  method: IntervalMethod,
  options: SegmentIntervalOptions,
): SegmentInterval {
  const { confidence = 0.99, replicates = SEGMENT_REPLICATES, random } = options;
  const { segments, kind } = method;
  const { mean, variance, runs } = grandMean(sample, segments);
  if (variance === null) {
    throw new AnalysisError(
      'TOO_FEW_RUNS',
      'one run says nothing about the next; an interval needs at least 2 (--runs)',
    );
  }
  const common = { segments, kind, estimate: mean, level: confidence, runs };
  const { from } = segmentIntervalFacts[kind];
  if (from === 'replicates') {
    const drawn = segmentReplicates(sample, segments, { replicates, random });
    const { low, high } = expandedPercentileInterval(drawn, confidence, runs);
    const standardError = replicates > 1 ? standardDeviation(drawn) : Math.sqrt(variance);
    return { ...common, low, high, standardError, replicates };
  }
  const df = from === 'estimated-variance' ? runs - 1 : Infinity;
  const { low, high } = meanInterval({ mean, variance, df, level: confidence });
  return { ...common, low, high, standardError: Math.sqrt(variance), replicates: 0 };
}

/** A grand mean and the estimated variance of it. */
interface GrandMean {
  readonly mean: number;
  /** Estimated variance of the grand mean, in the unit squared; null with one run. */
  readonly variance: number | null;
  readonly runs: number;
}

function runMeansOf({ values, offsets: [runStarts, segmentStarts] }: FlatSample): Float64Array {
  const runs = runStarts!.length - 1;
  return Float64Array.from({ length: runs }, (_, r) =>
    mean(values.subarray(segmentStarts![runStarts![r]!], segmentStarts![runStarts![r + 1]!])),
  );
}

/**
 * The grand mean of runs of segments of measurements and its variance, with segments accounted for and without.
 *
 * `aware`: equation 2; the variance is equation 3 with the exact weights of unequal runs and segments, from the components of
 * equations 5 to 7. `ignorant`: the mean of run means over all measurements, and the variance of the run means over their number.
 *
 * @throws RangeError for a sample of other than three levels, empty groups, values that are not finite.
 * Source: Antoch et al., OOPSLA'26, section 4, appendix A.1 (printed without the division by the number of runs) and A.2.
 */
export function grandMeans(sample: FlatSample): Readonly<Record<IntervalMethod['segments'], GrandMean>> {
  const components = varianceComponents(sample);
  const { runs } = components;
  const means = runMeansOf(sample);
  return {
    aware: { mean: components.grandMean, variance: components.grandMeanVariance, runs },
    ignorant: { mean: mean(means), variance: runs > 1 ? variance(means) / runs : null, runs },
  };
}

/** One of `grandMeans`. @throws RangeError as that */
export function grandMean(sample: FlatSample, segments: IntervalMethod['segments']): GrandMean {
  return grandMeans(sample)[segments];
}

/** "Much larger": the paper's workloads that did not gain had a segment variance below a tenth of the run variance. */
const negligible = 0.1;

/** Replicates that should lie beyond each end of an interval, so that more than the most extreme one decides it. */
const replicatesBeyond = 5;

/** Settings of the interval. */
export interface ChooseMethodOptions {
  /** Inside (0, 1), default 0.99. */
  readonly confidence?: number;
  /** Default 33 000. */
  readonly replicates?: number;
}

/** A method and why it. */
export interface ChosenMethod extends IntervalMethod {
  /** Var(S)/N_SR over Var(R): what segments add to the variance of a run mean, against the runs' own; null where one is unknown. */
  readonly segmentShare: number | null;
  /** One sentence for each of the two choices. */
  readonly reasons: readonly [segments: string, kind: string];
}

function percent(share: number): string {
  return share >= 10 ? `${share.toPrecision(3)} times` : `${(100 * share).toPrecision(3)} % of`;
}

/** Facts that the choice depends on. */
type ChoiceFacts = Pick<VarianceComponents, 'segmentVariance' | 'runVariance' | 'segments' | 'runs'>;

function chooseSegments(
  components: ChoiceFacts,
): Pick<ChosenMethod, 'segments' | 'segmentShare'> & { readonly reason: string } {
  const { segmentVariance, runVariance, segments, runs } = components;
  if (segmentVariance === null) {
    return {
      segments: 'ignorant',
      segmentShare: null,
      reason: 'no run changes its level, so there are no segments to account for',
    };
  }
  if (segmentVariance === 0) {
    return {
      segments: 'aware',
      segmentShare: 0,
      reason: 'segments differ no more than their measurements do; accounting for them is the safe default',
    };
  }
  if (runVariance === null || runVariance === 0) {
    return {
      segments: 'aware',
      segmentShare: null,
      reason: 'what runs differ by is explained by their segments (Var(R) is 0), so segments are accounted for',
    };
  }
  const share = segmentVariance / (segments / runs) / runVariance;
  return share < negligible
    ? {
        segments: 'ignorant',
        segmentShare: share,
        reason: `segments add ${percent(share)} the run variance to a run's mean (Var(S)/N_SR against Var(R)), too little to matter`,
      }
    : {
        segments: 'aware',
        segmentShare: share,
        reason: `segments add ${percent(share)} the run variance to a run's mean (Var(S)/N_SR against Var(R)), so they are accounted for`,
      };
}

/**
 * Which interval to compute: with or without segments, analytical or by resampling.
 *
 * Segments are ignored when Var(S)/N_SR is below a tenth of Var(R), N_SR the mean number of segments in a run, or when there are none;
 * accounting for them is the safe default. Resampling is the safe default too, because run and segment effects may be skewed; with few
 * runs or at an extreme level its ends would be the most extreme replicates (fewer than five beyond each end), and the t interval stands in.
 *
 * @throws RangeError for a level outside (0, 1).
 * Source: Antoch et al., OOPSLA'26, section 7, "Decide on Confidence Interval Computation Method"; that "much larger" means ten times and
 * that five replicates must lie beyond an end is our reading.
 */
export function chooseMethod(components: ChoiceFacts, options: ChooseMethodOptions = {}): ChosenMethod {
  const { confidence = 0.99, replicates = SEGMENT_REPLICATES } = options;
  const { reason, ...segments } = chooseSegments(components);
  const { runs } = components;
  const beyond = runs < 2 ? 0 : expandedTail(confidence, runs) * replicates;
  const resample = beyond >= replicatesBeyond;
  const why = resample
    ? 'resampling makes no assumption about how runs and segments are distributed'
    : `with ${runs} ${runs === 1 ? 'run' : 'runs'} at ${100 * confidence} % only ${beyond.toPrecision(2)} of ${replicates} replicates would lie beyond each end, ` +
      'so a t interval, which assumes normal run means, stands in';
  return { ...segments, kind: resample ? 'resampling' : 't', reasons: [reason, why] };
}

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
  const { from } = segmentIntervalFacts[kind];
  if (from === 'replicates') {
    const below = segmentReplicates(a, segments, { replicates, random });
    const drawn = segmentReplicates(b, segments, { replicates, random }).map((value, k) => Math.log(value / below[k]!));
    const { low, high } = expandedPercentileInterval(drawn, confidence, runs);
    const standardError = replicates > 1 ? standardDeviation(drawn) : Math.sqrt(squaredError);
    return ratioOf({ ...common, low, high, standardError, replicates });
  }
  const { low, high } =
    from === 'estimated-variance'
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
