import { studentTQuantile, studentTSf } from '@deadheat/stats';
import type { HistoryPoint } from '../history.ts';
import type { CommitRef } from '@deadheat/model';
import { groupBy } from '../points.ts';
import type { LevelChange, SeriesLevels } from './levels.ts';

/**
 * Two-sided p value up to which one pair shows a change by itself. Of 6 000 pairs of commits that do not differ, 0.3 are shown by this, and
 * as many because a pair and its repetition, each at 99 %, agree by chance.
 */
const certain = 5e-5;

/** All comparisons of a commit with the nearest of those before it that it was compared with. */
export interface PairStep {
  /** Id of the commit. */
  readonly commit: string;
  /** Index of the first comparison of the commit as B. */
  readonly at: number;
  /** In the order in which they were made; at least one. */
  readonly pairs: readonly HistoryPoint[];
  /** True where no other commit that was measured lies between the two. */
  readonly isNeighbour: boolean;
  /** Logarithm of the ratio, from all pairs weighted by the inverse of their squared intervals. */
  readonly log: number;
}

/** A commit may also have been compared with itself, as the first of a branch is. */
function isPair({ commits: { A, B } }: HistoryPoint): boolean {
  return A?.id !== B?.id;
}

/**
 * Checks whether the levels of a series are known by its comparisons of commits with the one before: each names two commits and has an
 * interval, and of the commits with one to compare them with at least half were. Where A is a release that moves from time to time, few are.
 */
function arePairs(points: readonly HistoryPoint[], steps: readonly PairStep[]): boolean {
  const isKnown = points.every(
    ({ commits: { A, B }, ratio }) => ratio.low > 0 && ratio.high < Number.MAX_VALUE && A !== null && B !== null,
  );
  if (!isKnown || steps.length === 0) return false;
  return 2 * steps.filter(({ isNeighbour }) => isNeighbour).length >= steps.length;
}

/**
 * The levels of a series whose commits were each compared with one before. Both sides of a pair met the same machine, so that what the
 * machine does cancels; raw times of different days are not compared. The value at a commit is the product of the ratios that lead to it
 * from the first; parallel pairs of two commits are weighted by their precision (generalised least squares of independent pairs).
 *
 * A commit changed the level where, of its pairs with the measured commit before it,
 *
 * - two or more say the same direction, and more say so than not, or
 * - one does and is certain, p <= 0.00005, and none shows no difference or the other direction.
 *
 * The size of a change is that of the last pair that says so: the first was chosen because it was large.
 *
 * @param points of one series, in the order of their commits
 * @param options.leastChange smallest change that is shown, log scale, >= 0
 * @returns `null` where the levels are not known by pairs
 */
export function pairLevels(
  points: readonly HistoryPoint[],
  { leastChange }: { readonly leastChange: number },
): SeriesLevels | null {
  const steps = pairSteps(points);
  if (!arePairs(points, steps)) return null;
  const logs = new Map<string, number>();
  let last = 0;
  for (const { pairs, log } of steps) {
    const { A, B } = commitsOf(pairs);
    last = (logs.get(A.id) ?? last) + log;
    if (!logs.has(A.id)) logs.set(A.id, last - log);
    logs.set(B.id, last);
  }
  const values = points.map((point) => Math.exp(logs.get(point.commits.B?.id ?? '') ?? 0));
  const changes = steps.filter(({ isNeighbour }) => isNeighbour).flatMap((step) => changeOf(step, leastChange) ?? []);
  return { quantity: 'pairs', values, levels: levelsOf(values, changes), changes };
}

