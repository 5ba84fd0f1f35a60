import { normalCdf } from './normal-cdf.ts';

/**
 * P(Z > z) of the standard normal distribution, in [0, 1], without the cancellation of 1 - cdf.
 *
 * @throws RangeError when z is NaN or infinite. Accuracy and source as `normalCdf`. O(1).
 */
export const normalSf = (z: number): number => normalCdf(-z);
