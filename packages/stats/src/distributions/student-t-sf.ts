import { studentTCdf } from './student-t-cdf.ts';

/**
 * P(T > t) of Student's t distribution, in [0, 1], without the cancellation of 1 - cdf.
 *
 * @throws RangeError when t is NaN or infinite, or df is not above 0. Accuracy, arguments and cost as `studentTCdf`.
 */
export const studentTSf = (t: number, df: number): number => studentTCdf(-t, df);
