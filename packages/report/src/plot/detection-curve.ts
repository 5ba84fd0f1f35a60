import type { Comparison } from '@deadheat/model';
import { minimalDetectableRatio } from '@deadheat/stats';

/** A true slowdown, and how likely it would be called slower; shares. */
export interface DetectionPoint {
  readonly slowdown: number;
  readonly probability: number;
}

const powers = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995];
const reportedPower = 0.8;
/** What a standard deviation of 1 comes to; the same for every benchmark of an experiment. */
const known = new Map<string, number>();

/**
 * How likely true slowdowns would have been called slower, by an experiment of `factor` times as many runs. Goes through the
 * comparison's minimal detectable slowdown, which is the point at 80 %; for a verdict by an interval over all looks it is what
 * a fixed number of runs with that point would see.
 *
 * @returns `null` where no slowdown would be found, or any.
 */
export function detectionCurve(
  { minimalDetectableSlowdown, margin, resampled, ratio }: Comparison,
  factor = 1,
): readonly DetectionPoint[] | null {
  const n = resampled.count;
  const { confidence } = ratio;
  if (n < 2 || minimalDetectableSlowdown > 100) return null;
  const spread = Math.log((1 + minimalDetectableSlowdown) / (1 + margin)) / unitShift(n, confidence, reportedPower);
  if (!(spread > 0)) return null;
  return powers.map((probability) => ({
    slowdown: (1 + margin) * Math.exp(spread * unitShift(n * factor, confidence, probability)) - 1,
    probability,
  }));
}

/** The detectable log ratio of runs whose log ratios have a standard deviation of 1. */
function unitShift(n: number, confidence: number, power: number): number {
  const key = `${n} ${confidence} ${power}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const shift = Math.log(minimalDetectableRatio({ standardDeviation: 1, n, confidence, power }));
  known.set(key, shift);
  return shift;
}
