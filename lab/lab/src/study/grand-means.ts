import { studentTQuantile } from '@deadheat/stats';

/**
 * Observations after which the empirical distribution function is nowhere further than `error` from the true one, with a probability of at least
 * `confidence`, whatever the distribution: the bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, n >= ln(2 / (1 - confidence)) / (2 error²).
 *
 * @param goal.error largest distance, in (0, 1)
 * @param goal.confidence in (0, 1)
 * @throws RangeError for values out of range
 * Sources: P. Massart, Ann. Probab. 18 (1990); OOPSLA'26, section 5, for how much to measure of a workload.
 */
export function observationsForDistribution({
  error,
  confidence,
}: {
  readonly error: number;
  readonly confidence: number;
}): number {
  for (const [name, value] of Object.entries({ error, confidence })) {
    if (!(value > 0 && value < 1)) throw new RangeError(`${name} must lie between 0 and 1, got ${value}`);
  }
  return Math.ceil(Math.log(2 / (1 - confidence)) / (2 * error ** 2));
}

/** A run, or another unit that is measured independently of others, with the time that it lasted. */
export interface WeightedUnit {
  /** Mean of its measurements. */
  readonly mean: number;
  /** Its weight: how long it ran, or how many measurements it holds; above 0. */
  readonly weight: number;
}

/** A grand mean of units that count by their weights, with its interval. */
export interface WeightedMean {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Variance of the mean. */
  readonly variance: number;
}

/**
 * The grand mean in which a run counts by how long it lasted: what an execution costs that falls at a random moment. The mean of run means, in which
 * each counts once, is about a random run instead. The interval is that of the ratio of two means over runs by the linear approximation, with Student's t and one
 * degree of freedom fewer than runs; of few runs with very different weights it holds less than its level.
 *
 * @param units at least two
 * @param level of the interval, in (0, 1)
 * @throws RangeError for fewer than two units, means that are not finite, weights that are not above 0, a level out of range
 * Sources: OOPSLA'26, section 8, names such estimators; W. G. Cochran, Sampling Techniques (1977), section 6.4, for the variance of a ratio.
 */
export function weightedGrandMean(units: readonly WeightedUnit[], level: number): WeightedMean {
  const n = units.length;
  if (n < 2) throw new RangeError(`a grand mean needs at least 2 units, got ${n}`);
  if (!(level > 0 && level < 1)) throw new RangeError(`level must lie between 0 and 1, got ${level}`);
  const broken = units.find(({ mean, weight }) => !Number.isFinite(mean) || !(weight > 0 && weight < Infinity));
  if (broken !== undefined) {
    throw new RangeError(`a mean must be finite and its weight above 0, got ${broken.mean} and ${broken.weight}`);
  }
  const all = units.reduce((sum, { weight }) => sum + weight, 0);
  const mean = units.reduce((sum, unit) => sum + unit.weight * unit.mean, 0) / all;
  const squares = units.reduce((sum, unit) => sum + (unit.weight * (unit.mean - mean)) ** 2, 0);
  const variance = (n / (n - 1)) * (squares / all ** 2);
  const reach = studentTQuantile((1 + level) / 2, n - 1) * Math.sqrt(variance);
  return { mean, low: mean - reach, high: mean + reach, variance };
}
