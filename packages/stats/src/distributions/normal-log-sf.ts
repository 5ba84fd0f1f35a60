import { normalLogCdf } from './normal-log-cdf.ts';

/**
 * ln P(Z > z) of the standard normal distribution, at most 0; also where the probability itself underflows (z above 38).
 *
 * @throws RangeError when z is NaN or infinite. Accuracy and source as `normalLogCdf`. O(1).
 */
export const normalLogSf = (z: number): number => normalLogCdf(-z);
