/** The rank sum of the first sample in the pooled order (mean ranks for ties), and the sum of t^3 - t over groups of ties. */
export interface RankSum {
  readonly rankSum: number;
  readonly ties: number;
}

/** Ranks two samples by sorting each and merging: O(n log n), two copies, no pooled array. */
export const rankSum = (first: ArrayLike<number>, second: ArrayLike<number>): RankSum => {
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
};

/** Groups of ties that lie in one sample only. */
const tiesWithin = (sorted: Float64Array, other: Float64Array): number => {
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
};
