import { studentTQuantile } from '@deadheat/stats';
import type { Ends } from './interval-options.ts';
import { welchError, type ErrorPart } from './welch-error.ts';

/**
 * A t interval of the difference of two independent estimates, with the degrees of freedom of Welch and Satterthwaite.
 *
 * @param parts for each of the two its squared standard error and the number of values behind it (at least two).
 */
export const welchInterval = (
  estimate: number,
  options: { readonly parts: readonly ErrorPart[]; readonly confidence: number },
): Ends => {
  const { standardError, degrees } = welchError(options.parts);
  if (standardError === 0) return { low: estimate, high: estimate };
  const reach = studentTQuantile((1 + options.confidence) / 2, degrees) * standardError;
  return { low: estimate - reach, high: estimate + reach };
};
