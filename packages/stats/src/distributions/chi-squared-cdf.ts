import { checkNumber } from '../internal/check-number.ts';
import { gammaTails } from '../internal/gamma-tails.ts';

/**
 * P(X <= x) of the chi-squared distribution, in [0, 1].
 *
 * @param x any finite number (0 below 0). @param df degrees of freedom, above 0, finite.
 * @throws RangeError when x is not finite or df is not above 0.
 *
 * Relative error below 1e-12 for df up to 1e6 where the result is above 1e-300. Source: incomplete gamma function by its series and
 * Legendre's continued fraction (Abramowitz and Stegun 26.4.19, 6.5.29, 6.5.31). O(sqrt(df)) terms.
 */
export const chiSquaredCdf = (x: number, df: number): number => {
  checkNumber('x', x);
  checkNumber('df', df, Number.MIN_VALUE);
  return x <= 0 ? 0 : gammaTails(df / 2, x / 2).lower;
};
