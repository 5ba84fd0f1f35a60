import { checkOpen, checkInteger, checkNumber, checkSample } from '../internal/checks.ts';

/** Share of the values that lie in the more frequent of two modes, of which the other may not have shown yet. */
const frequentShare = 0.7;
/** A sample that has seen only one of the modes by chance may use up this share of the error. */
const shareOfMiss = 3 / 4;

/**
 * The number of values at which `anytimeMeanInterval` is finite for the first time. Values of two modes, seven of ten in one of them, come
 * all from the same mode with a probability of 0.7^n + 0.3^n, and then say nothing of where the mean is; that must be no more than three
 * quarters of 1 - confidence. 14 at 99 %, 10 at 95 %.
 *
 * @throws RangeError for a confidence outside (0, 1).
 */
export function fewestAnytimeValues(confidence: number): number {
  const most = shareOfMiss * (1 - checkOpen('confidence', confidence));
  let n = 3;
  while (frequentShare ** n + (1 - frequentShare) ** n > most) n++;
  return n;
}

/** Options of `anytimeTCritical`: the data at an interim analysis. */
interface AnytimeTOptions {
  /** Number of equally informative values behind the mean, > 0. */
  readonly size: number;
  /** Degrees of freedom of the standard deviation, >= 1. */
  readonly degrees: number;
  /** Level over all interim analyses together, in (0, 1). */
  readonly confidence: number;
}

/**
 * The critical value of an anytime interval: how many standard errors it reaches to each side of the mean when it may
 * be analysed after every value: the probability that any of the intervals ever leaves out the true mean is at most 1 -
 * confidence.
 *
 * The t statistic's Bayes factor with a normal prior of variance sigma^2 for the mean and the right Haar prior for
 * whatever else the mean is fitted with and for sigma is a nonnegative supermartingale of mean 1 for the true mean; it
 * passes 1 / (1 - confidence) with at most that probability (Ville). With k = 1 + size, R = (k^(1/2) / (1 -
 * confidence))^(2 / (degrees + 1)) it does so at t^2 / degrees = (R - 1) / (1 - R / k). The prior decides where the
 * interval is tight; that of one standard deviation of a value suits differences from a third of that to twice that
 * (decision 4).
 *
 * @returns > 0; Infinity while no data could be strong enough.
 * @throws RangeError naming the argument that is out of its range. Assumes independent normal values. Source: T. L.
 *   Lai, Annals of Statistics 4 (1976), 265-280; H. Wang, A. Ramdas, Anytime-valid t-tests and confidence sequences for
 *   Gaussian means with unknown variance (2024), sections 3 and 4. O(1).
 */
export function anytimeTCritical({ size, degrees, confidence }: AnytimeTOptions): number {
  checkNumber('size', size, Number.MIN_VALUE);
  checkInteger('degrees', degrees, 1);
  checkOpen('confidence', confidence);
  const k = 1 + size;
  const logR = (2 / (degrees + 1)) * (0.5 * Math.log(k) - Math.log1p(-confidence));
  const rest = -Math.expm1(logR - Math.log(k));
  return rest > 0 ? Math.sqrt((degrees * Math.expm1(logR)) / rest) : Infinity;
}

interface AnytimeIntervalOptions {
  /** Level over all interim analyses together, in (0, 1). */
  readonly confidence: number;
  /**
   * Which of two conditions each value was measured under, where they may differ by a constant that is not of interest; the
   * mean is then the mean of the two conditions' means. Absent: one condition.
   */
  readonly conditions?: readonly boolean[];
}

/** An interval of a mean that keeps its level at any number of interim analyses, at any time. */
export interface AnytimeInterval {
  readonly mean: number;
  /** -Infinity and Infinity with fewer values than `fewestAnytimeValues`. */
  readonly low: number;
  readonly high: number;
  readonly standardDeviation: number;
  /** Number of equally informative values behind the mean: all of them where the conditions are as frequent as each other. */
  readonly size: number;
  /** Degrees of freedom of the standard deviation. */
  readonly degrees: number;
}

