import { checkInteger, checkOpen } from '../internal/check-number.ts';
import { normalQuantile } from './normal-quantile.ts';
import type { Interval } from '../resampling/interval.ts';

/**
 * Wilson's score interval for a proportion, in [0, 1]: the proportions that a two-sided normal test would not refuse.
 *
 * @param successes integer in [0, trials]; @param trials integer >= 1.
 * @param options.level in (0, 1), default 0.95. options.continuity: with continuity correction; default false.
 * @throws RangeError naming the argument that is out of its range.
 *
 * Source: E. B. Wilson, JASA 22 (1927); with correction R. G. Newcombe, Statistics in Medicine 17 (1998), method 4. O(1).
 */
export const wilsonInterval = (
  successes: number,
  trials: number,
  options: { readonly level?: number; readonly continuity?: boolean } = {},
): Interval => {
  const { level = 0.95, continuity = false } = options;
  checkInteger('trials', trials, 1);
  checkInteger('successes', successes, 0, trials);
  checkOpen('level', level);
  const z = -normalQuantile((1 - level) / 2);
  const z2 = z * z;
  const n = trials;
  const p = successes / n;
  const q = (n - successes) / n;
  const scale = 2 * (n + z2);
  const middle = 2 * successes + z2;
  if (!continuity) {
    const half = z * Math.sqrt(z2 + 4 * successes * q);
    // The ends in the form without cancellation: low = 2 k^2/n over (middle + half).
    const low = successes === 0 ? 0 : (2 * successes * p) / (middle + half);
    const high = successes === n ? 1 : (middle + half) / scale;
    return { low, high, level };
  }
  const lowHalf = z * Math.sqrt(Math.max(0, z2 - 2 - 1 / n + 4 * p * (n * q + 1)));
  const highHalf = z * Math.sqrt(Math.max(0, z2 + 2 - 1 / n + 4 * p * (n * q - 1)));
  return {
    low: successes === 0 ? 0 : Math.max(0, (middle - 1 - lowHalf) / scale),
    high: successes === n ? 1 : Math.min(1, (middle + 1 + highHalf) / scale),
    level,
  };
};
