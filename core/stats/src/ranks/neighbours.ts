import { normalCdf } from '../distributions/normal.ts';
import { checkInteger, checkSample } from '../internal/checks.ts';

/** The outcome of `rankVonNeumann`. */
export interface RankVonNeumann {
  /** Sum of squared differences of successive ranks over that of the ranks from their mean; about 2 for independent values, less where neighbours resemble each other. */
  readonly ratio: number;
  /** One-sided p value in [0, 1]: small where neighbours resemble each other more than independent values do. */
  readonly p: number;
  /** Ranks of the values from 1, ties by their mean. */
  readonly ranks: Float64Array;
}

/**
 * The places of values in their ascending order, from 0, equal ones in the order given. A place is looked up in the sorted values, among those of the same
 * of as many equal parts of their range, which of very many takes a small part of the time that sorting places takes.
 *
 * @param values numbers, none of them NaN. O(n log n).
 */
export function ascendingOrder(values: ArrayLike<number>): Uint32Array {
  const n = values.length;
  const sorted = new Float64Array(values).sort();
  const [least = 0, most = 0] = [sorted[0], sorted[n - 1]];
  // 0 where the range is infinite or empty: all are in the first part.
  const scale = most > least && Number.isFinite(n / (most - least)) ? n / (most - least) : 0;

  function partOf(value: number): number {
    return ((value - least) * scale) >>> 0;
  }

  const ends = new Uint32Array(n + 2);
  for (let i = 0; i < n; i++) ends[partOf(sorted[i]!)] = i + 1;
  for (let part = 1; part < ends.length; part++) if (ends[part] === 0) ends[part] = ends[part - 1]!;
  const order = new Uint32Array(n);
  const taken = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const value = values[i]!;
    const part = partOf(value);
    let low = part === 0 ? 0 : ends[part - 1]!;
    for (let high = ends[part]!; low < high;) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    order[low + taken[low]!++] = i;
  }
  return order;
}

/** Ranks of a series from 1, ties by their mean. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = ascendingOrder(values);
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
  if (squares === 0) return { ratio: 2, p: 1, ranks };
  const ratio = steps / squares;
  const variance = (4 * (n - 2) * (5 * n * n - 2 * n - 9)) / (5 * n * (n + 1) * (n - 1) ** 2);
  return { ratio, p: normalCdf((ratio - 2) / Math.sqrt(variance)), ranks };
}

/**
 * The long-run variance of a series by equal-weighted cosines: n times the variance of its mean where successive values depend on each other.
 * It is the mean of the squares of the projections of the series on sqrt(2 / n) cos(pi j (t - 1/2) / n), j = 1 .. `cosines`, of which each is about
 * normal and independent of the others, so that a t statistic of the mean has about `cosines` degrees of freedom (fixed-b asymptotics). With n - 1 cosines it is
 * the sample variance.
 *
 * @param values in their order, at least two, finite.
 * @param cosines 1 .. n - 1: fewer follow a stronger dependence, and estimate with a larger error.
 * @returns in the square of the values' unit, >= 0.
 * @throws RangeError naming the argument that is out of its range.
 *
 * Source: E. Lazarus, D. Lewis, J. Stock, M. Watson, HAR inference: recommendations for practice, Journal of Business & Economic Statistics 36
 *   (2018), 541-559, section 3, equations 8 to 10; U. Müller, Journal of Econometrics 141 (2007). O(n cosines).
 */
export function longRunVariance(values: ArrayLike<number>, cosines: number): number {
  checkSample('values', values, 2);
  const n = values.length;
  checkInteger('cosines', cosines, 1, n - 1);
  let squares = 0;
  for (let j = 1; j <= cosines; j++) {
    // cos(a (t + 1)) = 2 cos(a) cos(a t) - cos(a (t - 1)), from half a step before the first value on.
    const angle = (Math.PI * j) / n;
    let [last, now] = [Math.cos(angle / 2), Math.cos(angle / 2)];
    let projection = 0;
    for (let i = 0; i < n; i++) {
      projection += values[i]! * now;
      [last, now] = [now, 2 * Math.cos(angle) * now - last];
    }
    squares += projection ** 2;
  }
  return (2 * squares) / (n * cosines);
}
