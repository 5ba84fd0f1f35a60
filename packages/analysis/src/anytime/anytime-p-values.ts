import type { Comparison } from '@deadheat/model';
import type { AnytimeRatio } from './anytime-ratio.ts';

/** Below this a level is 0 for every purpose. */
const SMALLEST = 1e-12;
const LARGEST = 1 - 1e-9;
const STEPS = 60;

/** The smallest level at which `isExcluded`, which then holds at every larger one. */
const smallestLevel = (isExcluded: (level: number) => boolean): number => {
  if (!isExcluded(LARGEST)) return 1;
  if (isExcluded(SMALLEST)) return SMALLEST;
  let [below, above] = [Math.log(SMALLEST), Math.log(LARGEST)];
  for (let step = 0; step < STEPS; step++) {
    const middle = (below + above) / 2;
    if (isExcluded(Math.exp(middle))) above = middle;
    else below = middle;
  }
  return Math.exp(above);
};

/**
 * One-sided p values as of `pValues` that may be taken at any look: half the smallest level at which the interval that holds
 * at every look lies beyond the margin; 1 where it does at none.
 *
 * @param ratioAt the same runs' ratio with an interval of another confidence.
 */
export const anytimePValues = (
  ratioAt: (confidence: number) => AnytimeRatio,
  margin: number,
): Comparison['pValues'] => {
  const edge = Math.log1p(margin);
  const half = (level: number): number => (level === 1 ? 1 : level / 2);
  return {
    slower: half(smallestLevel((level) => ratioAt(1 - level).log.low > edge)),
    faster: half(smallestLevel((level) => ratioAt(1 - level).log.high < -edge)),
  };
};
