import { studentTLogCdf } from './student-t-log-cdf.ts';

/**
 * ln P(T > t) of Student's t distribution, at most 0; also where the probability itself underflows.
 *
 * @throws RangeError when t is NaN or infinite, or df is not above 0. Accuracy, arguments and cost as `studentTLogCdf`.
 */
export const studentTLogSf = (t: number, df: number): number => studentTLogCdf(-t, df);
