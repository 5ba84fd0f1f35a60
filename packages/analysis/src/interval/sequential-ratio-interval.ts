import type { Comparison, Ratio } from '@deadheat/model';
import { bootstrapMeans, mean, standardDeviation, variance } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { intervalName } from './interval-name.ts';
import type { Ends, IntervalOptions } from './interval-options.ts';
import { twoSampleInterval } from './two-sample-interval.ts';
import { welchError, type ErrorPart } from './welch-error.ts';
import { welchInterval } from './welch-interval.ts';

/** Ratio and difference of the means of two sides that were measured independently. */
export interface SequentialResult {
  readonly ratio: Ratio;
  readonly difference: Comparison['difference'];
  /** Standard error of the logarithm of the ratio: over the replicates, for `t` from the sides' variances. */
  readonly standardError: number;
  /** Of each side's logarithm of the mean, from its variance by the delta method. */
  readonly logParts: readonly ErrorPart[];
  /** The interval of the logarithm of the ratio at any confidence level, of the same replicates. */
  readonly logEndsAt: (confidence: number) => Ends;
}

const errorOf = (side: ArrayLike<number>): ErrorPart => ({
  squaredError: variance(side) / side.length,
  n: side.length,
});

const logErrorOf = (side: ArrayLike<number>): ErrorPart => {
  const { squaredError, n } = errorOf(side);
  return { squaredError: squaredError / mean(side) ** 2, n };
};

const fromVariances = (
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  { confidence, logParts }: { readonly confidence: number; readonly logParts: readonly ErrorPart[] },
) => {
  const [meanA, meanB] = [mean(a), mean(b)];
  const parts = [a, b].map(errorOf);
  const log = welchInterval(Math.log(meanB / meanA), { parts: logParts, confidence });
  return {
    logEndsAt: (level: number) => welchInterval(Math.log(meanB / meanA), { parts: logParts, confidence: level }),
    ratio: { low: Math.exp(log.low), high: Math.min(Math.exp(log.high), Number.MAX_VALUE) },
    difference: welchInterval(meanB - meanA, { parts, confidence }),
    standardError: welchError(logParts).standardError,
  };
};

const fromReplicates = (a: ArrayLike<number>, b: ArrayLike<number>, options: IntervalOptions) => {
  const { replicates, random } = options;
  const meansA = bootstrapMeans(a, { replicates, random });
  const meansB = bootstrapMeans(b, { replicates, random });
  const logRatios = meansA.map((value, k) => Math.log(at(meansB, k) / value));
  const [meanA, meanB] = [mean(a), mean(b)];
  const influence = {
    difference: [
      Float64Array.from(a, (x) => (meanA - x) / a.length),
      Float64Array.from(b, (x) => (x - meanB) / b.length),
    ],
    logRatio: [
      Float64Array.from(a, (x) => (1 - x / meanA) / a.length),
      Float64Array.from(b, (x) => (x / meanB - 1) / b.length),
    ],
  };
  const logEndsAt = (confidence: number): Ends =>
    twoSampleInterval(logRatios, {
      ...options,
      confidence,
      estimate: Math.log(meanB / meanA),
      influence: influence.logRatio,
    });
  const log = logEndsAt(options.confidence);
  return {
    logEndsAt,
    ratio: { low: Math.exp(log.low), high: Math.min(Math.exp(log.high), Number.MAX_VALUE) },
    difference: twoSampleInterval(
      meansA.map((value, k) => at(meansB, k) - value),
      { ...options, estimate: meanB - meanA, influence: influence.difference },
    ),
    standardError: standardDeviation(logRatios),
  };
};

/**
 * The standard method: the run means of both sides are drawn independently, and difference and ratio of the two means come
 * from the same replicates. `expanded` takes the size of the smaller side; `bca` takes the acceleration from the influence
 * values of both sides; `t` is Welch's interval, for the ratio on the log scale by the delta method.
 *
 * @param a the mean time of every run of A, ns, above 0, at least two.
 * @param b the same of B; their number may differ.
 * @throws RangeError for fewer than two runs a side or times that are not finite and above 0.
 * Source: Bulej et al., ICPE'20, section 4.1, the method compared against; Hesterberg 2015 (`expanded`).
 */
export const sequentialRatioInterval = (
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  options: IntervalOptions,
): SequentialResult => {
  for (const side of [a, b]) {
    if (side.length < 2) throw new RangeError(`an interval needs at least 2 runs a side, got ${side.length}`);
    if (!Array.from(side).every((time) => time > 0 && time < Infinity)) {
      throw new RangeError('times must be finite and above 0');
    }
  }
  const { kind, confidence } = options;
  const logParts = [a, b].map(logErrorOf);
  const { ratio, difference, standardError, logEndsAt } =
    kind === 't' ? fromVariances(a, b, { confidence, logParts }) : fromReplicates(a, b, options);
  return {
    ratio: {
      estimate: mean(b) / mean(a),
      ...ratio,
      confidence,
      interval: intervalName(kind),
      replicates: kind === 't' ? 0 : options.replicates,
    },
    difference: { estimateNs: mean(b) - mean(a), lowNs: difference.low, highNs: difference.high },
    standardError,
    logParts,
    logEndsAt,
  };
};
