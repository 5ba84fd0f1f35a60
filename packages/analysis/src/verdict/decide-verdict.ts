import type { Verdict } from '@deadheat/model';

/**
 * What an interval of the ratio B / A says about B.
 *
 * - `slower`: the whole interval lies above 1 + margin;
 * - `faster`: the whole interval lies below 1 / (1 + margin), the same distance the other way, so that naming the sides
 *   the other way round turns the verdict round;
 * - otherwise with margin 0 `dead-heat`: the interval straddles 1;
 * - otherwise `dead-heat` when the interval lies within the margin, ends included, else `undecided`.
 *
 * @param interval ends of the interval of the ratio, low <= high.
 * @param margin relative difference that does not matter, >= 0.
 * @throws RangeError for a margin below 0 or ends in the wrong order.
 * Source of the rule for margin 0: Bulej et al., ICPE'20, section 3.
 */
export const decideVerdict = (interval: { readonly low: number; readonly high: number }, margin: number): Verdict => {
  const { low, high } = interval;
  if (!(margin >= 0)) throw new RangeError(`margin must be at least 0, got ${margin}`);
  if (!(low <= high)) throw new RangeError(`low must be at most high, got ${low} and ${high}`);
  const slowest = 1 + margin;
  const fastest = 1 / slowest;
  if (low > slowest) return 'slower';
  if (high < fastest) return 'faster';
  if (margin === 0 || (low >= fastest && high <= slowest)) return 'dead-heat';
  return 'undecided';
};
