/** A relative width below this is rounding. */
const ROUNDING = 1e-12;

/**
 * How many times wider the interval would be without the pairs: the width with the pairs shuffled over the true one.
 *
 * @returns `null` where the true interval is a point and so has no width to compare with.
 */
export const pairingGain = (
  shuffledWidth: number,
  interval: { readonly low: number; readonly high: number },
): number | null => {
  const width = interval.high - interval.low;
  return width > ROUNDING * interval.high ? shuffledWidth / width : null;
};
