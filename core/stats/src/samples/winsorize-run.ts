import { checkNumber, checkSample } from '../internal/checks.ts';

/** Result of `winsorizeRun`: the values, and the one observation that was moved, if any. */
export interface WinsorizedRun {
  readonly values: Float64Array;
  readonly replaced: { readonly index: number; readonly from: number; readonly to: number } | null;
}

/**
 * Moves at most one outlier of a run to the nearest value of the others.
 *
 * An observation is an outlier when it lies outside the min-max range of all the others, further away than `limit` times the
 * width of that range (strictly further). Of several the one with the largest distance is moved, of equal distances the
 * first. With equal others the range is 0 wide, and any different value is moved.
 *
 * @param run one run's observations, finite, any unit. Fewer than three come back unchanged: one value has no range.
 * @param options.limit share of the range, default 0.2, >= 0.
 * @throws RangeError for NaN or infinite values, a limit below 0.
 * Source: Bulej et al., ICPE'20, section 4 ("20 %" read as a share of the range). O(n).
 */
export function winsorizeRun(run: ArrayLike<number>, options: { readonly limit?: number } = {}): WinsorizedRun {
  const limit = checkNumber('limit', options.limit ?? 0.2, 0);
  checkSample('run', run, 0);
  const values = Float64Array.from(run);
  const n = values.length;
  if (n < 3) return { values, replaced: null };

  // Only the smallest and the largest can lie outside the others' range; the runner-up at each end bounds that range.
  let least = 0;
  let most = 0;
  for (let i = 1; i < n; i++) {
    if (values[i]! < values[least]!) least = i;
    if (values[i]! > values[most]!) most = i;
  }
  let second = Infinity;
  let beforeLast = -Infinity;
  for (let i = 0; i < n; i++) {
    if (i !== least && values[i]! < second) second = values[i]!;
    if (i !== most && values[i]! > beforeLast) beforeLast = values[i]!;
  }
  const below = second - values[least]!;
  const above = values[most]! - beforeLast;
  const isLow = below > 0 && below > limit * (values[most]! - second);
  const isHigh = above > 0 && above > limit * (beforeLast - values[least]!);
  if (!isLow && !isHigh) return { values, replaced: null };
  const useLow = isLow && (!isHigh || below > above || (below === above && least < most));
  const index = useLow ? least : most;
  const to = useLow ? second : beforeLast;
  const from = values[index]!;
  values[index] = to;
  return { values, replaced: { index, from, to } };
}
