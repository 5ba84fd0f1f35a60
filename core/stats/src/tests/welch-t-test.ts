import { checkChoice, checkOpen, checkSample } from '../internal/checks.ts';
import { studentTQuantile, studentTSf } from '../distributions/student-t.ts';
import { mean, variance } from '../samples/moments.ts';
import type { Interval } from '../resampling/bootstrap.ts';

/** The outcome of `welchTTest`. */
export interface WelchResult {
  /** mean(first) - mean(second), in the unit of the values. */
  readonly difference: number;
  /** Standard error of the difference. */
  readonly standardError: number;
  readonly t: number;
  /** Degrees of freedom (Welch and Satterthwaite's, or n1 + n2 - 2). */
  readonly df: number;
  /** Two-sided p value in [0, 1]. */
  readonly p: number;
  /** Confidence interval of the difference. */
  readonly interval: Interval;
  /** Cohen's d: difference over the pooled standard deviation; 0 when both are constant and equal, infinite when constant and not. */
  readonly cohenD: number;
}

/**
 * Welch's t test, two-sided: do the means of two independent samples differ?
 *
 * @param first, second at least two finite numbers each, any common unit.
 * @param options.level of the interval, in (0, 1); default 0.95. options.variances: 'separate' (default, Welch) or 'pooled'
 *   (Student's test for equal variances).
 * @returns when both samples are constant the interval is the difference itself, df n1 + n2 - 2, and p 1 or 0.
 * @throws RangeError for fewer than two values, NaN or infinite values, a level outside (0, 1), other variances.
 *
 * Assumes independent values and about normal means. Source: B. L. Welch, Biometrika 34 (1947); equal to R's `t.test`. O(n).
 */
export function welchTTest(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: { readonly level?: number; readonly variances?: 'separate' | 'pooled' } = {},
): WelchResult {
  const { level = 0.95, variances = 'separate' } = options;
  checkSample('first', first, 2);
  checkSample('second', second, 2);
  checkOpen('level', level);
  checkChoice('variances', variances, ['separate', 'pooled']);
  const n1 = first.length;
  const n2 = second.length;
  const v1 = variance(first);
  const v2 = variance(second);
  const difference = mean(first) - mean(second);
  const pooled = ((n1 - 1) * v1 + (n2 - 1) * v2) / (n1 + n2 - 2);
  const a = (variances === 'pooled' ? pooled : v1) / n1;
  const b = (variances === 'pooled' ? pooled : v2) / n2;
  const standardError = Math.sqrt(a + b);
  if (standardError === 0) {
    const same = difference === 0;
    const t = same ? 0 : Math.sign(difference) * Infinity;
    const interval = { low: difference, high: difference, level };
    return { difference, standardError, t, df: n1 + n2 - 2, p: same ? 1 : 0, interval, cohenD: t };
  }
  // Computed as shares, so that tiny variances do not underflow.
  const share = a / (a + b);
  const df = variances === 'pooled' ? n1 + n2 - 2 : 1 / (share ** 2 / (n1 - 1) + (1 - share) ** 2 / (n2 - 1));
  const t = difference / standardError;
  const half = -studentTQuantile((1 - level) / 2, df) * standardError;
  return {
    difference,
    standardError,
    t,
    df,
    p: Math.min(1, 2 * studentTSf(Math.abs(t), df)),
    interval: { low: difference - half, high: difference + half, level },
    cohenD: difference / Math.sqrt(pooled),
  };
}