/** Finds for each commit the pairs with the nearest commit before it, of points in the order of the commits; those with commits further back are older guesses of the same. */
export function pairSteps(points: readonly HistoryPoint[]): readonly PairStep[] {
  const ofCommit = groupBy(points, ({ commits }) => commits.B?.id ?? '');
  const first = new Map([...points.entries()].toReversed().map(([at, { commits }]) => [commits.B?.id ?? '', at]));
  const measured = [...ofCommit.keys()];
  return [...ofCommit].flatMap(([id, all], index) => {
    const own = all.filter(isPair);
    if (own.length === 0) return [];
    const at = first.get(id) ?? 0;
    const placeOf = ({ commits }: HistoryPoint): number => {
      const place = first.get(commits.A?.id ?? '') ?? -1;
      return place < at ? place : -2;
    };
    const nearest = Math.max(...own.map(placeOf));
    const one = own.find((point) => placeOf(point) === nearest);
    const pairs = own
      .filter(({ commits }) => commits.A?.id === one?.commits.A?.id)
      .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
    const weights = pairs.map((pair) => 1 / Math.max(widthOf(pair), Number.MIN_VALUE) ** 2);
    const sum = weights.reduce((all, weight) => all + weight, 0);
    const log = pairs.reduce((all, { ratio }, k) => all + ((weights[k] ?? 0) / sum) * Math.log(ratio.estimate), 0);
    const before = ofCommit.get(measured[index - 1] ?? '')?.[0]?.commits.B ?? null;
    const isNeighbour = one !== undefined && isBeside(one, before);
    return [
      {
        commit: id,
        at,
        pairs,
        isNeighbour,
        log: Number.isFinite(log) ? log : Math.log(pairs.at(-1)?.ratio.estimate ?? 1),
      },
    ];
  });
}

/** True where A is the commit that was measured before, one after it that was measured as A alone, or one of the same second, of which the order may not be known. */
function isBeside({ commits: { A } }: HistoryPoint, before: CommitRef | null): boolean {
  if (A === null || before === null || A.id === before.id) return A !== null;
  return (A.committedAt ?? '') >= (before.committedAt ?? '9');
}

function widthOf({ ratio: { low, high } }: HistoryPoint): number {
  return Math.log(high) - Math.log(low);
}

function commitsOf([pair]: PairStep['pairs']): {
  readonly A: { readonly id: string };
  readonly B: { readonly id: string };
} {
  return { A: pair?.commits.A ?? { id: '' }, B: pair?.commits.B ?? { id: '' } };
}

function directionOf({ verdict }: HistoryPoint): number {
  return verdict === 'slower' ? 1 : verdict === 'faster' ? -1 : 0;
}

/** Checks whether one pair shows its difference whatever others say, by Student's t of its interval. */
function isCertain({ ratio, runs }: HistoryPoint): boolean {
  const { estimate, low, high, confidence } = ratio;
  const degrees = Math.max(1, runs - 1);
  const end = estimate > 1 ? low : high;
  const reach = Math.abs(Math.log(estimate) - Math.log(end)) / studentTQuantile((1 + confidence) / 2, degrees);
  if (reach === 0) return estimate !== 1;
  return 2 * studentTSf(Math.abs(Math.log(estimate)) / reach, degrees) <= certain;
}

function changeOf({ at, pairs }: PairStep, leastChange: number): LevelChange | null {
  const sum = pairs.reduce((all, pair) => all + directionOf(pair), 0);
  const agreeing = pairs.filter((pair) => directionOf(pair) === Math.sign(sum));
  const last = agreeing.at(-1);
  if (sum === 0 || last === undefined) return null;
  const isConfirmed = agreeing.length > 1 && 2 * agreeing.length > pairs.length;
  const isOpposed = pairs.some((pair) => pair.verdict === 'dead-heat' || directionOf(pair) === -Math.sign(sum));
  const isShown = isConfirmed || (!isOpposed && agreeing.some(isCertain));
  const { estimate, low, high, confidence } = last.ratio;
  if (!isShown || Math.abs(Math.log(estimate)) < leastChange) return null;
  return {
    at,
    after: last.commits.A,
    until: last.commits.B,
    ratio: estimate,
    low,
    high,
    confidence,
    basis: isConfirmed ? 'confirmed' : 'pair',
  };
}

/** Geometric means between changes. */
function levelsOf(values: readonly number[], changes: readonly LevelChange[]): readonly number[] {
  const bounds = [0, ...changes.map(({ at }) => at).filter((at) => at > 0), values.length];
  return bounds.slice(1).flatMap((end, k) => {
    const part = values.slice(bounds[k], end);
    const level = Math.exp(part.reduce((sum, value) => sum + Math.log(value), 0) / part.length);
    return part.map(() => level);
  });
}
