import { checkOpen, checkSample } from '../internal/checks.ts';
import type { Interval } from '../resampling/bootstrap.ts';
import { variance } from '../samples/moments.ts';
import { ranksOf } from './neighbours.ts';
import { rankSumNull, signedRankNull, studentisedNull, type RankNull } from './rank-null.ts';

/** The pairs on both sides of a threshold. */
interface Split {
  /** Pairs at most the threshold. */
  readonly count: number;
  /** The largest of them, and the smallest above; infinite where there is none. */
  readonly largestAtMost: number;
  readonly smallestAbove: number;
}

/** Values of all pairs of two sorted lists, which are never written down: they may be hundreds of millions. */
interface PairValues {
  /** Number of pairs. */
  readonly size: number;
  /** O(n). */
  split(threshold: number): Split;
  readonly smallest: number;
  readonly largest: number;
}

/** The averages (x_i + x_j) / 2 with i <= j of a sample (Walsh averages). */
function walshAverages(sample: ArrayLike<number>): PairValues {
  const half = new Float64Array(sample).map((value) => value / 2).sort();
  const n = half.length;

  function split(threshold: number): Split {
    let count = 0;
    let largestAtMost = -Infinity;
    let smallestAbove = Infinity;
    let end = n;
    for (let i = 0; i < n; i++) {
      while (end > i && half[i]! + half[end - 1]! > threshold) end--;
      if (end > i) {
        count += end - i;
        largestAtMost = Math.max(largestAtMost, half[i]! + half[end - 1]!);
      }
      const next = Math.max(end, i);
      if (next < n) smallestAbove = Math.min(smallestAbove, half[i]! + half[next]!);
    }
    return { count, largestAtMost, smallestAbove };
  }

  return { size: (n * (n + 1)) / 2, split, smallest: half[0]! + half[0]!, largest: half[n - 1]! + half[n - 1]! };
}

/** The differences x_i - y_j of two samples. */
function pairDifferences(first: ArrayLike<number>, second: ArrayLike<number>): PairValues {
  const x = new Float64Array(first).sort();
  const y = new Float64Array(second).sort();
  const [n, m] = [x.length, y.length];

  function split(threshold: number): Split {
    let count = 0;
    let largestAtMost = -Infinity;
    let smallestAbove = Infinity;
    // From here on y is large enough for the difference to be at most the threshold.
    let from = 0;
    for (let i = 0; i < n; i++) {
      while (from < m && x[i]! - y[from]! > threshold) from++;
      count += m - from;
      if (from < m) largestAtMost = Math.max(largestAtMost, x[i]! - y[from]!);
      if (from > 0) smallestAbove = Math.min(smallestAbove, x[i]! - y[from - 1]!);
    }
    return { count, largestAtMost, smallestAbove };
  }

  return { size: n * m, split, smallest: x[0]! - y[m - 1]!, largest: x[n - 1]! - y[0]! };
}

/**
 * The k-th smallest value of all pairs, k from 1, exactly: bisection between values that occur, O(n) a step (D. B. Johnson, T.
 * Mizoguchi, SIAM Journal on Computing 7 (1978), for the idea of counting along the rows). A step aims, by the number of pairs on both sides, a
 * little below or above the value by turns, so that it closes in from both; after one that left more than half of the pairs it halves the way.
 */
function selectPair(pairs: PairValues, k: number): number {
  let low = pairs.smallest;
  let high = pairs.largest;
  let [below, upTo, turn, isSlow] = [0, pairs.size, -1, false];
  while (low < high) {
    const inside = upTo - below;
    const share = Math.min(1, Math.max(0, (k - below + turn * Math.sqrt(inside)) / inside));
    const middle = isSlow ? low / 2 + high / 2 : low + share * (high - low);
    const threshold = middle < high && middle >= low ? middle : low;
    const { count, largestAtMost, smallestAbove } = pairs.split(threshold);
    if (count >= k) [high, upTo] = [largestAtMost, count];
    else [low, below] = [smallestAbove, count];
    isSlow = upTo - below > inside / 2;
    turn = -turn;
  }
  return high;
}

/** The median of all pairs: Hodges and Lehmann's estimate. */
function medianPair(pairs: PairValues): number {
  const { size } = pairs;
  const upper = selectPair(pairs, Math.floor(size / 2) + 1);
  if (size % 2 === 1) return upper;
  const { count, largestAtMost } = pairs.split(nextBelow(upper));
  return (count === size / 2 ? largestAtMost : upper) / 2 + upper / 2;
}

/** A shift by a rank test: the interval at a level is the set of shifts that the two-sided test at this level does not reject. */
export interface RankShift {
  /** Hodges and Lehmann's estimate, in the unit of the values. */
  readonly estimate: number;
  /** Smallest one-sided p value that any sample of this size can have. */
  readonly leastP: number;
  /** One-sided p value, in [0, 1], of the hypothesis that the shift is at most `shift`: small where it is larger. */
  pAtMost(shift: number): number;
  /** The same of the hypothesis that the shift is at least `shift`. */
  pAtLeast(shift: number): number;
  /**
   * Ends at a two-sided level in (0, 1): `low` lies above a shift exactly where `pAtMost` of it is at most (1 - level) / 2. They are
   * infinite where (1 - level) / 2 is below `leastP`.
   */
  interval(level: number): Interval;
}

