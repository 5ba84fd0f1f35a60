import { checkInteger, checkNumber } from '../internal/check-number.ts';
import { checkSample } from '../internal/check-sample.ts';
import { quantileOfSelectable } from '../internal/quantile-of-selectable.ts';
import type { QuantileType } from '../internal/quantile-of-selectable.ts';

/**
 * Several quantiles of one sample, in the order of the probabilities; each equals `quantile(sample, p, options)`.
 *
 * @param sample at least one finite number; it is not changed.
 * @param ps probabilities in [0, 1].
 * @throws RangeError as `quantile`. Expected O(n) for each probability, one copy for all.
 */
export const quantiles = (
  sample: ArrayLike<number>,
  ps: ArrayLike<number>,
  options: { readonly type?: QuantileType } = {},
): number[] => {
  checkSample('sample', sample);
  const type = options.type ?? 7;
  checkInteger('type', type, 1, 9);
  const buffer = new Float64Array(sample);
  const out: number[] = [];
  for (let i = 0; i < ps.length; i++) {
    out.push(quantileOfSelectable(buffer, checkNumber(`ps[${i}]`, ps[i]!, 0, 1), type));
  }
  return out;
};
