import { checkInteger, checkOpen } from '../internal/check-number.ts';
import { normalTail } from '../internal/normal-tail.ts';
import { studentTQuantile } from '../distributions/student-t-quantile.ts';

/**
 * The probability in each tail that Hesterberg's expanded percentile interval uses:
 * Phi(-sqrt(n/(n - 1)) t), t the 1 - (1 - level)/2 quantile of Student's t with n - 1 degrees of freedom.
 *
 * @param level nominal level in (0, 1).
 * @param n number of independent observations, >= 2 (of a hierarchy: the runs).
 * @returns a probability below (1 - level)/2; for n = 2 so small that it can be 0. When replicates times it is below 1 the
 *   interval's ends are the extreme replicates, and their number, not the data, decides them.
 * @throws RangeError for a level outside (0, 1), n < 2.
 * Source: T. Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69 (2015), section 4. O(1).
 */
export const expandedTail = (level: number, n: number): number => {
  checkOpen('level', level);
  checkInteger('n', n, 2);
  return normalTail(-Math.sqrt(n / (n - 1)) * studentTQuantile((1 - level) / 2, n - 1));
};
