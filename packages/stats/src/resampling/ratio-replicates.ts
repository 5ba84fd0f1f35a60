import { checkSample } from '../internal/check-sample.ts';

/**
 * Replicates of a ratio of two independent statistics: numerator[i] / denominator[i], without unit.
 *
 * @param numerator replicates of B's statistic, finite.
 * @param denominator as many replicates of A's statistic from another stream, finite, not 0.
 * @throws RangeError for empty or unequal lengths, NaN or infinite values, a denominator of 0.
 *
 * The pairs are taken in the order of drawing. Sorting either side first would make the interval far too narrow. O(replicates).
 */
export const ratioReplicates = (numerator: ArrayLike<number>, denominator: ArrayLike<number>): Float64Array => {
  checkSample('numerator', numerator);
  checkSample('denominator', denominator);
  if (numerator.length !== denominator.length) {
    throw new RangeError(
      `denominator must have ${numerator.length} replicates like numerator, got ${denominator.length}`,
    );
  }
  return Float64Array.from(numerator, (value, i) => {
    if (denominator[i] === 0) throw new RangeError(`denominator[${i}] must not be 0`);
    return value / denominator[i]!;
  });
};
