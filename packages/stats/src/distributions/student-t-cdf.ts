import { checkDegrees } from '../internal/check-degrees.ts';
import { checkNumber } from '../internal/check-number.ts';
import { normalTail } from '../internal/normal-tail.ts';
import { studentTail } from '../internal/student-tail.ts';

/**
 * P(T <= t) of Student's t distribution, in [0, 1].
 *
 * @param t any finite number.
 * @param df degrees of freedom, above 0, not necessarily whole; Infinity gives the normal distribution.
 * @throws RangeError when t is NaN or infinite, or df is not above 0.
 *
 * Relative error of the smaller tail below 1e-12 for df from 0.1 to 1e15 and tails down to 1e-300: series around the centre,
 * Gauss' series of the incomplete beta function in the tail, and for many degrees of freedom the double exponential rule
 * (Takahasi and Mori 1974) on the tail's relative decay. O(1): at most some thousand terms.
 */
export const studentTCdf = (t: number, df: number): number => {
  checkNumber('t', t);
  checkDegrees(df);
  const size = Math.abs(t);
  const tail = df === Infinity ? normalTail(size) : studentTail(size, df);
  return t < 0 ? tail : 1 - tail;
};
