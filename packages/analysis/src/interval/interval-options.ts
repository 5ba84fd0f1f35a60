import type { Random } from '@deadheat/stats';
import type { MeanIntervalKind } from './interval-name.ts';

/** How an interval of a mean is made. */
export interface IntervalOptions {
  readonly kind: MeanIntervalKind;
  /** Confidence level, inside (0, 1). */
  readonly confidence: number;
  /** Bootstrap replicates; unused by `t`. */
  readonly replicates: number;
  readonly random: Random;
}

/** Two ends, low <= high. */
export interface Ends {
  readonly low: number;
  readonly high: number;
}
