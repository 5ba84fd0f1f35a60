import type { DetectionCurve } from './detection-curve.ts';

const POWER = 0.8;

/**
 * The smallest slowdown of a curve that is called slower with the given power, it and every larger one.
 *
 * @param options.power share of experiments, inside (0, 1]; default 0.8.
 * @returns a slowdown above 0, as precise as the curve's steps; `null` when the largest one is not seen often enough.
 * @throws RangeError for another power.
 * Source: Drozdik 2023, section 5.2.4, where a curve ends when every benchmark is told apart.
 */
export const minimalDetectableSlowdownOf = (
  curve: Pick<DetectionCurve, 'points'>,
  options: { readonly power?: number } = {},
): number | null => {
  const { power = POWER } = options;
  if (!(power > 0 && power <= 1)) throw new RangeError(`power must lie inside (0, 1], got ${power}`);
  const falling = curve.points
    .filter(({ slowdown }) => slowdown > 0)
    .toSorted((left, right) => right.slowdown - left.slowdown);
  const firstMissed = falling.findIndex(({ slower }) => slower < power);
  const seen = firstMissed === -1 ? falling : falling.slice(0, firstMissed);
  return seen.at(-1)?.slowdown ?? null;
};
