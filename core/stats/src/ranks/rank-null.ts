import { normalTail } from '../distributions/normal.ts';
import { studentTSf } from '../distributions/student-t.ts';

/** The distribution of a rank statistic without any shift: of the number of pairs above the true shift. */
export interface RankNull {
  /** P(C >= count). */
  upperTail(count: number): number;
}

/** Cumulated from the rarer end: P(C >= size - i) = P(C <= i). */
export function exactNull(ways: Float64Array): RankNull {
  const size = ways.length - 1;
  const cumulated = new Float64Array(size + 1);
  let sum = 0;
  for (let i = 0; i <= size; i++) cumulated[i] = sum += ways[i]!;
  return {
    upperTail: (count) => {
      const from = Math.ceil(count);
      if (from <= 0) return 1;
      if (from > size) return 0;
      return from > size / 2 ? cumulated[size - from]! : 1 - cumulated[from - 1]!;
    },
  };
}

function fromMoments(mean: number, variance: number): RankNull {
  return {
    upperTail: (count) => normalTail((Math.ceil(count) - 0.5 - mean) / Math.sqrt(variance)),
  };
}

/** Student's t in the place of the normal distribution, for a variance that was estimated. */
export function studentisedNull(
  mean: number,
  { variance, degrees }: { readonly variance: number; readonly degrees: number },
): RankNull {
  return {
    upperTail: (count) => studentTSf((Math.ceil(count) - 0.5 - mean) / Math.sqrt(variance), degrees),
  };
}

/** Longer samples have the normal distribution, whose tails are the heavier ones there. */
const mostSignedRanks = 200;
/** Steps that an exact distribution of two samples may take. */
const mostSteps = 4e6;

/** Chances of every value of W of n untied differences: every rank is positive or negative with probability 1/2. O(n^3). */
export function signedRankWays(n: number): Float64Array {
  const chance = new Float64Array((n * (n + 1)) / 2 + 1);
  chance[0] = 1;
  let top = 0;
  for (let rank = 1; rank <= n; rank++) {
    top += rank;
    for (let i = top; i >= 0; i--) chance[i] = 0.5 * (chance[i]! + (i >= rank ? chance[i - rank]! : 0));
  }
  return chance;
}

/** Distributions are asked for again and again with the same sizes: for the ratio, the difference, each shuffle, each draw of a simulation. */
const remembered = new Map<string, RankNull>();
const mostRemembered = 16;

function remember(key: string, make: () => RankNull): RankNull {
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const made = make();
  const [oldest] = remembered.keys();
  if (remembered.size >= mostRemembered && oldest !== undefined) remembered.delete(oldest);
  remembered.set(key, made);
  return made;
}

/** Distribution of the number of Walsh averages above the centre of n symmetric values. */
export function signedRankNull(n: number): RankNull {
  if (n <= mostSignedRanks) return remember(`${n}`, () => exactNull(signedRankWays(n)));
  return fromMoments((n * (n + 1)) / 4, (n * (n + 1) * (2 * n + 1)) / 24);
}

/**
 * Chances of every U without ties: the coefficients of the Gaussian binomial, built factor by factor as probabilities. The upper half
 * loses digits by cancellation. O(n1 n2 min(n1, n2)) time, O(n1 n2) memory.
 */
export function rankSumWays(n1: number, n2: number): Float64Array {
  const small = Math.min(n1, n2);
  const large = Math.max(n1, n2);
  const size = small * large;
  let ways = new Float64Array(size + 1);
  ways[0] = 1;
  let top = 0;
  for (let k = 1; k <= small; k++) {
    // multiply by (1 - q^(large + k)), then divide by (1 - q^k); scale to keep a distribution
    top += large;
    const next = new Float64Array(size + 1);
    const jump = large + k;
    const scale = k / jump;
    for (let i = 0; i <= top; i++) {
      const value = ways[i]! - (i >= jump ? ways[i - jump]! : 0);
      next[i] = value * scale + (i >= k ? next[i - k]! : 0);
    }
    ways = next;
  }
  return ways;
}

/** Distribution of the number of pairs whose difference lies above the true shift of two samples. */
export function rankSumNull(n1: number, n2: number): RankNull {
  const pairs = n1 * n2;
  if (pairs * Math.min(n1, n2) <= mostSteps) return remember(`${n1} ${n2}`, () => exactNull(rankSumWays(n1, n2)));
  return fromMoments(pairs / 2, (pairs * (n1 + n2 + 1)) / 12);
}
