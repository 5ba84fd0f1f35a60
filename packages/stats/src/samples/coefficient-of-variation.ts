import { mean } from './mean.ts';
import { standardDeviation } from './standard-deviation.ts';

/**
 * Coefficient of variation: sample standard deviation (divisor n - 1) over the absolute value of the mean; without unit, >= 0.
 *
 * @param sample at least two finite numbers whose mean is not 0.
 * @throws RangeError for fewer than two values, a mean of 0, NaN or infinite values.
 * Source: Laaber et al., FSE'20, section 4.2 (stop rule on the coefficient of variation). O(n).
 */
export const coefficientOfVariation = (sample: ArrayLike<number>): number => {
  const spread = standardDeviation(sample);
  const centre = mean(sample);
  if (centre === 0) throw new RangeError('sample must not have mean 0 for a coefficient of variation');
  return spread / Math.abs(centre);
};
