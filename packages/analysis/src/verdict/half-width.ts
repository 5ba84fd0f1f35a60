import type { Comparison } from '@deadheat/model';

/**
 * The larger distance between the estimate of a comparison's ratio and an end of its interval, relative to the estimate:
 * 0.005 = 0.5 %. What `--precision` is held against.
 */
export const halfWidth = (comparison: Pick<Comparison, 'ratio'>): number => {
  const { estimate, low, high } = comparison.ratio;
  return Math.max(high - estimate, estimate - low) / estimate;
};
