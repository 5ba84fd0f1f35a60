import {
  type HistoryPoint,
  groupBy,
  type PairStep,
  pairSteps,
  seriesKey,
  seriesLevels,
  usualLeastChange,
} from '@deadheat/history';

/** The next measurement of a collector: a commit against an earlier one. */
export interface Work {
  /**
   * `new` = a commit after the newest that was measured, `confirm` = one at which the performance seems to have changed, `gap` = one
   * between two that were measured.
   */
  readonly kind: 'new' | 'confirm' | 'gap';
  /** Whole hash of side B. */
  readonly commit: string;
  /** Whole hash of side A; `null` = no earlier commit is known. */
  readonly base: string | null;
}

/** The commits of a branch and their points in a history. */
export interface Known {
  /** Whole hashes along the first parents, the oldest first; no others are measured. */
  readonly commits: readonly string[];
  /** Comparisons of the project, in any order. */
  readonly points: readonly HistoryPoint[];
  /** Commits that are not to be measured now: they failed, or another collector measures them. */
  readonly closed: ReadonlySet<string>;
  /** True when all commits are compared with one that is given, and not with those before them. */
  readonly hasBaseline: boolean;
}

/** With more new commits than this the newest is measured first, and those before it become a gap. */
export const mostNewCommits = 10;

/**
 * The next commit to measure: new commits, the oldest first, unless so many wait that the newest comes first; then commits at which the
 * performance seems to have changed, which are measured once more, against the commit before them; then gaps, first that whose ends differ most, else the widest, from
 * their middle.
 *
 * @returns `null` when there is nothing to do
 */
export function nextWork({ commits, points, closed, hasBaseline }: Known): Work | null {
  const indexOf = new Map(commits.map((commit, index) => [commit, index]));
  const own = points
    .filter(({ commits: { B } }) => B !== null && indexOf.has(B.id))
    .toSorted(
      (a, b) =>
        (indexOf.get(a.commits.B?.id ?? '') ?? 0) - (indexOf.get(b.commits.B?.id ?? '') ?? 0) ||
        Date.parse(a.startedAt) - Date.parse(b.startedAt),
    );
  const measured = [...new Set(own.map(({ commits: { B } }) => indexOf.get(B?.id ?? '') ?? 0))].toSorted(
    (a, b) => a - b,
  );
  const isOpen = (index: number): boolean => !closed.has(commits[index] ?? '');
  const work = (kind: Work['kind'], index: number, base: number | null): Work => ({
    kind,
    commit: commits[index] ?? '',
    base: base === null || base < 0 ? null : (commits[base] ?? null),
  });
  /** The last measured commit before one, else the last that can be measured. */
  const baseOf = (index: number): number | null => {
    const before = measured.findLast((one) => one < index);
    if (before !== undefined) return before;
    for (let at = index - 1; at >= 0; at -= 1) if (isOpen(at)) return at;
    return null;
  };

  const newest = measured.at(-1);
  const unmeasured = range((newest ?? -1) + 1, commits.length).filter(isOpen);
  // A collector that begins, begins with the newest commit.
  const fresh = newest === undefined ? unmeasured.slice(-1) : unmeasured;
  const first = fresh.length > mostNewCommits ? fresh.at(-1) : fresh[0];
  if (first !== undefined) return work('new', first, baseOf(first));

  const pairs = new Set(own.map(({ commits: { A, B } }) => `${A?.id ?? ''} ${B?.id ?? ''}`));
  /** A commit that was compared with its neighbour: further ones wait for what lies between. */
  const isBesideItsBase = (index: number): boolean => {
    const before = measured.findLast((one) => one < index);
    return before !== undefined && !range(before + 1, index).some(isOpen);
  };
  /** A commit that differs from one further back, now that all between them are known, is held against its neighbour. */
  const isFarFromItsBase = (index: number): boolean => {
    const before = measured.findLast((one) => one < index);
    return isBesideItsBase(index) && !pairs.has(`${commits[before ?? -1] ?? ''} ${commits[index] ?? ''}`);
  };
  const changing = own
    .filter(({ verdict }) => !hasBaseline && (verdict === 'slower' || verdict === 'faster'))
    .map(({ commits: { B } }) => B?.id ?? '')
    .filter((commit) => isFarFromItsBase(indexOf.get(commit) ?? 0));
  const followed = [...groupBy(own, seriesKey).values()].map((series) => ({ series, levels: seriesLevels(series) }));
  const unconfirmed = hasBaseline
    ? []
    : unconfirmedCommits(followed).filter((commit) => isBesideItsBase(indexOf.get(commit) ?? 0));
  const doubted = [...doubtedCommits(own, followed), ...changing, ...unconfirmed]
    .map((commit) => indexOf.get(commit) ?? -1)
    .filter((index) => index >= 0 && isOpen(index));
  const confirmed = doubted.toSorted((a, b) => b - a)[0];
  if (confirmed !== undefined) return work('confirm', confirmed, baseOf(confirmed));

  const differences = differencesOf(own);
  const gaps = [-1, ...measured]
    .map((from, at) => ({ from, to: measured[at] ?? 0 }))
    .filter(() => measured.length > 0)
    .map(({ from, to }) => ({ from, to, missing: range(from + 1, to).filter(isOpen) }))
    .filter(({ missing }) => missing.length > 0)
    .map((gap) => ({ ...gap, difference: differences(commits[gap.from] ?? null, commits[gap.to] ?? null) }))
    .toSorted((a, b) => b.difference - a.difference || b.missing.length - a.missing.length || b.to - a.to);
  const [gap] = gaps;
  if (gap === undefined) return null;
  // Before the first measured commit the oldest one comes first, so that the gap has two ends.
  const middle = gap.from < 0 ? 0 : (gap.from + gap.to) / 2;
  const chosen = gap.missing.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b)[0] ?? gap.to;
  return work('gap', chosen, gap.from < 0 ? baseOf(chosen) : gap.from);
}

