/**
 * Puts the k-th smallest value of `values[left..right]` (0-based, inclusive) at index k, everything smaller or equal before
 * it and everything larger or equal after it, in place, and returns it.
 *
 * Hoare's quickselect with the median of three as pivot. Expected O(n); after 64 rounds without an end it sorts the rest, so
 * that no input is quadratic in practice.
 */
export const select = (values: Float64Array, k: number, left = 0, right: number = values.length - 1): number => {
  let lo = left;
  let hi = right;
  for (let round = 0; hi - lo > 12; round++) {
    if (round === 64) break;
    const mid = (lo + hi) >>> 1;
    const a = values[lo]!;
    const b = values[mid]!;
    const c = values[hi]!;
    const pivot = a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
    let i = lo;
    let j = hi;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i <= j) {
        const swap = values[i]!;
        values[i] = values[j]!;
        values[j] = swap;
        i++;
        j--;
      }
    }
    if (k <= j) hi = j;
    else if (k >= i) lo = i;
    else return values[k]!;
  }
  values.subarray(lo, hi + 1).sort();
  return values[k]!;
};
