import { checkNumber } from '../internal/check-number.ts';
import { normalLogTail, normalTail } from '../internal/normal-tail.ts';

/**
 * ln P(Z <= z) of the standard normal distribution, at most 0; also where the probability itself underflows (z below -38).
 *
 * Relative error below 1e-13; -Infinity only below -1e154.
 * @throws RangeError when z is NaN or infinite.
 * Source as `normalCdf`. O(1).
 */
export const normalLogCdf = (z: number): number => {
  checkNumber('z', z);
  return z < 0 ? normalLogTail(-z) : Math.log1p(-normalTail(z));
};
