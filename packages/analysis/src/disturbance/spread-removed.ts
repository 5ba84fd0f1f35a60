import { median, welchTTest } from '@deadheat/stats';
import { spreadWithin } from './explained-spread.ts';

/** Spreads of log times, relative, with a disturbance and with it avoided. */
export interface SpreadRemoved {
  readonly spread: number;
  readonly without: number;
  /** What the disturbance adds: the root of the difference of the variances; 0 where avoiding it did not help. */
  readonly share: number;
  /** Two-sided, of equal spreads. */
  readonly p: number;
}

/**
 * What a disturbance adds to the spread of run times, from runs with it and runs in which it was avoided.
 *
 * @param groups logarithms of times; each group has a level of its own.
 * @returns `null` with fewer than two runs of either kind in a group of two.
 * Brown and Forsythe's test (JASA 69, 1974): Welch's t test of the distances from the groups' medians.
 */
export const spreadRemoved = (groups: {
  readonly with: readonly (readonly number[])[];
  readonly without: readonly (readonly number[])[];
}): SpreadRemoved | null => {
  const spread = spreadWithin(groups.with);
  const without = spreadWithin(groups.without);
  if (spread === null || without === null) return null;
  const { p } = welchTTest(distances(groups.with), distances(groups.without));
  return { spread, without, share: Math.sqrt(Math.max(0, spread ** 2 - without ** 2)), p };
};

const distances = (groups: readonly (readonly number[])[]): number[] =>
  groups
    .filter((group) => group.length > 1)
    .flatMap((group) => {
      const centre = median(group);
      return group.map((value) => Math.abs(value - centre));
    });