function shiftOf(pairs: PairValues, distribution: RankNull): RankShift {
  const { size } = pairs;

  /** The fewest pairs on one side of a shift at which it is rejected; size + 1 where it never is. */
  function criticalCount(tail: number): number {
    let low = 0;
    let high = size + 1;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (distribution.upperTail(middle) <= tail) high = middle;
      else low = middle;
    }
    return high;
  }

  return {
    estimate: medianPair(pairs),
    leastP: distribution.upperTail(size),
    pAtMost: (shift) => distribution.upperTail(size - pairs.split(shift).count),
    pAtLeast: (shift) => distribution.upperTail(pairs.split(nextBelow(shift)).count),
    interval: (level) => {
      const tail = (1 - checkOpen('level', level)) / 2;
      const count = criticalCount(tail);
      if (count > size) return { low: -Infinity, high: Infinity, level };
      return { low: selectPair(pairs, size - count + 1), high: selectPair(pairs, count), level };
    },
  };
}

const bits = new DataView(new ArrayBuffer(8));

/** The largest double below a finite one. */
function nextBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}

/**
 * The centre of a sample by Wilcoxon's signed-rank test: the median of all averages of two values, each value with itself too, and the
 * test's p values and intervals.
 *
 * @param values at least one finite number, any unit.
 * @throws RangeError for an empty sample or values that are not finite.
 *
 * Assumes independent values that are symmetric about their centre. Values on the tested shift itself count as
 * evidence for neither side, which makes the test conservative with ties. Equal to R's `wilcox.test(conf.int = TRUE, exact = TRUE)` without ties. Source: J. L.
 * Hodges, E. L. Lehmann, Annals of Mathematical Statistics 34 (1963); M. Hollander, D. A. Wolfe, Nonparametric Statistical
 * Methods, sections 3.1 to 3.3. O(n log n) and the exact distribution O(n^3).
 */
export function signedRankShift(values: ArrayLike<number>): RankShift {
  checkSample('values', values);
  return shiftOf(walshAverages(values), signedRankNull(values.length));
}

/**
 * The shift of the first sample against the second by the Mann-Whitney test: the median of all differences of a value of the first and
 * one of the second, and the test's p values and intervals.
 *
 * @param first, second at least one finite number each, any common unit.
 * @throws RangeError for an empty sample or values that are not finite.
 *
 * Assumes independent values whose two distributions differ by a shift alone, with `studentised` (their variance, the second sample moved on the first) by a shift and their spreads. Ties as in `signedRankShift`. Equal to R's
 * `wilcox.test(first, second, conf.int = TRUE, exact = TRUE)` without ties. Source: as `signedRankShift`; Hollander and Wolfe, sections 4.1 to
 * 4.3. O(n log n) and the exact distribution O(n1 n2 min(n1, n2)).
 */
export function rankSumShift(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  { studentised }: { readonly studentised?: RankSumVariance } = {},
): RankShift {
  checkSample('first', first);
  checkSample('second', second);
  const [n, m] = [first.length, second.length];
  return shiftOf(
    pairDifferences(first, second),
    studentised === undefined ? rankSumNull(n, m) : studentisedNull((n * m) / 2, studentised),
  );
}

/** The variance of the Mann-Whitney statistic of two samples of which one may scatter more. */
export interface RankSumVariance {
  /** The variance of the number of pairs, > 0 where the samples overlap. */
  readonly variance: number;
  /** The same over that of two samples of the same distribution. */
  readonly ratio: number;
  /** Degrees of freedom by Satterthwaite; 0 where the samples do not overlap. */
  readonly degrees: number;
}

/**
 * The variance of the Mann-Whitney statistic from the placements of the values of each sample in the other one.
 *
 * @param first, second at least two finite numbers each.
 * @throws RangeError for fewer values or values that are not finite.
 *
 * Source: E. Brunner, U. Munzel, The nonparametric Behrens-Fisher problem, Biometrical Journal 42 (2000), 17-25, sections 3 and 4. O(n log n).
 */
export function rankSumVariance(first: ArrayLike<number>, second: ArrayLike<number>): RankSumVariance {
  checkSample('first', first, 2);
  checkSample('second', second, 2);
  const [n, m] = [first.length, second.length];
  const ranks = ranksOf([...Array.from(first), ...Array.from(second)]);
  const own = [ranksOf(first), ranksOf(second)] as const;
  const ofFirst = n * variance(own[0].map((rank, i) => ranks[i]! - rank));
  const ofSecond = m * variance(own[1].map((rank, i) => ranks[n + i]! - rank));
  const total = ofFirst + ofSecond;
  const degrees = total === 0 ? 0 : total ** 2 / (ofFirst ** 2 / (n - 1) + ofSecond ** 2 / (m - 1));
  return { variance: total, ratio: (12 * total) / (n * m * (n + m + 1)), degrees };
}
