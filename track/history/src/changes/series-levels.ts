import type { HistoryPoint } from '../history.ts';
import { changeConfidence, findLevelChanges } from './find-level-changes.ts';
import type { SeriesLevels, SeriesQuantity } from './levels.ts';
import { pairLevels } from './pair-levels.ts';

/** Smallest change of level that is shown where nobody chose another, as a share: 0.5 %. */
export const usualLeastChange = 0.005;

/**
 * Finds where the level of a benchmark changed over its commits. Where every point was measured against the same commit A, the ratios
 * are followed: both sides of a comparison share the machine's mood, so that they compare over years. Where each was measured against
 * another commit, `pairLevels` follows what the pairs say. Else it is B's mean
 * time, which holds the differences between machines, too. Of a metric that was asked for it is B's mean of that, where every point
 * holds one, also in the place of ratios that have no interval. Because levels are compared by their ratio, a mean of 0 counts as half of the
 * smallest other one in the search; the ratio of a level to one of 0 is the largest double.
 *
 * Of series in which nothing changes at most 5 % show a change at any of their lengths up to 300 points, so that a series may be
 * searched again after every point; `findLevelChanges` says how. What a change needs for that: about six points of the new level,
 * or, in a series of 8 to about 20 points, two levels that lie far apart.
 *
 * @param points of one series, in the order of their commits.
 * @param quantity `null` = chosen as above; `time` and `value` are both B's mean.
 * @param leastChange smallest change of level that is shown, as a share: 0.01 = a level of 101 % or 1/1.01 of the one before; 0 = all.
 * @throws RangeError for a least change that is negative or not finite.
 */
export function seriesLevels(
  points: readonly HistoryPoint[],
  {
    quantity: asked = null,
    leastChange = usualLeastChange,
  }: { readonly quantity?: SeriesQuantity | null; readonly leastChange?: number } = {},
): SeriesLevels {
  if (!(leastChange >= 0 && leastChange < Infinity)) {
    throw new RangeError(`leastChange must be a share of at least 0, got ${leastChange}`);
  }
  if ((asked === null && !hasOneBaseline(points)) || asked === 'pairs') {
    const found = pairLevels(points, { leastChange: Math.log1p(leastChange) });
    if (found !== null) return found;
  }
  const quantity = quantityOf(points, asked);
  const values = points.map((point) => (quantity === 'ratio' ? point.ratio.estimate : (meanOfB(point) ?? Number.NaN)));
  const least = values.reduce((found, value) => (value > 0 ? Math.min(found, value) : found), Infinity);
  const floor = least === Infinity ? 1 : least / 2;
  const { starts, levels, halfWidths } = findLevelChanges(
    values.map((value) => Math.log(Math.max(value, floor))),
    { leastChange: Math.log1p(leastChange) },
  );
  const levelOf = levels.map((level, index) =>
    values.slice(starts[index], starts[index + 1]).every((value) => value === 0) ? 0 : Math.exp(level),
  );
  return {
    quantity,
    values,
    levels: points.map((_, at) => levelOf[starts.findLastIndex((start) => start <= at)] ?? Number.NaN),
    changes: starts.slice(1).map((at, index) => {
      const ratio = Math.min((levelOf[index + 1] ?? Number.NaN) / (levelOf[index] ?? Number.NaN), Number.MAX_VALUE);
      const reach = Math.exp(halfWidths[index] ?? 0);
      return {
        at,
        after: points[at - 1]?.commits.B ?? null,
        until: points[at]?.commits.B ?? null,
        ratio,
        low: ratio / reach,
        high: Math.min(ratio * reach, Number.MAX_VALUE),
        confidence: changeConfidence,
        basis: 'levels' as const,
      };
    }),
  };
}

function quantityOf(points: readonly HistoryPoint[], asked: SeriesQuantity | null): SeriesQuantity {
  if (points.some((point) => meanOfB(point) === null)) return 'ratio';
  const isKnown = points.every(({ measured, ratio }) => measured === undefined || ratio.high < Number.MAX_VALUE);
  if (asked === 'ratio' || (asked === null && isKnown && hasOneBaseline(points))) return 'ratio';
  return points.every(({ measured }) => measured === undefined || measured.unit === 'ns') ? 'time' : 'value';
}

/** B's mean, of the metric that was asked for. */
function meanOfB({ measured, meanNs }: HistoryPoint): number | null {
  return measured === undefined ? meanNs.B : (measured.mean?.B ?? null);
}

function hasOneBaseline(points: readonly HistoryPoint[]): boolean {
  const baseline = points[0]?.commits.A?.id;
  return baseline !== undefined && points.every(({ commits }) => commits.A?.id === baseline);
}
