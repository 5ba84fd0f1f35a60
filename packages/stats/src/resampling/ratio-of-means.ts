import { checkNumber } from '../internal/check-number.ts';

/** A mean and the half width of its confidence interval, same unit. */
export interface MeanWithHalfWidth {
  readonly mean: number;
  readonly halfWidth: number;
}

/**
 * A confidence set for a ratio. 'interval': low..high. 'complement': everything but the open range low..high (the denominator
 * may be 0, so very large ratios of both signs are possible). 'all': every ratio is possible; low and high are -Infinity and Infinity.
 */
export interface RatioSet {
  readonly ratio: number;
  readonly kind: 'interval' | 'complement' | 'all';
  readonly low: number;
  readonly high: number;
}

/**
 * The ratios r with (n - r d)^2 <= q^2 (vn - 2 r c + r^2 vd), from the means n and d, q^2 times their variances, and q^2 times
 * their covariance. The roots of a quadratic, taken in the form that does not cancel.
 */
export const ratioSet = (n: number, d: number, vn: number, vd: number, c: number): RatioSet => {
  const ratio = n / d;
  // a r^2 - 2 b r + k <= 0
  const a = d * d - vd;
  const b = n * d - c;
  const k = n * n - vn;
  const discriminant = b * b - a * k;
  if (a === 0 || discriminant < 0) return { ratio, kind: 'all', low: -Infinity, high: Infinity };
  const big = b + (b >= 0 ? 1 : -1) * Math.sqrt(discriminant);
  const roots = big === 0 ? [0, 0] : [big / a, k / big];
  const low = Math.min(roots[0]!, roots[1]!);
  const high = Math.max(roots[0]!, roots[1]!);
  return { ratio, kind: a > 0 ? 'interval' : 'complement', low, high };
};

/**
 * Kalibera and Jones' confidence set for a ratio of two independent means, numerator over denominator (new over old).
 *
 * @param numerator, denominator means with the half widths (>= 0) of their intervals, all at the level that the result has. For a
 *   hierarchy the half width is the t quantile with runs - 1 degrees of freedom times the standard error of the run means.
 * @returns the set of ratios; bounded only when the denominator's interval does not hold 0.
 * @throws RangeError for NaN or infinite numbers, a negative half width, a denominator with mean 0.
 *
 * Source: T. Kalibera, R. Jones, "Quantifying performance changes with effect size confidence intervals", technical report
 * 4-12, University of Kent (2012), section 7 (Fieller's theorem with independent means). O(1).
 */
export const ratioOfMeansSet = (numerator: MeanWithHalfWidth, denominator: MeanWithHalfWidth): RatioSet => {
  for (const [name, side] of Object.entries({ numerator, denominator })) {
    checkNumber(`${name}.mean`, side.mean);
    checkNumber(`${name}.halfWidth`, side.halfWidth, 0);
  }
  if (denominator.mean === 0) throw new RangeError('denominator.mean must not be 0');
  return ratioSet(numerator.mean, denominator.mean, numerator.halfWidth ** 2, denominator.halfWidth ** 2, 0);
};
