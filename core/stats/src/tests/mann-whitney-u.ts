import { checkChoice, checkSample } from '../internal/checks.ts';
import { normalTail } from '../distributions/normal.ts';
import { exactNull, rankSumWays } from '../ranks/rank-null.ts';

/** The rank sum of the first sample in the pooled order (mean ranks for ties), and the sum of t^3 - t over groups of ties. */
interface RankSum {
  readonly rankSum: number;
  readonly ties: number;
}

/** Ranks two samples by sorting each and merging: O(n log n), two copies, no pooled array. */
function rankSum(first: ArrayLike<number>, second: ArrayLike<number>): RankSum {
  const a = Float64Array.from(first).sort();
  const b = Float64Array.from(second).sort();
  let i = 0;
  let j = 0;
  let total = 0;
  let ties = 0;
  while (i < a.length) {
    const value = a[i]!;
    while (j < b.length && b[j]! < value) j++;
    const before = i + j;
    let inA = 0;
    while (i < a.length && a[i] === value) {
      i++;
      inA++;
    }
    let inB = 0;
    while (j < b.length && b[j] === value) {
      j++;
      inB++;
    }
    const group = inA + inB;
    total += inA * (before + (group + 1) / 2);
    if (group > 1 && inB > 0) ties += group ** 3 - group;
  }
  return { rankSum: total, ties: ties + tiesWithin(a, b) + tiesWithin(b, a) };
}

/** Groups of ties that lie in one sample only. */
function tiesWithin(sorted: Float64Array, other: Float64Array): number {
  let total = 0;
  let j = 0;
  for (let i = 0; i < sorted.length;) {
    const value = sorted[i]!;
    const from = i;
    while (i < sorted.length && sorted[i] === value) i++;
    if (i - from < 2) continue;
    while (j < other.length && other[j]! < value) j++;
    if (j < other.length && other[j] === value) continue;
    total += (i - from) ** 3 - (i - from);
  }
  return total;
}

/** Method of computing the p value. */
interface MannWhitneyOptions {
  /**
   * 'exact': the permutation distribution, without ties only; 'asymptotic': normal with tie correction; 'auto' (default): exact
   * when the smaller sample has at most 8 values and there are no ties.
   */
  readonly method?: 'auto' | 'exact' | 'asymptotic';
  /** Move U by 1/2 towards its mean in the asymptotic case; default true. */
  readonly continuity?: boolean;
}

/** The outcome of `mannWhitneyU`. */
export interface MannWhitneyResult {
  /** U of the first sample: the number of pairs in which its value is the larger one, ties counting half. */
  readonly u1: number;
  /** U of the second sample; u1 + u2 = n1 n2. */
  readonly u2: number;
  /** Two-sided p value in [0, 1]. */
  readonly p: number;
  readonly method: 'exact' | 'asymptotic';
  readonly ties: boolean;
  /** Vargha and Delaney's A12 = P(X > Y) + P(X = Y)/2, in [0, 1]; 1/2 means no difference. */
  readonly a12: number;
  /** Rank-biserial correlation 2 A12 - 1, in [-1, 1]. */
  readonly rankBiserial: number;
}

/**
 * Mann-Whitney U test (Wilcoxon's rank-sum test), two-sided: does one of two independent samples tend to larger values?
 *
 * @param first, second at least one finite number each, any common unit.
 * @returns statistic, p and effect size. When all values are equal p is 1: no evidence of a difference.
 * @throws RangeError for an empty sample, NaN or infinite values, 'exact' with ties, another method.
 *
 * Assumes independent values. The defaults are scipy's, which Drozdik (2023), section 4.3.3, uses. Sources: H. B. Mann, D. R.
 * Whitney, Annals of Mathematical Statistics 18 (1947); effect size A. Vargha, H. D. Delaney, JEBS 25 (2000).
 * O(n log n); exact O(n1 n2 min(n1, n2)).
 */
export function mannWhitneyU(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: MannWhitneyOptions = {},
): MannWhitneyResult {
  checkSample('first', first);
  checkSample('second', second);
  const { method = 'auto', continuity = true } = options;
  checkChoice('method', method, ['auto', 'exact', 'asymptotic']);
  const n1 = first.length;
  const n2 = second.length;
  const { rankSum: ranks, ties } = rankSum(first, second);
  const u1 = ranks - (n1 * (n1 + 1)) / 2;
  const u2 = n1 * n2 - u1;
  if (method === 'exact' && ties > 0) throw new RangeError("method must not be 'exact' when there are ties");
  const exact = method === 'exact' || (method === 'auto' && ties === 0 && Math.min(n1, n2) <= 8);
  const larger = Math.max(u1, u2);
  let p: number;
  if (exact) {
    p = Math.min(1, 2 * exactNull(rankSumWays(n1, n2)).upperTail(larger));
  } else {
    const n = n1 + n2;
    const variance = ((n1 * n2) / 12) * (n + 1 - ties / (n * (n - 1)));
    const distance = Math.max(0, larger - (n1 * n2) / 2 - (continuity ? 0.5 : 0));
    p = variance > 0 ? Math.min(1, 2 * normalTail(distance / Math.sqrt(variance))) : 1;
  }
  const a12 = u1 / (n1 * n2);
  return { u1, u2, p, method: exact ? 'exact' : 'asymptotic', ties: ties > 0, a12, rankBiserial: 2 * a12 - 1 };
}
