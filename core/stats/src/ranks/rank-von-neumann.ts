import { checkSample } from '../internal/checks.ts';
import { normalCdf } from '../distributions/normal.ts';

/** The outcome of `rankVonNeumann`. */
export interface RankVonNeumann {
  /** Sum of squared differences of successive ranks over that of the ranks from their mean; about 2 for independent values, less where neighbours resemble each other. */
  readonly ratio: number;
  /** One-sided p value in [0, 1]: small where neighbours resemble each other more than independent values do. */
  readonly p: number;
}

/** Ranks of a series from 1, ties by their mean. */
function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let i = 0; i < order.length;) {
    let end = i;
    while (end < order.length && values[order[end]!] === values[order[i]!]) end++;
    for (let k = i; k < end; k++) ranks[order[k]!] = (i + 1 + end) / 2;
    i = end;
  }
  return ranks;
}

/**
 * Bartels' rank version of von Neumann's ratio test, one-sided: do neighbouring values of a series resemble each other?
 *
 * @param values in their order, at least 4, finite.
 * @returns p 1 when all values are equal.
 * @throws RangeError for fewer values or values that are not finite.
 *
 * The normal approximation: within 0.005 of the exact level of 0.05 from 10 values on. Source: R. Bartels, JASA 77 (1982), 40-46. O(n log n).
 */
export function rankVonNeumann(values: ArrayLike<number>): RankVonNeumann {
  checkSample('values', values, 4);
  const n = values.length;
  const ranks = ranksOf(values);
  const centre = (n + 1) / 2;
  let steps = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    squares += (ranks[i]! - centre) ** 2;
    if (i > 0) steps += (ranks[i]! - ranks[i - 1]!) ** 2;
  }
  if (squares === 0) return { ratio: 2, p: 1 };
  const ratio = steps / squares;
  const variance = (4 * (n - 2) * (5 * n * n - 2 * n - 9)) / (5 * n * (n + 1) * (n - 1) ** 2);
  return { ratio, p: normalCdf((ratio - 2) / Math.sqrt(variance)) };
}
