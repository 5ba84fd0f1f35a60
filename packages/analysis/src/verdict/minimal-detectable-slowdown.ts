import { minimalDetectableRatio } from '@deadheat/stats';

const POWER = 0.8;

/**
 * The smallest true slowdown of B that an experiment like this one would call `slower` with a probability of 80 %, where the spread is
 * known from this one alone; 0.009 = 0.9 %.
 * Where two units scatter so widely that no slowdown would do, the largest double.
 *
 * @param spread.standardDeviation of the units' log ratios, >= 0.
 * @param spread.units number of units, at least two.
 */
export const minimalDetectableSlowdown = (spread: {
  readonly standardDeviation: number;
  readonly units: number;
  readonly confidence: number;
  readonly margin: number;
}): number => {
  const { standardDeviation, units, confidence, margin } = spread;
  const ratio = minimalDetectableRatio({
    standardDeviation,
    n: units,
    confidence,
    power: POWER,
    margin,
    spread: 'estimated',
  });
  return Math.min(ratio - 1, Number.MAX_VALUE);
};
