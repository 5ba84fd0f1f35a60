import { checkInteger, checkOpen } from '../internal/check-number.ts';
import { normalTail } from '../internal/normal-tail.ts';
import { wilsonInterval } from '../distributions/wilson-interval.ts';
import type { Interval } from '../resampling/interval.ts';

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
export const proportionTest = (
  successes: number,
  trials: number,
  expected: number,
  options: { readonly level?: number } = {},
): ProportionResult => {
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
};
