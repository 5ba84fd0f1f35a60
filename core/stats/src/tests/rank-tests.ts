import { checkChoice, checkSample } from '../internal/checks.ts';
import { normalTail } from '../distributions/normal.ts';
import { exactNull, rankSumWays, signedRankWays } from '../ranks/rank-null.ts';

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

/** Method of computing the p value. */
interface SignedRankOptions {
  /** 'exact' without ties or zeros only; 'auto' (default): exact then and for at most 50 differences, else asymptotic. */
  readonly method?: 'auto' | 'exact' | 'asymptotic';
  /** Move W by 1/2 towards its mean in the asymptotic case; default true. */
  readonly continuity?: boolean;
}

/** The outcome of `wilcoxonSignedRank`. */
interface SignedRankResult {
  /** Sum of the ranks of the positive differences. */
  readonly wPlus: number;
  /** Sum of the ranks of the negative differences. */
  readonly wMinus: number;
  /** Two-sided p value in [0, 1]. */
  readonly p: number;
  readonly method: 'exact' | 'asymptotic';
  /** Number of differences that are not 0. */
  readonly n: number;
  /** Matched-pairs rank-biserial correlation (wPlus - wMinus)/(wPlus + wMinus), in [-1, 1]; 0 when all differences are 0. */
  readonly rankBiserial: number;
}

/**
 * Wilcoxon's signed-rank test, two-sided: are paired differences symmetric about 0?
 *
 * @param differences at least one finite number, any unit; zeros are left out (Wilcoxon's rule).
 * @returns statistics, p and effect size; p is 1 when every difference is 0.
 * @throws RangeError for an empty sample, NaN or infinite values, 'exact' with ties or zeros, another method.
 *
 * Assumes independent pairs. Equal to R's `wilcox.test(paired = TRUE)`. Source: F. Wilcoxon, Biometrics Bulletin 1 (1945); effect
 * size D. S. Kerby, Comprehensive Psychology 3 (2014). O(n log n); exact O(n^3).
 */
export function wilcoxonSignedRank(differences: ArrayLike<number>, options: SignedRankOptions = {}): SignedRankResult {
  checkSample('differences', differences);
  const { method = 'auto', continuity = true } = options;
  checkChoice('method', method, ['auto', 'exact', 'asymptotic']);
  const kept = Array.from(differences).filter((d) => d !== 0);
  const n = kept.length;
  kept.sort((a, b) => Math.abs(a) - Math.abs(b));
  let wPlus = 0;
  let ties = 0;
  for (let i = 0; i < n;) {
    const size = Math.abs(kept[i]!);
    let end = i;
    while (end < n && Math.abs(kept[end]!) === size) end++;
    const rank = (i + 1 + end) / 2;
    for (let k = i; k < end; k++) if (kept[k]! > 0) wPlus += rank;
    ties += (end - i) ** 3 - (end - i);
    i = end;
  }
  const all = (n * (n + 1)) / 2;
  const wMinus = all - wPlus;
  const clean = ties === 0 && n === differences.length;
  if (method === 'exact' && !clean) throw new RangeError("method must not be 'exact' when there are ties or zeros");
  const exact = method === 'exact' || (method === 'auto' && clean && n <= 50);
  const larger = Math.max(wPlus, wMinus);
  let p = 1;
  if (exact) {
    p = Math.min(1, 2 * exactNull(signedRankWays(n)).upperTail(larger));
  } else if (n > 0) {
    const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
    const distance = Math.max(0, larger - all / 2 - (continuity ? 0.5 : 0));
    p = variance > 0 ? Math.min(1, 2 * normalTail(distance / Math.sqrt(variance))) : 1;
  }
  const rankBiserial = all === 0 ? 0 : (wPlus - wMinus) / all;
  return { wPlus, wMinus, p, method: exact ? 'exact' : 'asymptotic', n, rankBiserial };
}