/** One series of the branch, in the order of its commits. */
interface Followed {
  readonly series: readonly HistoryPoint[];
  readonly levels: ReturnType<typeof seriesLevels>;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/**
 * Commits to be measured once more, of points in the order of the branch: those with which a change of level begins, and those whose verdict is near its limit;
 * where pairs of commits are followed, all that one of them calls slower or faster, so that a fresh pair confirms it. A commit at a
 * change that is itself near the least change is measured twice more.
 */
function doubtedCommits(points: readonly HistoryPoint[], followed: readonly Followed[]): readonly string[] {
  const times = new Map<string, Set<string>>();
  for (const { commits, experiment } of points) {
    const id = commits.B?.id ?? '';
    times.set(id, (times.get(id) ?? new Set()).add(experiment));
  }
  const wanted = new Map<string, number>();
  const want = (id: string, count: number): void => void wanted.set(id, Math.max(count, wanted.get(id) ?? 0));
  for (const {
    series,
    levels: { quantity, changes },
  } of followed) {
    for (const { until, low, high } of quantity === 'pairs' ? [] : changes) {
      const nearest = Math.min(Math.abs(Math.log(low)), Math.abs(Math.log(high)));
      const isNear = Math.log(low) * Math.log(high) <= 0 || nearest < 2 * Math.log1p(usualLeastChange);
      if (until !== null) want(until.id, isNear ? 3 : 2);
    }
    for (const point of series) if (isNearLimit(point)) want(point.commits.B?.id ?? '', 2);
  }
  return [...wanted].filter(([id, count]) => (times.get(id)?.size ?? 0) < count).map(([id]) => id);
}

/** Commits that a pair calls slower or faster, with too few others. */
function unconfirmedCommits(followed: readonly Followed[]): readonly string[] {
  return followed
    .filter(({ levels }) => levels.quantity === 'pairs')
    .flatMap(({ series }) => pairSteps(series).filter(isUnconfirmed))
    .map(({ commit }) => commit);
}

/** Checks whether a pair says that a commit differs from the one before it, and too few others were asked: one, or two where that is undecided. */
function isUnconfirmed({ pairs }: PairStep): boolean {
  const said = pairs.filter(saysDifferent).length;
  const undecided = pairs.filter(({ verdict }) => verdict === 'undecided').length;
  return said > 0 && pairs.length < (said === 1 && undecided === 1 ? 3 : 2);
}

function saysDifferent({ verdict }: Pick<HistoryPoint, 'verdict'>): boolean {
  return verdict === 'slower' || verdict === 'faster';
}

/** Checks whether a verdict of a difference would not have been one with an interval a quarter wider. */
function isNearLimit({ verdict, ratio: { low, high }, margin }: HistoryPoint): boolean {
  if (!saysDifferent({ verdict })) return false;
  const beyond = (verdict === 'slower' ? Math.log(low) : -Math.log(high)) - Math.log1p(margin);
  return beyond < (Math.log(high) - Math.log(low)) / 4;
}

/** Where a commit stands in a series: the logarithm of its time relative to others that it was compared with, and half its interval. */
interface Place {
  readonly component: number;
  readonly log: number;
  readonly reach: number;
}

/**
 * Says by how much two commits differ: the largest absolute logarithm of the ratio of their times over all series in which it is outside
 * of noise and margin; 0 = in none, or nothing is known.
 */
function differencesOf(points: readonly HistoryPoint[]): (from: string | null, to: string | null) => number {
  const places = [...groupBy(points, seriesKey).values()].map((series) => ({
    margin: series.at(-1)?.margin ?? 0,
    at: placesOf(series),
  }));
  return (from, to) =>
    places.reduce((most, { margin, at }) => {
      const [a, b] = [at.get(from ?? ''), at.get(to ?? '')];
      if (a === undefined || b === undefined || a.component !== b.component) return most;
      const difference = Math.abs(b.log - a.log);
      return difference > Math.hypot(a.reach, b.reach) + Math.log1p(margin) ? Math.max(most, difference) : most;
    }, 0);
}

/** The commits of a series, each placed by its first comparison; those that no chain of comparisons joins are in different components. */
function placesOf(series: readonly HistoryPoint[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  let components = 0;
  for (const { commits, ratio } of series.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))) {
    const [A, B] = [commits.A?.id, commits.B?.id];
    if (A === undefined || B === undefined || places.has(B)) continue;
    let base = places.get(A);
    if (base === undefined) {
      base = { component: components++, log: 0, reach: 0 };
      places.set(A, base);
    }
    const log = base.log + Math.log(ratio.estimate);
    places.set(B, { component: base.component, log, reach: (Math.log(ratio.high) - Math.log(ratio.low)) / 2 });
  }
  return places;
}
