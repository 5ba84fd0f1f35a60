import { checkSample } from '../internal/checks.ts';
import { anytimeTCritical } from './anytime-t-critical.ts';
import { fewestAnytimeValues } from './fewest-anytime-values.ts';

export interface AnytimeIntervalOptions {
  /** Level that holds over all looks together, in (0, 1). */
  readonly confidence: number;
  /**
   * Which of two conditions each value was measured under, where they may differ by a constant that is not of interest; the
   * mean is then the mean of the two conditions' means. Absent: one condition.
   */
  readonly conditions?: readonly boolean[];
}

/** An interval of a mean that holds its level however often, and whenever, it is looked at. */
export interface AnytimeInterval {
  readonly mean: number;
  /** -Infinity and Infinity with fewer values than `fewestAnytimeValues`. */
  readonly low: number;
  readonly high: number;
  readonly standardDeviation: number;
  /** Number of equally informative values behind the mean: all of them where the conditions are as frequent as each other. */
  readonly size: number;
  /** Of the standard deviation. */
  readonly degrees: number;
}

/** How many times Johnson's shift is added on the side of the shorter tail; by simulation, decision 4. */
const SHIFTS = 3;

/** Sums over what is left of the values without their condition's mean. */
const residualsOf = (values: ArrayLike<number>, conditions: readonly boolean[] | undefined) => {
  const counts = [0, 0];
  const sums = [0, 0];
  const place = (i: number): 0 | 1 => (conditions?.[i] === true ? 1 : 0);
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
};

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
export const anytimeMeanInterval = (values: ArrayLike<number>, options: AnytimeIntervalOptions): AnytimeInterval => {
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
  const shift = (SHIFTS * (1 / 6 + critical ** 2 / 3) * Math.abs(skewness)) / Math.sqrt(size);
  const error = standardDeviation / Math.sqrt(size);
  return {
    ...common,
    low: mean - (critical + (skewness < 0 ? shift : 0)) * error,
    high: mean + (critical + (skewness > 0 ? shift : 0)) * error,
  };
};
