import { checkSample } from '../internal/check-sample.ts';

/** The elbow of a penalty curve, or null when it has none. */
export interface Knee {
  readonly penalty: number;
  /** Index into the curve. */
  readonly index: number;
}

/**
 * The elbow of the curve of penalty against number of change points: where more change points stop to pay.
 *
 * The Kneedle algorithm for a convex decreasing curve with sensitivity 1: both axes are scaled to [0, 1] (change points ascending),
 * the difference (1 - y) - x is followed from its first local maximum, and that maximum is the elbow as soon as the
 * difference falls below it by the mean step of x. The first point, without a point before it, is no maximum: an elbow at no change
 * point would say that none pays. A plateau counts as a maximum at each of its points, the last one reached
 * decides; at a local minimum the threshold is reset to 0.
 *
 * @param penalties ascending, as `penaltyPath` gives them (the left ends).
 * @param counts the number of change points of each, descending; same length, at least one.
 * @returns the elbow's penalty and index, or null when there is none: fewer than three steps rarely have one. The steady-state
 *   study then takes 15 ln n, or the only penalty there is.
 * @throws RangeError for unequal lengths, an empty curve, NaN or infinite values, counts that do not descend.
 *
 * Sources: V. Satopaa et al., "Finding a 'kneedle' in a haystack", ICDCSW 2011; OOPSLA'26, section 5. O(steps).
 */
export const kneePenalty = (penalties: ArrayLike<number>, counts: ArrayLike<number>): Knee | null => {
  checkSample('penalties', penalties);
  checkSample('counts', counts);
  const n = penalties.length;
  if (counts.length !== n)
    throw new RangeError(`counts must have as many values as penalties (${n}), got ${counts.length}`);
  for (let i = 1; i < n; i++) {
    if (!(counts[i]! < counts[i - 1]!)) throw new RangeError(`counts must descend, counts[${i}] is ${counts[i]}`);
    if (!(penalties[i]! >= penalties[i - 1]!))
      throw new RangeError(`penalties must ascend, penalties[${i}] is ${penalties[i]}`);
  }
  const low = penalties[0]!;
  const high = penalties[n - 1]!;
  if (n < 2 || high === low) return null;

  const difference = new Float64Array(n);
  const fewest = counts[n - 1]!;
  const width = counts[0]! - fewest;
  for (let i = 0; i < n; i++) {
    const back = n - 1 - i;
    const x = (counts[back]! - fewest) / width;
    const y = (penalties[back]! - low) / (high - low);
    difference[i] = 1 - y - x;
  }
  const step = 1 / (n - 1);
  let threshold = 0;
  let at = -1;
  for (let i = 1; i < n - 1; i++) {
    const here = difference[i]!;
    const before = difference[i - 1]!;
    const after = difference[i + 1]!;
    if (here >= before && here >= after) {
      threshold = here - step;
      at = i;
    }
    if (at < 0) continue;
    if (here <= before && here <= after) threshold = 0;
    if (after < threshold) {
      const index = n - 1 - at;
      return { penalty: penalties[index]!, index };
    }
  }
  return null;
};
