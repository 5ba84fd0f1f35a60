import { checkNumber, checkOpen } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { normalTail } from '../internal/normal-tail.ts';
import { quantilePair } from '../internal/quantile-pair.ts';
import { normalQuantile } from '../distributions/normal-quantile.ts';
import { mean } from '../samples/mean.ts';
import { jackknifeAcceleration } from './jackknife-acceleration.ts';
import type { Interval } from './interval.ts';

/**
 * Where the estimate and the acceleration come from: the sample itself (the statistic is the mean unless given), or the two
 * numbers.
 */
export type BcaSource =
  | { readonly sample: ArrayLike<number>; readonly statistic?: (resample: Float64Array) => number }
  | { readonly estimate: number; readonly acceleration: number };

/** What `bcaInterval` found on its way: bias correction z0, acceleration, and the two probabilities that it used. */
export interface BcaInterval extends Interval {
  readonly biasCorrection: number;
  readonly acceleration: number;
  readonly probabilities: readonly [number, number];
}

const cdf = (z: number): number => (z < 0 ? normalTail(-z) : 1 - normalTail(z));

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
export const bcaInterval = (replicates: ArrayLike<number>, level: number, source: BcaSource): BcaInterval => {
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
  const probability = (z: number): number => {
    const shifted = biasCorrection + z;
    const scale = 1 - acceleration * shifted;
    // Past the pole of the correction the limit is the extreme replicate on that side.
    return scale <= 0 ? (shifted < 0 ? 0 : 1) : cdf(biasCorrection + shifted / scale);
  };
  const probabilities = [probability(-half), probability(half)] as const;
  const [low, high] = quantilePair(replicates, probabilities[0], probabilities[1]);
  return { low, high, level, biasCorrection, acceleration, probabilities };
};
