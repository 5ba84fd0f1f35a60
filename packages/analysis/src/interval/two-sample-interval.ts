import { bcaInterval, expandedPercentileInterval, percentileInterval } from '@deadheat/stats';
import type { Ends, IntervalOptions } from './interval-options.ts';

/** A statistic of two independent samples, replicated. */
export interface TwoSampleOptions extends Pick<IntervalOptions, 'kind' | 'confidence'> {
  readonly estimate: number;
  /** What each value of either sample adds to the estimate, to first order. */
  readonly influence: readonly Float64Array[];
}

/** The skewness of all influence values together, over 6. */
const accelerationOf = (influence: readonly Float64Array[]): number => {
  let squares = 0;
  let cubes = 0;
  for (const sample of influence) {
    for (const value of sample) {
      squares += value * value;
      cubes += value * value * value;
    }
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
};

/**
 * The interval of a statistic of two independent samples from its replicates.
 *
 * Source of `bca` for several samples: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 14.
 */
export const twoSampleInterval = (replicates: Float64Array, options: TwoSampleOptions): Ends => {
  const { kind, confidence, estimate, influence } = options;
  switch (kind) {
    case 'bca':
      return bcaInterval(replicates, confidence, { estimate, acceleration: accelerationOf(influence) });
    case 'expanded':
      return expandedPercentileInterval(replicates, confidence, Math.min(...influence.map(({ length }) => length)));
    default:
      return percentileInterval(replicates, confidence);
  }
};
