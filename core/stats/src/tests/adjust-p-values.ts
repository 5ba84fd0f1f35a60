/**
 * Method by which the p values of a family of tests are corrected. `holm`: the probability of any false rejection stays below the level,
 * whatever depends on what. `benjamini-hochberg`: the expected share of false ones among the rejections does, for tests that
 * are independent or positively dependent; where no hypothesis is wrong that is the probability of any rejection.
 */
export type Correction = 'holm' | 'benjamini-hochberg' | 'none';

/**
 * Adjusted p values: a hypothesis is rejected at a level exactly when its adjusted value is at most that level.
 *
 * @param values p values in [0, 1], any number of them, in any order.
 * @returns in the order of `values`, each in [0, 1] and at least as large as it was.
 * @throws RangeError for a value outside [0, 1].
 *
 * Equal to R's `p.adjust`. Source: S. Holm, Scandinavian Journal of Statistics 6 (1979), 65-70; Y. Benjamini, Y. Hochberg,
 * JRSS B 57 (1995), 289-300. O(n log n).
 */
export function adjustPValues(values: ArrayLike<number>, correction: Correction): Float64Array {
  const n = values.length;
  const p = Float64Array.from(values);
  const wrong = p.findIndex((value) => !(value >= 0 && value <= 1));
  if (wrong !== -1) throw new RangeError(`p values must be in [0, 1], got ${String(p[wrong])}`);
  if (correction === 'none') return p;
  const adjusted = new Float64Array(n);
  const ascending = Array.from(p.keys()).sort((a, b) => p[a]! - p[b]!);
  if (correction === 'holm') {
    let largest = 0;
    for (const [rank, place] of ascending.entries()) {
      largest = Math.max(largest, Math.min(1, (n - rank) * p[place]!));
      adjusted[place] = largest;
    }
    return adjusted;
  }
  let smallest = 1;
  for (let rank = n - 1; rank >= 0; rank--) {
    const place = ascending[rank]!;
    smallest = Math.min(smallest, (n / (rank + 1)) * p[place]!);
    adjusted[place] = smallest;
  }
  return adjusted;
}
