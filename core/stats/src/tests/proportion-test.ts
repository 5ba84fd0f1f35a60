import { checkInteger, checkOpen } from '../internal/checks.ts';
import { normalQuantile, normalTail } from '../distributions/normal.ts';
import type { Interval } from '../resampling/bootstrap.ts';

/**
 * Wilson's score interval for a proportion, in [0, 1]: the proportions that a two-sided normal test would not refuse.
 *
 * @param successes integer in [0, trials]; @param trials integer >= 1.
 * @param options.level in (0, 1), default 0.95. options.continuity: with continuity correction; default false.
 * @throws RangeError naming the argument that is out of its range.
 *
 * Source: E. B. Wilson, JASA 22 (1927); with correction R. G. Newcombe, Statistics in Medicine 17 (1998), method 4. O(1).
 */
export function wilsonInterval(
  successes: number,
  trials: number,
  options: { readonly level?: number; readonly continuity?: boolean } = {},
): Interval {
  const { level = 0.95, continuity = false } = options;
  checkInteger('trials', trials, 1);
  checkInteger('successes', successes, 0, trials);
  checkOpen('level', level);
  const z = -normalQuantile((1 - level) / 2);
  const z2 = z * z;
  const n = trials;
  const p = successes / n;
  const q = (n - successes) / n;
  const scale = 2 * (n + z2);
  const middle = 2 * successes + z2;
  if (!continuity) {
    const half = z * Math.sqrt(z2 + 4 * successes * q);
    // The ends in the form without cancellation: low = 2 k^2/n over (middle + half).
    const low = successes === 0 ? 0 : (2 * successes * p) / (middle + half);
    const high = successes === n ? 1 : (middle + half) / scale;
    return { low, high, level };
  }
  const lowHalf = z * Math.sqrt(Math.max(0, z2 - 2 - 1 / n + 4 * p * (n * q + 1)));
  const highHalf = z * Math.sqrt(Math.max(0, z2 + 2 - 1 / n + 4 * p * (n * q - 1)));
  return {
    low: successes === 0 ? 0 : Math.max(0, (middle - 1 - lowHalf) / scale),
    high: successes === n ? 1 : Math.min(1, (middle + 1 + highHalf) / scale),
    level,
  };
}

/** The outcome of `proportionTest`. */
export interface ProportionResult {
  /** successes / trials. */
  readonly proportion: number;
  /** Score statistic: the distance from `expected` in standard errors under it. */
  readonly z: number;
  /** Two-sided p value in [0, 1]. */
  readonly p: number;
  /** Wilson's interval, which holds `expected` exactly when p > 1 - level. */
  readonly interval: Interval;
  /** Cohen's h: 2 asin sqrt(proportion) - 2 asin sqrt(expected). */
  readonly cohenH: number;
}

/**
 * One-sample score test of a proportion, two-sided: is it `expected`? For example: do intervals miss as often as they say?
 *
 * @param successes integer in [0, trials]; @param trials integer >= 1.
 * @param expected in (0, 1). options.level of the interval, default 0.95.
 * @throws RangeError naming the argument that is out of its range.
 *
 * Without continuity correction; equal to R's `prop.test(correct = FALSE)`. Source: Wilson (1927). O(1).
 */
export function proportionTest(
  successes: number,
  trials: number,
  expected: number,
  options: { readonly level?: number } = {},
): ProportionResult {
  const { level = 0.95 } = options;
  checkInteger('trials', trials, 1);
  checkInteger('successes', successes, 0, trials);
  checkOpen('expected', expected);
  const proportion = successes / trials;
  const z = (proportion - expected) / Math.sqrt((expected * (1 - expected)) / trials);
  return {
    proportion,
    z,
    p: Math.min(1, 2 * normalTail(Math.abs(z))),
    interval: wilsonInterval(successes, trials, { level }),
    cohenH: 2 * Math.asin(Math.sqrt(proportion)) - 2 * Math.asin(Math.sqrt(expected)),
  };
}

/**
 * The score test that two proportions are equal: (a/n - b/m)^2 over the variance with the pooled proportion, as R's
 * `prop.test(correct = FALSE)`. With 0 or all of both, p is 1.
 *
 * @param first successes and trials, whole numbers with 0 <= successes <= trials, trials >= 1; the same of `second`.
 * @returns z, positive where the first proportion is larger, and the two-sided p.
 * @throws RangeError for other numbers.
 * Source: E. B. Wilson's score test for two samples (Newcombe 1998, Statistics in Medicine 17, 873-890). OOPSLA'26 compares miss rates so.
 */
export function twoProportionsTest(
  [a, n]: readonly [successes: number, trials: number],
  [b, m]: readonly [successes: number, trials: number],
): { readonly z: number; readonly p: number } {
  for (const [successes, trials] of [
    [a, n],
    [b, m],
  ] as const) {
    checkInteger('trials', trials, 1);
    checkInteger('successes', successes, 0, trials);
  }
  const pooled = (a + b) / (n + m);
  const variance = pooled * (1 - pooled) * (1 / n + 1 / m);
  if (variance === 0) return { z: 0, p: 1 };
  const z = (a / n - b / m) / Math.sqrt(variance);
  return { z, p: Math.min(1, 2 * normalTail(Math.abs(z))) };
}
