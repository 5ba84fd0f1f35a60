import { checkInteger, checkNumber } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { quantileOfSelectable } from '../internal/quantile-of-selectable.ts';
import type { QuantileType } from '../internal/quantile-of-selectable.ts';

export type { QuantileType } from '../internal/quantile-of-selectable.ts';

/**
 * Sample quantile, in the unit of the values.
 *
 * @param sample at least one finite number, in any order; it is not changed.
 * @param p probability in [0, 1]; 0 gives the minimum and 1 the maximum.
 * @param options.type the nine definitions of Hyndman and Fan; default 7 (numpy's and R's default, linear between order
 *   statistics at (n - 1) p). 1-3 are steps, 4-9 interpolate; 6 is (n + 1) p, 8 is median-unbiased.
 * @throws RangeError for an empty sample, NaN or infinite values, p outside [0, 1], another type.
 *
 * Source: R. J. Hyndman, Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996).
 * Expected O(n), by selection instead of a sort.
 */
export const quantile = (
  sample: ArrayLike<number>,
  p: number,
  options: { readonly type?: QuantileType } = {},
): number => {
  checkSample('sample', sample);
  checkNumber('p', p, 0, 1);
  const type = options.type ?? 7;
  checkInteger('type', type, 1, 9);
  return quantileOfSelectable(new Float64Array(sample), p, type);
};
