/** What lies on both sides of a threshold among implicit pairs. */
interface Split {
  /** Pairs at most the threshold. */
  readonly count: number;
  /** The largest of them, and the smallest above; infinite where there is none. */
  readonly largestAtMost: number;
  readonly smallestAbove: number;
}

/** Values of all pairs of two sorted lists, which are never written down: they may be hundreds of millions. */
export interface PairValues {
  /** Number of pairs. */
  readonly size: number;
  /** O(n). */
  split(threshold: number): Split;
  readonly smallest: number;
  readonly largest: number;
}

/** The averages (x_i + x_j) / 2 with i <= j of a sample (Walsh averages). */
export function walshAverages(sample: ArrayLike<number>): PairValues {
  const x = Float64Array.from(sample).sort();
  const n = x.length;
  const split = (threshold: number): Split => {
    let count = 0;
    let largestAtMost = -Infinity;
    let smallestAbove = Infinity;
    let end = n;
    for (let i = 0; i < n; i++) {
      while (end > i && x[i]! / 2 + x[end - 1]! / 2 > threshold) end--;
      if (end > i) {
        count += end - i;
        largestAtMost = Math.max(largestAtMost, x[i]! / 2 + x[end - 1]! / 2);
      }
      const next = Math.max(end, i);
      if (next < n) smallestAbove = Math.min(smallestAbove, x[i]! / 2 + x[next]! / 2);
    }
    return { count, largestAtMost, smallestAbove };
  };
  return { size: (n * (n + 1)) / 2, split, smallest: x[0]! / 2 + x[0]! / 2, largest: x[n - 1]! / 2 + x[n - 1]! / 2 };
}

/** The differences x_i - y_j of two samples. */
export function pairDifferences(first: ArrayLike<number>, second: ArrayLike<number>): PairValues {
  const x = Float64Array.from(first).sort();
  const y = Float64Array.from(second).sort();
  const [n, m] = [x.length, y.length];
  const split = (threshold: number): Split => {
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
  };
  return { size: n * m, split, smallest: x[0]! - y[m - 1]!, largest: x[n - 1]! - y[0]! };
}

/**
 * The k-th smallest value of all pairs, k from 1, exactly: bisection between values that occur, O(n) a step (D. B. Johnson, T.
 * Mizoguchi, SIAM Journal on Computing 7 (1978), for the idea of counting along the rows).
 */
export function selectPair(pairs: PairValues, k: number): number {
  let low = pairs.smallest;
  let high = pairs.largest;
  while (low < high) {
    const middle = low / 2 + high / 2;
    const threshold = middle < high && middle >= low ? middle : low;
    const { count, largestAtMost, smallestAbove } = pairs.split(threshold);
    if (count >= k) high = largestAtMost;
    else low = smallestAbove;
  }
  return high;
}

/** The median of all pairs: Hodges and Lehmann's estimate. */
export function medianPair(pairs: PairValues): number {
  const { size } = pairs;
  const upper = selectPair(pairs, Math.floor(size / 2) + 1);
  return size % 2 === 1 ? upper : selectPair(pairs, size / 2) / 2 + upper / 2;
}
