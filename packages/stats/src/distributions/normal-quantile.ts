import { checkNumber } from '../internal/check-number.ts';
import { normalUpperQuantile } from '../internal/normal-upper-quantile.ts';

/**
 * The z with P(Z <= z) = p, standard normal distribution. p = 0 gives -Infinity and p = 1 Infinity.
 *
 * @param p probability in [0, 1]. For a quantile far in the upper tail ask for the small lower p and change the sign.
 * @throws RangeError when p is NaN or outside [0, 1].
 *
 * Relative error below 1e-13 for p down to 1e-300 and next to 1/2. O(1).
 */
export const normalQuantile = (p: number): number => {
  checkNumber('p', p, 0, 1);
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  return p < 0.5 ? -normalUpperQuantile(p, 0.5 - p) : normalUpperQuantile(1 - p, p - 0.5);
};
