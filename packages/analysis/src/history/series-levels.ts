import type { CommitRef, HistoryPoint } from '@deadheat/model';
import { mean, median, pelt, standardDeviation } from '@deadheat/stats';

/** What is followed over the commits: B's share of A's time, or B's own time. */
export type SeriesQuantity = 'ratio' | 'time';

/** The level of a series changed between two neighbouring points. */
export interface LevelChange {
  /** Index of the first point of the new level. */
  readonly at: number;
  /** The commit before the change and the one with it, both of side B; `null` = not known. */
  readonly after: CommitRef | null;
  readonly until: CommitRef | null;
  /** New level / old level; 1.02 = 2 % slower than before. */
  readonly ratio: number;
}

/** A series cut into levels. */
export interface SeriesLevels {
  readonly quantity: SeriesQuantity;
  /** The quantity at every point: a ratio, or ns. */
  readonly values: readonly number[];
  /** The level at every point: the geometric mean of the values between two changes, spikes cut off. */
  readonly levels: readonly number[];
  readonly changes: readonly LevelChange[];
}

/** Least number of points of a level: what one or two say is no level. */
const shortestLevel = 3;
/** Further than so many noises from the median of the five points around it a point is a spike, which counts as that far only. */
const furthestSpike = 4;
const spikeWindow = 5;
/** Of a normal distribution: the standard deviation over the median of the absolute values. */
const toDeviation = 1.4826;
/** For each change, in squares of the noise: 4 ln n, and of few points more, whose noise is known badly. */
const penaltyOf = (points: number): number => 4 * Math.log(points) * (1 + 10 / points);

/**
 * Finds where the level of a benchmark changed over its commits. Where every point was measured against the same commit A, the ratios
 * are followed: both sides of a comparison share the machine's mood, so that they compare over years. Else it is B's mean
 * time, which holds the differences between machines, too.
 *
 * PELT on the mean of the logarithms, divided by their noise: 1.4826 times the median of the absolute differences of neighbours,
 * over the square root of 2, which a change of level hardly moves. Before it, spikes of one or two points are cut off (Hampel's
 * filter). Penalty 4 ln n (1 + 10 / n) a change; a level has at least 3 points, so that a change in the last two is told by their
 * verdicts alone.
 *
 * @param points of one series, in the order of their commits.
 * @param quantity `null` = chosen as above.
 *
 * Source of the search: R. Killick, P. Fearnhead, I. A. Eckley, JASA 107 (2012).
 */
export function seriesLevels(
  points: readonly HistoryPoint[],
  { quantity: asked = null }: { readonly quantity?: SeriesQuantity | null } = {},
): SeriesLevels {
  const quantity = asked ?? (hasOneBaseline(points) ? 'ratio' : 'time');
  const values = points.map(({ ratio, meanNs }) => (quantity === 'ratio' ? ratio.estimate : meanNs.B));
  const noisy = values.map((value) => Math.log(value));
  const noise = noisy.length < 2 * shortestLevel ? 0 : noiseOf(noisy);
  const logs = noise === 0 ? noisy : withoutSpikes(noisy, furthestSpike * noise);
  const starts = points.length === 0 ? [] : [0, ...(noise === 0 ? [] : findChanges(logs, noise))];
  const levelOf = starts.map((start, index) => Math.exp(mean(logs.slice(start, starts[index + 1] ?? logs.length))));
  return {
    quantity,
    values,
    levels: points.map((_, at) => levelOf[starts.findLastIndex((start) => start <= at)] ?? Number.NaN),
    changes: starts.slice(1).map((at, index) => ({
      at,
      after: points[at - 1]?.commits.B ?? null,
      until: points[at]?.commits.B ?? null,
      ratio: (levelOf[index + 1] ?? Number.NaN) / (levelOf[index] ?? Number.NaN),
    })),
  };
}

function hasOneBaseline(points: readonly HistoryPoint[]): boolean {
  const baselines = new Set(points.map(({ commits }) => commits.A?.id));
  return baselines.size === 1 && !baselines.has(undefined);
}

/** Indices of the first value of every level but the first. */
function findChanges(logs: readonly number[], noise: number): readonly number[] {
  const { changepoints } = pelt(
    logs.map((value) => value / noise),
    { cost: 'mean', penalty: penaltyOf(logs.length), minSegmentLength: shortestLevel },
  );
  return Array.from(changepoints, (last) => last + 1);
}

/** Values at most so far from the median of the five around them; at either end from that of the first or last five. */
function withoutSpikes(logs: readonly number[], furthest: number): readonly number[] {
  return logs.map((value, at) => {
    const from = Math.max(0, Math.min(at - Math.floor(spikeWindow / 2), logs.length - spikeWindow));
    const middle = median(logs.slice(from, from + spikeWindow));
    return Math.min(middle + furthest, Math.max(middle - furthest, value));
  });
}

/** Standard deviation about the level; 0 where all values are equal. */
function noiseOf(logs: readonly number[]): number {
  const differences = logs.slice(1).map((value, index) => value - (logs[index] ?? value));
  const robust = toDeviation * median(differences.map((difference) => Math.abs(difference)));
  // More than half of the differences are 0: values that repeat, as of a coarse clock.
  return (robust > 0 ? robust : standardDeviation(differences)) / Math.SQRT2;
}
