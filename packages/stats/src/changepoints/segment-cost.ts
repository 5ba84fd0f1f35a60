/** What may change at a change point: mean and variance, the mean alone, the variance alone. */
export type ChangeKind = 'meanvar' | 'mean' | 'var';

const LOG_2PI = 1.8378770664093453;
const SPLITTER = 134217729;

/** Smallest difference between two values that is more than rounding noise; for a constant series the noise itself. */
const resolution = (series: ArrayLike<number>): number => {
  const sorted = Float64Array.from(series).sort();
  const noise = 1e-12 * Math.max(Math.abs(sorted[0]!), Math.abs(sorted[sorted.length - 1]!));
  let least = Infinity;
  for (let i = 1; i < sorted.length; i++) {
    const gap = sorted[i]! - sorted[i - 1]!;
    if (gap > noise && gap < least) least = gap;
  }
  return least === Infinity ? noise : least;
};

/**
 * Costs of all segments of one series in O(1) each, from prefix sums.
 *
 * The sums of y and y^2 (y = x minus the mean of all) are kept as pairs of doubles, so that a segment's sum of squares about its
 * own mean keeps its digits however far the segment lies from the others: the plain difference is used while it loses at
 * most five digits, double-double arithmetic beyond.
 *
 * Costs are twice the negative log-likelihood of the normal distribution:
 * meanvar: m (ln 2pi + ln s2 + 1), s2 about the segment's mean, divisor m; var: the same about the mean of the whole series;
 * mean: the sum of squares about the segment's mean (variance 1, constants left out).
 * Measured values are multiples of some resolution r, and a segment of equal values has no variance to take a logarithm of.
 * Variances are bounded below by r^2/12, the variance of rounding, r being the smallest difference between two values of the
 * series (differences below 1e-12 of the largest value count as rounding noise). Below the bound the likelihood at the bound
 * is used, m (ln 2pi + ln bound + s2/bound), so that splitting a segment never raises the cost. A series without equal
 * neighbours cannot reach the bound.
 *
 * `zeroVariance` chooses another rule instead: segments of equal values count as if they had this variance, others have no
 * bound. Splitting can then raise the cost by `room` at most, which weakens pruning but not exactness.
 */
export class SegmentCost {
  readonly length: number;
  readonly #kind: ChangeKind;
  readonly #first: Float64Array;
  readonly #firstRest: Float64Array;
  readonly #second: Float64Array;
  readonly #secondRest: Float64Array;
  readonly #bound: number;
  readonly #logBound: number;
  readonly #runStart: Int32Array | null;
  readonly #zeroVariance: number;
  /** How much splitting may raise the cost at most. */
  readonly room: number;

  constructor(series: ArrayLike<number>, kind: ChangeKind, zeroVariance?: number) {
    const n = series.length;
    this.length = n;
    this.#kind = kind;
    const first = new Float64Array(n + 1);
    const firstRest = new Float64Array(n + 1);
    const second = new Float64Array(n + 1);
    const secondRest = new Float64Array(n + 1);
    let total = 0;
    for (let i = 0; i < n; i++) total += series[i]!;
    const centre = total / n;
    let a = 0;
    let aRest = 0;
    let b = 0;
    let bRest = 0;
    for (let i = 0; i < n; i++) {
      const y = series[i]! - centre;
      let next = a + y;
      let back = next - a;
      aRest += a - (next - back) + (y - back);
      a = next;
      const square = y * y;
      const big = SPLITTER * y;
      const high = big - (big - y);
      const low = y - high;
      bRest += low * low - (square - high * high - 2 * high * low);
      next = b + square;
      back = next - b;
      bRest += b - (next - back) + (square - back);
      b = next;
      first[i + 1] = a;
      firstRest[i + 1] = aRest;
      second[i + 1] = b;
      secondRest[i + 1] = bRest;
    }
    this.#first = first;
    this.#firstRest = firstRest;
    this.#second = second;
    this.#secondRest = secondRest;
    const spread = b / n;
    let equalNeighbours = false;
    for (let i = 1; i < n && !equalNeighbours; i++) equalNeighbours = series[i] === series[i - 1];
    const least = 1e-30 * (spread > 0 ? spread : centre * centre) || 1e-300;
    this.#zeroVariance = zeroVariance ?? 0;
    this.#runStart = null;
    this.room = 0;
    if (zeroVariance === undefined) {
      this.#bound = equalNeighbours ? Math.max(least, resolution(series) ** 2 / 12) : least;
    } else {
      this.#bound = least;
      if (equalNeighbours) {
        // runStart[t]: where the run of equal values that ends before t begins.
        const runStart = new Int32Array(n + 1);
        let longest = 1;
        for (let t = 1; t <= n; t++) {
          runStart[t] = t > 1 && series[t - 1] === series[t - 2] ? runStart[t - 1]! : t - 1;
          longest = Math.max(longest, t - runStart[t]!);
        }
        this.#runStart = runStart;
        this.room = Math.max(0, longest * (Math.log(zeroVariance) + 1 - Math.log(this.#bound)));
      }
    }
    this.#logBound = LOG_2PI + Math.log(this.#bound);
  }

  /** Sum of squares of x[from..to) about its mean, when the plain difference has lost too many digits. */
  #carefulSquares(from: number, to: number): number {
    const m = to - from;
    const top = this.#first[to]!;
    const bottom = -this.#first[from]!;
    const high = top + bottom;
    const back = high - top;
    const low = top - (high - back) + (bottom - back) + (this.#firstRest[to]! - this.#firstRest[from]!);
    const square = high * high;
    const big = SPLITTER * high;
    const h = big - (big - high);
    const l = high - h;
    const squareRest = l * l - (square - h * h - 2 * h * l) + 2 * high * low;

    const above = this.#second[to]!;
    const below = -this.#second[from]!;
    const sum = above + below;
    const step = sum - above;
    const sumRest = above - (sum - step) + (below - step) + (this.#secondRest[to]! - this.#secondRest[from]!);
    // m * sum as a double and its rest
    const product = m * sum;
    const bigSum = SPLITTER * sum;
    const sh = bigSum - (bigSum - sum);
    const sl = sum - sh;
    const productRest = m * sh - product + m * sl + m * sumRest;
    const difference = product - square + (productRest - squareRest);
    return difference > 0 ? difference / m : 0;
  }

  /**
   * A lower bound of the segment's cost that splitting never raises: `cost` but for segments of equal values under
   * `zeroVariance`.
   */
  lowerCost(from: number, to: number): number {
    if (this.#runStart !== null && this.#runStart[to]! <= from)
      return Math.min(this.cost(from, to), (to - from) * this.#logBound);
    return this.cost(from, to);
  }

  /** Cost of the segment x[from..to), from < to. */
  cost(from: number, to: number): number {
    const m = to - from;
    let squares = this.#second[to]! - this.#second[from]! + (this.#secondRest[to]! - this.#secondRest[from]!);
    if (this.#kind !== 'var') {
      const sum = this.#first[to]! - this.#first[from]! + (this.#firstRest[to]! - this.#firstRest[from]!);
      const about = squares - (sum * sum) / m;
      squares = about < 1e-5 * squares ? this.#carefulSquares(from, to) : about;
      if (this.#kind === 'mean') return squares;
    }
    if (this.#runStart !== null && this.#runStart[to]! <= from) {
      return m * (LOG_2PI + 1 + Math.log(this.#zeroVariance));
    }
    const variance = squares / m;
    return variance > this.#bound
      ? m * (LOG_2PI + 1 + Math.log(variance))
      : m * (this.#logBound + Math.max(0, variance) / this.#bound);
  }
}
