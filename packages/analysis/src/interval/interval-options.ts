import type { IntervalKind } from '@deadheat/model';
import type { Random } from '@deadheat/stats';

/** How an interval is made. */
export interface IntervalOptions {
  readonly kind: IntervalKind;
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
