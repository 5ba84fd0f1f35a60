import type { Comparison, Interval } from '@deadheat/model';
import { bootstrapMeans, mean, standardDeviation, studentTQuantile, variance, smallest } from '@deadheat/stats';
import { at } from '../internal/lists.ts';
import { meanProcedures, type Ends, type IntervalOptions } from './location.ts';

/** Ratio and difference of the means of two sides that were measured independently. */
interface SequentialResult {
  readonly ratio: Interval;
  readonly difference: Comparison['difference'];
  /** Standard error of the logarithm of the ratio: over the replicates, for `t` from the sides' variances. */
  readonly standardError: number;
  /** Error of each side's logarithm of the mean, from its variance by the delta method. */
  readonly logParts: readonly ErrorPart[];
  /** The interval of the logarithm of the ratio at any confidence level, of the same replicates. */
  readonly logEndsAt: (confidence: number) => Ends;
}

function errorOf(side: ArrayLike<number>): ErrorPart {
  return {
    squaredError: variance(side) / side.length,
    n: side.length,
  };
}

/** Error of the logarithm of a mean, by the delta method. */
export function logErrorOf(side: ArrayLike<number>): ErrorPart {
  const { squaredError, n } = errorOf(side);
  return { squaredError: squaredError / mean(side) ** 2, n };
}

function fromVariances(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  { confidence, logParts }: { readonly confidence: number; readonly logParts: readonly ErrorPart[] },
) {
  const [meanA, meanB] = [mean(a), mean(b)];
  const parts = [a, b].map(errorOf);
  const log = welchInterval(Math.log(meanB / meanA), { parts: logParts, confidence });
  return {
    logEndsAt: (level: number) => welchInterval(Math.log(meanB / meanA), { parts: logParts, confidence: level }),
    ratio: { low: Math.exp(log.low), high: Math.min(Math.exp(log.high), Number.MAX_VALUE) },
    difference: welchInterval(meanB - meanA, { parts, confidence }),
    standardError: welchError(logParts).standardError,
  };
}

function fromReplicates(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  options: IntervalOptions & Pick<TwoSampleOptions, 'ends'>,
) {
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
}

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
export function sequentialRatioInterval(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  options: IntervalOptions,
): SequentialResult {
  for (const side of [a, b]) {
    if (side.length < 2) throw new RangeError(`an interval needs at least 2 runs a side, got ${side.length}`);
    if (!Array.from(side).every((time) => time > 0 && time < Infinity)) {
      throw new RangeError('times must be finite and above 0');
    }
  }
  const { kind, confidence } = options;
  const logParts = [a, b].map(logErrorOf);
  const procedure = meanProcedures[kind];
  const { ratio, difference, standardError, logEndsAt } =
    procedure.ends === null
      ? fromVariances(a, b, { confidence, logParts })
      : fromReplicates(a, b, { ...options, ends: procedure.ends });
  return {
    ratio: {
      estimate: mean(b) / mean(a),
      ...ratio,
      level: confidence,
      kind: procedure.kind,
      replicates: procedure.ends === null ? 0 : options.replicates,
    },
    difference: { estimateNs: mean(b) - mean(a), lowNs: difference.low, highNs: difference.high },
    standardError,
    logParts,
    logEndsAt,
  };
}

/** A statistic of two independent samples, replicated. */
interface TwoSampleOptions extends Pick<IntervalOptions, 'confidence'> {
  readonly ends: NonNullable<(typeof meanProcedures)['bca']['ends']>;
  readonly estimate: number;
  /** Influence of each value of either sample on the estimate, to first order. */
  readonly influence: readonly Float64Array[];
}

/** The skewness of all influence values together, over 6. */
function accelerationOf(influence: readonly Float64Array[]): number {
  let squares = 0;
  let cubes = 0;
  for (const sample of influence) {
    for (const value of sample) {
      squares += value * value;
      cubes += value * value * value;
    }
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/**
 * The interval of a statistic of two independent samples from its replicates.
 *
 * Source of `bca` for several samples: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 14.
 */
function twoSampleInterval(replicates: Float64Array, options: TwoSampleOptions): Ends {
  const { ends, confidence, estimate, influence } = options;
  const units = smallest(influence.map(({ length }) => length));
  const bca = () => ({ estimate, acceleration: accelerationOf(influence) });
  return ends(replicates, { confidence, units, bca });
}

/**
 * A t interval of the difference of two independent estimates, with the degrees of freedom of Welch and Satterthwaite.
 *
 * @param parts for each of the two its squared standard error and the number of values behind it (at least two).
 */
export function welchInterval(
  estimate: number,
  options: { readonly parts: readonly ErrorPart[]; readonly confidence: number },
): Ends {
  const { standardError, degrees } = welchError(options.parts);
  if (standardError === 0) return { low: estimate, high: estimate };
  const reach = studentTQuantile((1 + options.confidence) / 2, degrees) * standardError;
  return { low: estimate - reach, high: estimate + reach };
}

/** A squared standard error and the number of values behind it (at least two). */
interface ErrorPart {
  readonly squaredError: number;
  readonly n: number;
}

/** Standard error of a difference of independent estimates, with the degrees of freedom of Welch and Satterthwaite. */
export function welchError(parts: readonly ErrorPart[]): { readonly standardError: number; readonly degrees: number } {
  const squared = parts.reduce((sum, { squaredError }) => sum + squaredError, 0);
  const degrees =
    squared === 0
      ? parts.reduce((sum, { n }) => sum + n - 1, 0)
      : 1 / parts.reduce((sum, { squaredError, n }) => sum + (squaredError / squared) ** 2 / (n - 1), 0);
  return { standardError: Math.sqrt(squared), degrees };
}
