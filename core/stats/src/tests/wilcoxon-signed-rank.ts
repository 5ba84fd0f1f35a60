import { checkChoice, checkSample } from '../internal/checks.ts';
import { normalTail } from '../distributions/normal.ts';
import { exactNull, signedRankWays } from '../ranks/rank-null.ts';

/** Method of computing the p value. */
interface SignedRankOptions {
  /** 'exact' without ties or zeros only; 'auto' (default): exact then and for at most 50 differences, else asymptotic. */
  readonly method?: 'auto' | 'exact' | 'asymptotic';
  /** Move W by 1/2 towards its mean in the asymptotic case; default true. */
  readonly continuity?: boolean;
}

/** The outcome of `wilcoxonSignedRank`. */
export interface SignedRankResult {
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
