import { checkNumber } from '../internal/check-number.ts';
import { gammaTails } from '../internal/gamma-tails.ts';

/**
 * P(X > x) of the chi-squared distribution, in [0, 1], without the cancellation of 1 - cdf.
 *
 * @throws RangeError when x is not finite or df is not above 0. Accuracy, source and cost as `chiSquaredCdf`.
 */
export const chiSquaredSf = (x: number, df: number): number => {
  checkNumber('x', x);
  checkNumber('df', df, Number.MIN_VALUE);
  return x <= 0 ? 1 : gammaTails(df / 2, x / 2).upper;
};
