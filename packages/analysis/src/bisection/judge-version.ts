import type { SequentialRatio } from '@deadheat/model';
import type { BisectionOutcome } from './bisection.ts';

/**
 * What a version is, compared with the good one: bad where the whole interval of the ratio lies beyond 1 + `threshold`, good where it
 * lies below, else undecided. Faster is good.
 *
 * @param threshold relative slowdown, at least 0
 */
export const judgeVersion = (
  { low, high }: Pick<SequentialRatio, 'low' | 'high'>,
  threshold: number,
): Exclude<BisectionOutcome, 'skipped'> => {
  if (low > 1 + threshold) return 'bad';
  return high < 1 + threshold ? 'good' : 'undecided';
};

/** The slowdown half way to that of the last version, on the log scale: what tells bad from good where nobody said it. */
export const halfOfSlowdown = (ratio: number): number => Math.sqrt(Math.max(1, ratio)) - 1;
