/** A confidence interval: its ends in the unit of the statistic, and its nominal level in (0, 1). */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
}
