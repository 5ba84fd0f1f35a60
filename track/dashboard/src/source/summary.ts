import type { CommitRef } from '@deadheat/model';

/** A commit that some comparison measured as B; of comparisons without one their experiment stands for it. */
export interface MeasuredCommit {
  readonly commit: CommitRef | null;
  /** ISO 8601: of the commit, else of the experiment. */
  readonly at: string;
}

/** The measurements of one series: entry k of `values` belongs to entry k of `commits`. */
export interface MeasuredSeries {
  readonly values: ArrayLike<number>;
  /** Numbers of commits. */
  readonly commits: ArrayLike<number>;
}

/** The summary score at one commit. */
export interface SummaryPoint extends MeasuredCommit {
  /** Geometric mean over all series of their value here by that at the base; 1.02 = 2 % slower than the base. */
  readonly score: number;
  /** Series that were measured here; of the others a value was filled in. */
  readonly measured: number;
}

/** The summary score of several series over their commits. */
export interface Summary {
  /** The commit that all others are compared with: the first that every series was measured at, else the first of all. */
  readonly base: SummaryPoint | null;
  /** True when every series was measured at the base. */
  readonly isBaseCommon: boolean;
  /** Number of series in the score. */
  readonly series: number;
  /** In the order of the commits. */
  readonly points: readonly SummaryPoint[];
}

/**
 * The geometric mean of all series over their commits, relative to the first commit that all of them were measured at. A value that is
 * missing between two others is filled in on the line between their logarithms, by the number of commits; before the first and after the last
 * one it is that one. A benchmark that begins or ends therefore does not move the score. Several values of one commit count as
 * their geometric mean, and a value of 0 or less as missing.
 *
 * Source: the summary graph of perf.rust-lang.org, which fills in missing benchmarks from their neighbours in this way
 * (rust-lang/rustc-perf, `site/src/interpolate.rs`). O(series x commits).
 */
export function summarise(series: readonly MeasuredSeries[], commits: readonly MeasuredCommit[]): Summary {
  const used = new Set<number>();
  const known = series.filter((one) => {
    let isUsed = false;
    for (let k = 0; k < one.values.length; k += 1) {
      if (!((one.values[k] ?? 0) > 0)) continue;
      used.add(one.commits[k] ?? 0);
      isUsed = true;
    }
    return isUsed;
  });
  const order = [...used].toSorted((a, b) => {
    const [one, other] = [commits[a]?.at ?? '', commits[b]?.at ?? ''];
    return one < other ? -1 : one > other ? 1 : a - b;
  });
  const rankOf = new Map(order.map((commit, rank) => [commit, rank]));
  const sums = new Float64Array(order.length);
  const measured = new Int32Array(order.length);
  for (const one of known) {
    const logs = logsOf(one, rankOf);
    for (const [rank, log] of logs.entries()) if (!Number.isNaN(log)) measured[rank] = (measured[rank] ?? 0) + 1;
    fill(logs);
    for (const [rank, log] of logs.entries()) sums[rank] = (sums[rank] ?? 0) + log;
  }
  const common = measured.indexOf(known.length);
  const baseAt = Math.max(0, common);
  const points = order.map((commit, rank): SummaryPoint => {
    const { commit: ref = null, at = '' } = commits[commit] ?? {};
    const score = Math.exp(((sums[rank] ?? 0) - (sums[baseAt] ?? 0)) / known.length);
    return { commit: ref, at, score, measured: measured[rank] ?? 0 };
  });
  return { base: points[baseAt] ?? null, isBaseCommon: common !== -1, series: known.length, points };
}

/** Mean logarithm of a series at every commit; NaN = it was not measured there. */
function logsOf({ values, commits }: MeasuredSeries, rankOf: ReadonlyMap<number, number>): Float64Array {
  const logs = new Float64Array(rankOf.size);
  const counts = new Int32Array(rankOf.size);
  for (let k = 0; k < values.length; k += 1) {
    const value = values[k] ?? 0;
    if (!(value > 0)) continue;
    const rank = rankOf.get(commits[k] ?? 0) ?? 0;
    logs[rank] = (logs[rank] ?? 0) + Math.log(value);
    counts[rank] = (counts[rank] ?? 0) + 1;
  }
  return logs.map((sum, rank) => sum / (counts[rank] ?? 0));
}

/** Fills in what is missing, from the neighbours. */
function fill(logs: Float64Array): void {
  let last = -1;
  for (let at = 0; at <= logs.length; at += 1) {
    const next = logs[at];
    if (at < logs.length && Number.isNaN(next)) continue;
    const before = logs[last] ?? next ?? 0;
    const after = next ?? before;
    for (let gap = last + 1; gap < at; gap += 1) logs[gap] = before + ((after - before) * (gap - last)) / (at - last);
    last = at;
  }
}
