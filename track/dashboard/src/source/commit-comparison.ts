import { groupBy, seriesKey, type HistoryPoint, type SeriesName } from '@deadheat/history';
import type { CommitRef, Verdict } from '@deadheat/model';
import { RequestError } from '../errors.ts';
import type { CatalogView } from './catalog.ts';

/**
 * The way in which two commits were compared: `direct` = in one experiment, `baseline` = each against the same commit, `time` = by the times of each alone,
 * between which the machine may have changed.
 */
export type ComparisonBasis = 'direct' | 'baseline' | 'time';

/** One benchmark of two commits. */
export interface CommitRow extends SeriesName {
  readonly basis: ComparisonBasis;
  /** Time of the later commit over that of the earlier. */
  readonly estimate: number;
  /** Ends of its interval; `null` = none is known. */
  readonly interval: { readonly low: number; readonly high: number; readonly confidence: number } | null;
  readonly verdict: Verdict;
  /** The comparison that the later commit was measured by. */
  readonly point: HistoryPoint;
}

/** Two commits over all benchmarks that both were measured with. */
export interface CommitComparison {
  readonly from: CommitRef;
  readonly to: CommitRef;
  /** Certain differences first, the slowest first. */
  readonly rows: readonly CommitRow[];
  /** Series with a measurement of one of the two only. */
  readonly unmatched: number;
}

/** A commit of either side of some recording. */
export interface KnownCommit {
  readonly commit: CommitRef;
  /** ISO 8601: of the commit, else of the newest experiment. */
  readonly at: string;
}

/** Commits of the recordings, the newest first. */
export function knownCommits(
  { recordings }: Pick<CatalogView, 'recordings'>,
  project: string | undefined,
): readonly KnownCommit[] {
  const known = new Map<string, KnownCommit>();
  for (const { commits, startedAt, project: own } of recordings) {
    if (project !== undefined && own !== project) continue;
    for (const commit of [commits.A, commits.B]) {
      if (commit === null || known.has(commit.id)) continue;
      known.set(commit.id, { commit, at: new Date(commit.committedAt ?? startedAt).toISOString() });
    }
  }
  return [...known.values()].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/** The commit with this label or id, or whose id alone begins so. @throws RequestError `NOT_FOUND`, `BAD_REQUEST` */
export function commitNamed(text: string, known: readonly KnownCommit[]): CommitRef {
  const wanted = text.trim();
  const exact = known.find(({ commit: { id, label } }) => id === wanted || label === wanted);
  if (exact !== undefined) return exact.commit;
  const [first, ...others] = known.filter(({ commit: { id } }) => id.startsWith(wanted.toLowerCase()));
  if (first === undefined) throw new RequestError('NOT_FOUND', `No experiment here measured a commit ${wanted}.`);
  if (others.length === 0) return first.commit;
  throw new RequestError('BAD_REQUEST', `${others.length + 1} commits begin with ${wanted}: give more of it.`);
}

/** Compares two commits by the newest comparisons of each series. */
export async function compareCommits(
  catalog: CatalogView,
  { from, to, project }: { readonly from: CommitRef; readonly to: CommitRef; readonly project: string | undefined },
): Promise<CommitComparison> {
  const ids = new Set([from.id, to.id]);
  const experiments = catalog.recordings
    .filter((one) => project === undefined || one.project === project)
    .filter(({ commits: { B } }) => B !== null && ids.has(B.id))
    .map(({ id }) => id);
  const bySeries = groupBy((await catalog.comparisons(experiments)).flat(), seriesKey);
  const rows: CommitRow[] = [];
  for (const points of bySeries.values()) {
    const row = rowOf(points, { from, to });
    if (row !== null) rows.push(row);
  }
  return {
    from,
    to,
    rows: rows.toSorted(
      (a, b) => certaintyOrder.indexOf(a.verdict) - certaintyOrder.indexOf(b.verdict) || sizeOrder(a, b),
    ),
    unmatched: bySeries.size - rows.length,
  };
}

const certaintyOrder: readonly Verdict[] = ['slower', 'faster', 'dead-heat', 'undecided'];

/** The largest effect first: of faster ones the smallest ratio. */
function sizeOrder(a: CommitRow, b: CommitRow): number {
  return a.verdict === 'faster' ? a.estimate - b.estimate : b.estimate - a.estimate;
}

/** @param points of one series, the newest recording first */
function rowOf(
  points: readonly HistoryPoint[],
  { from, to }: { readonly from: CommitRef; readonly to: CommitRef },
): CommitRow | null {
  const direct = points.find(({ commits: { A, B } }) => A?.id === from.id && B?.id === to.id);
  if (direct !== undefined) {
    const { estimate, low, high, confidence } = direct.ratio;
    return row(direct, { basis: 'direct', estimate, interval: { low, high, confidence } });
  }
  const inverse = points.find(({ commits: { A, B } }) => A?.id === to.id && B?.id === from.id);
  if (inverse !== undefined) {
    const { estimate, low, high, confidence } = inverse.ratio;
    return row(inverse, {
      basis: 'direct',
      estimate: 1 / estimate,
      interval: { low: 1 / high, high: 1 / low, confidence },
    });
  }
  const [ofFrom, ofTo] = [from, to].map(({ id }) => points.filter(({ commits: { B } }) => B?.id === id));
  for (const later of ofTo ?? []) {
    const { A } = later.commits;
    const earlier = A === null ? undefined : ofFrom?.find((one) => one.commits.A?.id === A.id);
    // The ratio of CPU times and that of wall times are both that of the speeds.
    if (earlier !== undefined) return row(later, { basis: 'baseline', ...quotient(later.ratio, earlier.ratio) });
  }
  const [later, earlier] = [ofTo?.[0], ofFrom?.[0]];
  if (later === undefined || earlier === undefined || later.metric !== earlier.metric) return null;
  return row(later, { basis: 'time', estimate: later.meanNs.B / earlier.meanNs.B, interval: null });
}

function row(
  point: HistoryPoint,
  { basis, estimate, interval }: Pick<CommitRow, 'basis' | 'estimate' | 'interval'>,
): CommitRow {
  const { project, benchmark, params, method } = point;
  const verdict =
    interval === null ? 'undecided' : interval.low > 1 ? 'slower' : interval.high < 1 ? 'faster' : 'undecided';
  return { project, benchmark, params, method, basis, estimate, interval, verdict, point };
}

/**
 * The quotient of two ratios that were measured independently of each other, and its interval at the lower of both levels, from the distances
 * of the ends on the scale of logarithms.
 *
 * Source: G. Y. Zou, A. Donner, Statistics in Medicine 27 (2008), "Construction of confidence limits about effect measures".
 */
export function quotient(
  over: HistoryPoint['ratio'],
  under: HistoryPoint['ratio'],
): { readonly estimate: number; readonly interval: NonNullable<CommitRow['interval']> } {
  const estimate = over.estimate / under.estimate;
  const below = Math.hypot(Math.log(over.estimate / over.low), Math.log(under.high / under.estimate));
  const above = Math.hypot(Math.log(over.high / over.estimate), Math.log(under.estimate / under.low));
  return {
    estimate,
    interval: {
      low: estimate * Math.exp(-below),
      high: estimate * Math.exp(above),
      confidence: Math.min(over.confidence, under.confidence),
    },
  };
}

/** Geometric mean of the estimates; `null` without any. */
export function geometricMeanOf(rows: readonly Pick<CommitRow, 'estimate'>[]): number | null {
  if (rows.length === 0) return null;
  return Math.exp(rows.reduce((sum, { estimate }) => sum + Math.log(estimate), 0) / rows.length);
}
