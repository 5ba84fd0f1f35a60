import { studentTQuantile } from '@deadheat/stats';
import type { Ends } from './interval-options.ts';

/**
 * A t interval of the difference of two independent estimates, with the degrees of freedom of Welch and Satterthwaite.
 *
 * @param parts for each of the two its squared standard error and the number of values behind it (at least two).
 */
export const welchInterval = (
  estimate: number,
  options: {
    readonly parts: readonly { readonly squaredError: number; readonly n: number }[];
    readonly confidence: number;
  },
): Ends => {
  const { parts, confidence } = options;
  const squared = parts.reduce((sum, { squaredError }) => sum + squaredError, 0);
  if (squared === 0) return { low: estimate, high: estimate };
  const scatter = parts.reduce((sum, { squaredError, n }) => sum + (squaredError / squared) ** 2 / (n - 1), 0);
  const reach = studentTQuantile((1 + confidence) / 2, 1 / scatter) * Math.sqrt(squared);
  return { low: estimate - reach, high: estimate + reach };
};
