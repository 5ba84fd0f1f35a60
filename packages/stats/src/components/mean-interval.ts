import { checkInteger, checkNumber, checkOpen } from '../internal/check-number.ts';
import { normalQuantile } from '../distributions/normal-quantile.ts';
import { studentTQuantile } from '../distributions/student-t-quantile.ts';
import type { Interval } from '../resampling/interval.ts';

/** A mean and how sure it is. */
export interface MeanIntervalOptions {
  readonly mean: number;
  /** Variance of the mean (not of the values), >= 0. */
  readonly variance: number;
  /** Degrees of freedom: runs - 1. Infinity uses the normal quantile. */
  readonly df: number;
  /** Nominal level in (0, 1). */
  readonly level: number;
}

/**
 * Interval of a mean from its estimated variance: mean +- quantile sqrt(variance), Student's t with `df` degrees of freedom.
 *
 * @throws RangeError for NaN or infinite numbers, a negative variance, df below 1, a level outside (0, 1).
 * Source: Antoch et al., OOPSLA'26, section 5.1 and appendix A. O(1).
 */
export const meanInterval = ({ mean, variance, df, level }: MeanIntervalOptions): Interval => {
  checkNumber('mean', mean);
  checkNumber('variance', variance, 0);
  if (df !== Infinity) checkInteger('df', df, 1);
  checkOpen('level', level);
  const tail = (1 - level) / 2;
  const half = -(df === Infinity ? normalQuantile(tail) : studentTQuantile(tail, df)) * Math.sqrt(variance);
  return { low: mean - half, high: mean + half, level };
};
