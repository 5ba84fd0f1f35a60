import { checkChoice, checkOpen } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { sum } from '../internal/sum.ts';
import { normalQuantile } from '../distributions/normal-quantile.ts';
import { studentTQuantile } from '../distributions/student-t-quantile.ts';
import { mean } from '../samples/mean.ts';
import { variance } from '../samples/variance.ts';
import { ratioSet } from './ratio-of-means.ts';
import type { RatioSet } from './ratio-of-means.ts';

/** How to take the two samples. */
export interface FiellerOptions {
  /** Nominal level in (0, 1); default 0.95. */
  readonly level?: number;
  /**
   * 'welch' (default): independent, degrees of freedom by Satterthwaite for x - ratio y; 'pooled': independent, n1 + n2 - 2; 'paired':
   * value i of both belong together, n - 1, with their covariance; 'normal': independent, normal quantile.
   */
  readonly variant?: 'welch' | 'pooled' | 'paired' | 'normal';
}

/** A confidence set with its level and the degrees of freedom behind it. */
export interface FiellerSet extends RatioSet {
  readonly level: number;
  readonly df: number;
}

/**
 * Fieller's confidence set for mean(numerator) / mean(denominator).
 *
 * @param numerator, denominator at least two finite numbers each, same unit; as many for 'paired'.
 * @returns bounded ('interval') only when the denominator's mean differs from 0 at this level; else 'complement' or 'all', whose
 *   ends must not be read as an interval.
 * @throws RangeError for too few values, NaN or infinite values, unequal lengths when paired, a denominator with mean 0,
 *   another variant.
 *
 * Assumes independent values (or pairs) and about normal means. Source: E. C. Fieller, JRSS B 16 (1954). O(n).
 */
export const fiellerSet = (
  numerator: ArrayLike<number>,
  denominator: ArrayLike<number>,
  options: FiellerOptions = {},
): FiellerSet => {
  const { level = 0.95, variant = 'welch' } = options;
  checkSample('numerator', numerator, 2);
  checkSample('denominator', denominator, 2);
  checkOpen('level', level);
  checkChoice('variant', variant, ['welch', 'pooled', 'paired', 'normal']);
  const n1 = numerator.length;
  const n2 = denominator.length;
  const x = mean(numerator);
  const y = mean(denominator);
  if (y === 0) throw new RangeError('denominator must not have mean 0');
  const vx = variance(numerator) / n1;
  const vy = variance(denominator) / n2;
  let df: number;
  let covariance = 0;
  if (variant === 'normal') df = Infinity;
  else if (variant === 'pooled') df = n1 + n2 - 2;
  else if (variant === 'paired') {
    if (n1 !== n2) throw new RangeError(`denominator must have ${n1} values like numerator when paired, got ${n2}`);
    const products = Float64Array.from(numerator, (value, i) => (value - x) * (denominator[i]! - y));
    covariance = sum(products) / (n1 - 1) / n1;
    df = n1 - 1;
  } else {
    const a = vx;
    const b = (x / y) ** 2 * vy;
    const share = a + b === 0 ? 0.5 : a / (a + b);
    df = 1 / (share ** 2 / (n1 - 1) + (1 - share) ** 2 / (n2 - 1));
  }
  const q = df === Infinity ? -normalQuantile((1 - level) / 2) : -studentTQuantile((1 - level) / 2, df);
  const set = ratioSet(x, y, q * q * vx, q * q * vy, q * q * covariance);
  return { ...set, level, df };
};
