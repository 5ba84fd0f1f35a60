import { median } from '@deadheat/stats';
import type { HistoryPoint } from '../history.ts';
import { groupBy } from '../points.ts';
import type { SeriesLevels } from './levels.ts';

/** What the newest comparisons of a series are good for. */
export interface SeriesHealth {
  /** Comparisons that are counted: the newest, at most `healthLength`. */
  readonly comparisons: number;
  /** Usual distance of a value from its level, as a share of it: 1.4826 times the median; `null` = too few values. */
  readonly spread: number | null;
  /** Smallest slowdown that is found in 4 of 5 such experiments, as a share: the median. */
  readonly smallestSlowdown: number;
  readonly undecided: number;
  /** Comparisons that found a difference and whose two commits were compared again. */
  readonly repeated: number;
  /** Those among them of which the next comparison of the same commits did not find the difference, and was certain of it. */
  readonly takenBack: number;
}

const healthLength = 60;
/** Factor that makes the median distance of a normal distribution its standard deviation. */
const ofNormal = 1.4826;
const leastValues = 4;

/** @param points of one series, in the order of their commits */
export function seriesHealth(points: readonly HistoryPoint[], { values, levels }: SeriesLevels): SeriesHealth {
  const newest = points.slice(-healthLength);
  const from = points.length - newest.length;
  const distances = newest
    .map((_, at) => Math.abs(Math.log((values[from + at] ?? Number.NaN) / (levels[from + at] ?? Number.NaN))))
    .filter((distance) => Number.isFinite(distance));
  const again = [...groupBy(newest, commitsKey)]
    .filter(([key]) => key !== '')
    .flatMap(([, pairs]) =>
      pairs
        .toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
        .flatMap((pair, at, all) => {
          const next = all[at + 1];
          const isDifference = pair.verdict === 'slower' || pair.verdict === 'faster';
          return next !== undefined && isDifference ? [{ was: pair.verdict, is: next.verdict }] : [];
        }),
    );
  return {
    comparisons: newest.length,
    spread: distances.length < leastValues ? null : ofNormal * median(distances),
    smallestSlowdown: median(newest.map((point) => point.minimalDetectableSlowdown)),
    undecided: newest.filter(({ verdict }) => verdict === 'undecided').length,
    repeated: again.length,
    takenBack: again.filter(({ was, is }) => is !== was && is !== 'undecided').length,
  };
}

/** Empty where a commit is not known. */
function commitsKey({ commits: { A, B } }: HistoryPoint): string {
  return A === null || B === null ? '' : `${A.id}\n${B.id}`;
}
