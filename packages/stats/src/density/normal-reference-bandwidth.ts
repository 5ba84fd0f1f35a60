import { checkSample } from '../internal/check-sample.ts';
import { quantiles } from '../samples/quantiles.ts';
import { standardDeviation } from '../samples/standard-deviation.ts';

/**
 * Scott's variation of the rule of thumb: 1.06 min(sd, IQR/1.34) n^(-1/5), in the unit of the values.
 *
 * @param sample at least two finite numbers; equal quartiles give 0, as in R.
 * @throws RangeError for fewer than two values, NaN or infinite values.
 * Equal to R's `bw.nrd`. Source: D. W. Scott, Multivariate Density Estimation (1992). Expected O(n).
 */
export const normalReferenceBandwidth = (sample: ArrayLike<number>): number => {
  checkSample('sample', sample, 2);
  const [q1, q3] = quantiles(sample, [0.25, 0.75]);
  return 1.06 * Math.min(standardDeviation(sample), (q3! - q1!) / 1.34) * sample.length ** -0.2;
};
