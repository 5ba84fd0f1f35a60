import { checkNumber } from '../internal/check-number.ts';

/** One level of an experiment, from the measurements upwards. */
export interface ExperimentLevel {
  /** Cost of one more unit of this level (for example seconds, with the warm-up that it needs), above 0. */
  readonly cost: number;
  /** Variance that this level contributes, in the unit squared, >= 0. */
  readonly variance: number;
}

/**
 * How many units of each level to take in one unit of the next: the numbers that minimise the variance of the grand mean for a
 * given total cost, ceil(sqrt(cost[i + 1]/cost[i] * variance[i]/variance[i + 1])).
 *
 * @param levels at least two, from the lowest (measurements) to the highest (runs).
 * @returns a number for every level but the highest, whose repetitions the budget decides. 0 for a level without variance (read: take
 *   one), Infinity when only the next level has none, null when neither has any.
 * @throws RangeError for fewer than two levels, a cost that is not above 0, a negative variance, NaN or infinite numbers.
 *
 * The root is rounded up with a relative slack of 1e-14, so that 3.0000000000000004 stays 3. Source: OOPSLA'26, equation 4, after T. Kalibera, R.
 * Jones, ISMM 2013. O(levels).
 */
export const levelRepetitions = (levels: readonly ExperimentLevel[]): (number | null)[] => {
  if (levels.length < 2) throw new RangeError(`levels needs at least 2 levels, got ${levels.length}`);
  levels.forEach(({ cost, variance }, i) => {
    checkNumber(`levels[${i}].cost`, cost, Number.MIN_VALUE);
    checkNumber(`levels[${i}].variance`, variance, 0);
  });
  return levels.slice(0, -1).map((level, i) => {
    const next = levels[i + 1]!;
    if (next.variance === 0) return level.variance === 0 ? null : Infinity;
    const root = Math.sqrt((next.cost / level.cost) * (level.variance / next.variance));
    const nearest = Math.round(root);
    return Math.abs(root - nearest) <= 1e-14 * root ? nearest : Math.ceil(root);
  });
};
