/**
 * P(U >= u) under the null hypothesis without ties, from the numbers of ways to reach each U: the coefficients of the Gaussian
 * binomial, built factor by factor as probabilities. O(n1 n2 min(n1, n2)) time, O(n1 n2) memory.
 */
export const mannWhitneyUpperTail = (u: number, n1: number, n2: number): number => {
  const small = Math.min(n1, n2);
  const large = Math.max(n1, n2);
  const size = small * large;
  // U and n1 n2 - U have the same distribution: sum the shorter tail.
  const from = Math.ceil(u);
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
  if (from <= 0) return 1;
  // Differences lose digits in the upper half; the distribution is symmetric, so read it from below.
  let total = 0;
  for (let i = 0; i <= size - from; i++) total += ways[i]!;
  return from > size / 2 ? total : 1 - lowerSum(ways, from - 1);
};

const lowerSum = (ways: Float64Array, last: number): number => {
  let total = 0;
  for (let i = 0; i <= last; i++) total += ways[i]!;
  return total;
};
