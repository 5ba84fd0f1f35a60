import { checkSample, checkNumber, checkOpen } from '../internal/checks.ts';
import { sum, mean } from '../samples/moments.ts';
import { normalTail, normalQuantile } from '../distributions/normal.ts';
import { quantilePair } from '../samples/quantile.ts';
import type { Interval } from './bootstrap.ts';

/**
 * Acceleration of the BCa interval from the jackknife: sum d^3 / (6 (sum d^2)^1.5), d the mean of the n statistics that leave
 * one value out minus each of them; without unit, 0 for a symmetric or constant sample.
 *
 * @param sample at least two finite numbers.
 * @param statistic default the mean, for which the jackknife has a closed form and costs O(n); else O(n (n + statistic)). It
 *   gets one buffer again and again and must not keep it.
 * @throws RangeError for fewer than two values, NaN or infinite values, a statistic that is not finite.
 * Source: Efron and Tibshirani (1993), equation 14.15.
 */
export function jackknifeAcceleration(
  sample: ArrayLike<number>,
  statistic?: (resample: Float64Array) => number,
): number {
  checkSample('sample', sample, 2);
  const values = Float64Array.from(sample);
  const n = values.length;
  const left = new Float64Array(n);
  if (statistic === undefined) {
    // Leaving x out moves the mean by (mean - x)/(n - 1): only the deviations matter, their scale cancels.
    const centre = sum(values) / n;
    for (let i = 0; i < n; i++) left[i] = centre - values[i]!;
  } else {
    const rest = new Float64Array(n - 1);
    for (let i = 0; i < n; i++) {
      rest.set(values.subarray(0, i));
      rest.set(values.subarray(i + 1), i);
      left[i] = statistic(rest);
      if (!Number.isFinite(left[i])) throw new RangeError(`statistic must return a finite number, got ${left[i]}`);
    }
  }
  const middle = sum(left) / n;
  let largest = 0;
  for (let i = 0; i < n; i++) {
    left[i] = middle - left[i]!;
    largest = Math.max(largest, Math.abs(left[i]!));
  }
  if (largest <= 1e-15 * Math.abs(values[0]!)) return 0;
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i < n; i++) {
    const d = left[i]! / largest;
    squares += d * d;
    cubes += d * d * d;
  }
  return cubes / (6 * squares ** 1.5);
}

/**
 * Where the estimate and the acceleration come from: the sample itself (the statistic is the mean unless given), or the two
 * numbers.
 */
type BcaSource =
  | { readonly sample: ArrayLike<number>; readonly statistic?: (resample: Float64Array) => number }
  | { readonly estimate: number; readonly acceleration: number };

/** An interval of `bcaInterval` with its bias correction z0, its acceleration and the two probabilities of its ends. */
export interface BcaInterval extends Interval {
  readonly biasCorrection: number;
  readonly acceleration: number;
  readonly probabilities: readonly [number, number];
}

function cdf(z: number): number {
  return z < 0 ? normalTail(-z) : 1 - normalTail(z);
}

/**
 * Bias-corrected and accelerated (BCa) bootstrap interval.
 *
 * @param replicates bootstrap replicates of the statistic, at least one finite number; not changed.
 * @param level nominal level in (0, 1).
 * @param source `{sample, statistic}` (jackknife acceleration; statistic defaults to the mean) or `{estimate, acceleration}`.
 * @returns quantiles (type 7) at Phi(z0 + (z0 + z)/(1 - a (z0 + z))) for z the two normal quantiles of the level. z0 is the
 *   normal quantile of the mean of P(t* < t) and P(t* <= t), so ties count half. When every replicate lies on one side of the
 *   estimate, z0 is taken at half a replicate from the edge. A constant sample gives the interval [x, x].
 * @throws RangeError for no replicates, fewer than two values, NaN or infinite numbers, a level outside (0, 1).
 *
 * Source: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987); Drozdik (2023), section 4.3.2, uses it.
 * Expected O(replicates), plus the jackknife (O(n) for the mean).
 */
export function bcaInterval(replicates: ArrayLike<number>, level: number, source: BcaSource): BcaInterval {
  checkSample('replicates', replicates);
  checkOpen('level', level);
  let estimate: number;
  let acceleration: number;
  if ('sample' in source) {
    acceleration = jackknifeAcceleration(source.sample, source.statistic);
    estimate = source.statistic ? source.statistic(Float64Array.from(source.sample)) : mean(source.sample);
  } else {
    ({ estimate, acceleration } = source);
  }
  checkNumber('estimate', estimate);
  checkNumber('acceleration', acceleration);

  // Sums of the same numbers in another order differ in the last digits; such replicates count as equal to the estimate.
  const fuzz = 1e-14 * Math.abs(estimate);
  const count = replicates.length;
  let below = 0;
  for (let i = 0; i < count; i++) {
    const distance = replicates[i]! - estimate;
    if (distance < -fuzz) below += 1;
    else if (distance <= fuzz) below += 0.5;
  }
  const share = Math.min(Math.max(below, 0.5), count - 0.5) / count;
  const biasCorrection = normalQuantile(count === 1 ? 0.5 : share);
  const half = -normalQuantile((1 - level) / 2);

  function probability(z: number): number {
    const shifted = biasCorrection + z;
    const scale = 1 - acceleration * shifted;
    // Past the pole of the correction the limit is the extreme replicate on that side.
    return scale <= 0 ? (shifted < 0 ? 0 : 1) : cdf(biasCorrection + shifted / scale);
  }

  const probabilities = [probability(-half), probability(half)] as const;
  const [low, high] = quantilePair(replicates, probabilities[0], probabilities[1]);
  return { low, high, level, biasCorrection, acceleration, probabilities };
}