/** Multiple of Johnson's shift that is added on the side of the shorter tail; by simulation, decision 4. */
const shiftSteps = 3;

/**
 * Standard errors by which an interval is wider on the side of the shorter tail: `shiftSteps` times Johnson's shift.
 *
 * @param facts.critical of the interval, as of `anytimeTCritical`.
 * @param facts.skewness of the values; its sign does not count.
 * @param facts.size number of values, > 0.
 * @returns 0 or more, in standard errors of the mean.
 * Source: N. J. Johnson, JASA 73 (1978), 536-544, eq. 2.6.
 */
export function anytimeSkewnessShift(facts: {
  readonly critical: number;
  readonly skewness: number;
  readonly size: number;
}): number {
  const { critical, skewness, size } = facts;
  return (shiftSteps * (1 / 6 + critical ** 2 / 3) * Math.abs(skewness)) / Math.sqrt(size);
}

/** Sums over the residuals: the values minus the mean of their condition. */
function residualsOf(values: ArrayLike<number>, conditions: readonly boolean[] | undefined) {
  const counts = [0, 0];
  const sums = [0, 0];

  function place(i: number): 0 | 1 {
    return conditions?.[i] === true ? 1 : 0;
  }

  for (let i = 0; i < values.length; i++) {
    counts[place(i)]! += 1;
    sums[place(i)]! += values[i]!;
  }
  const means = [0, 1].map((k) => (counts[k] === 0 ? 0 : sums[k]! / counts[k]!));
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i < values.length; i++) {
    const residual = values[i]! - means[place(i)]!;
    squares += residual * residual;
    cubes += residual * residual * residual;
  }
  const used = [0, 1].filter((k) => counts[k]! > 0);
  const mean = used.reduce((sum, k) => sum + means[k]!, 0) / used.length;
  const size = used.length ** 2 / used.reduce((sum, k) => sum + 1 / counts[k]!, 0);
  return { mean, size, degrees: values.length - used.length, squares, cubes };
}

/**
 * A confidence sequence of the mean of independent values with an unknown variance: mean plus and minus `anytimeTCritical`
 * standard errors, from `fewestAnytimeValues` values on, and further on the side of the sample's shorter tail, where a t
 * statistic errs when values are skewed: by three times the shift (c^2 / 3 + 1 / 6) |skewness| / size^(1/2) of Johnson's
 * modified t test at the critical value c.
 *
 * @param values at least two, finite.
 * @throws RangeError for fewer values, values that are not finite, conditions of another length, or a confidence outside (0, 1).
 * Source: as `anytimeTCritical`; N. J. Johnson, JASA 73 (1978), 536-544, eq. 2.6. O(n).
 */
export function anytimeMeanInterval(values: ArrayLike<number>, options: AnytimeIntervalOptions): AnytimeInterval {
  const { confidence, conditions } = options;
  checkSample('values', values, 2);
  const n = values.length;
  if (conditions !== undefined && conditions.length !== n) {
    throw new RangeError(`conditions must be as many as values, ${n}, got ${conditions.length}`);
  }
  const { mean, size, degrees, squares, cubes } = residualsOf(values, conditions);
  const standardDeviation = degrees > 0 ? Math.sqrt(squares / degrees) : 0;
  const common = { mean, standardDeviation, size, degrees };
  if (n < fewestAnytimeValues(confidence)) return { ...common, low: -Infinity, high: Infinity };
  const critical = anytimeTCritical({ size, degrees, confidence });
  if (critical === Infinity) return { ...common, low: -Infinity, high: Infinity };
  if (standardDeviation === 0) return { ...common, low: mean, high: mean };
  const skewness = ((Math.sqrt(n * (n - 1)) / (n - 2)) * (cubes / n)) / standardDeviation ** 3;
  const shift = anytimeSkewnessShift({ critical, skewness, size });
  const error = standardDeviation / Math.sqrt(size);
  return {
    ...common,
    low: mean - (critical + (skewness < 0 ? shift : 0)) * error,
    high: mean + (critical + (skewness > 0 ? shift : 0)) * error,
  };
}
