/** The quantity that may change at a change point: mean and variance, the mean alone, the variance alone. */
export type ChangeKind = 'meanvar' | 'mean' | 'var';

const log2Pi = 1.8378770664093453;
const splitter = 134217729;

/** Smallest difference between two values that is more than rounding noise; for a constant series the noise itself. */
function resolution(series: ArrayLike<number>): number {
  const sorted = Float64Array.from(series).sort();
  const noise = 1e-12 * Math.max(Math.abs(sorted[0]!), Math.abs(sorted[sorted.length - 1]!));
  let least = Infinity;
  for (let i = 1; i < sorted.length; i++) {
    const gap = sorted[i]! - sorted[i - 1]!;
    if (gap > noise && gap < least) least = gap;
  }
  return least === Infinity ? noise : least;
}

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
  /** For every prefix four numbers: sum of y and its rest, sum of y^2 and its rest. */
  readonly #sums: Float64Array;
  readonly #bound: number;
  readonly #logBound: number;
  readonly #runStart: Int32Array | null;
  readonly #zeroVariance: number;
  /** Most by which splitting may raise the cost. */
  readonly room: number;

  constructor(series: ArrayLike<number>, kind: ChangeKind, zeroVariance?: number) {
    const n = series.length;
    this.length = n;
    this.#kind = kind;
    const sums = new Float64Array(4 * (n + 1));
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
      const big = splitter * y;
      const high = big - (big - y);
      const low = y - high;
      bRest += low * low - (square - high * high - 2 * high * low);
      next = b + square;
      back = next - b;
      bRest += b - (next - back) + (square - back);
      b = next;
      const at = 4 * (i + 1);
      sums[at] = a;
      sums[at + 1] = aRest;
      sums[at + 2] = b;
      sums[at + 3] = bRest;
    }
    this.#sums = sums;
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
    this.#logBound = log2Pi + Math.log(this.#bound);
  }

  /** Sum of squares of x[from..to) about its mean, when the plain difference has lost too many digits. */
  #carefulSquares(from: number, to: number): number {
    const m = to - from;
    const sums = this.#sums;
    const end = 4 * to;
    const start = 4 * from;
    const top = sums[end]!;
    const bottom = -sums[start]!;
    const high = top + bottom;
    const back = high - top;
    const low = top - (high - back) + (bottom - back) + (sums[end + 1]! - sums[start + 1]!);
    const square = high * high;
    const big = splitter * high;
    const h = big - (big - high);
    const l = high - h;
    const squareRest = l * l - (square - h * h - 2 * h * l) + 2 * high * low;

    const above = sums[end + 2]!;
    const below = -sums[start + 2]!;
    const sum = above + below;
    const step = sum - above;
    const sumRest = above - (sum - step) + (below - step) + (sums[end + 3]! - sums[start + 3]!);
    // m * sum as a double and its rest
    const product = m * sum;
    const bigSum = splitter * sum;
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

  /**
   * Lower bounds, without a logarithm, of base[s] + lowerCost(s, to) for the positions s with index first..end, into `out` at the
   * same indices: ln v >= ln v0 + 1 - v0/v, for any v0 > 0; near v0 it is close. -Infinity where the plain sums have lost too
   * many digits.
   */
  quickBounds(
    out: Float64Array,
    base: Float64Array,
    positions: Int32Array,
    first: number,
    end: number,
    to: number,
    v0: number,
    logV0: number,
  ): void {
    const sums = this.#sums;
    const a = sums[4 * to]!;
    const aRest = sums[4 * to + 1]!;
    const b = sums[4 * to + 2]!;
    const bRest = sums[4 * to + 3]!;
    const constant = log2Pi + 2 + logV0;
    const least = 2 * this.#bound;
    const aboutMean = this.#kind !== 'var';
    const plain = this.#kind === 'mean';
    for (let i = first; i < end; i++) {
      const s = positions[i]!;
      const at = 4 * s;
      const m = to - s;
      const all = m * (b - sums[at + 2]! + (bRest - sums[at + 3]!));
      let scaled = all;
      if (aboutMean) {
        const sum = a - sums[at]! + (aRest - sums[at + 1]!);
        scaled -= sum * sum;
      }
      const square = m * m;
      if (!(scaled > 1e-5 * all && (plain || scaled > least * square))) out[i] = -Infinity;
      else if (plain) out[i] = base[s]! + (scaled / m) * (1 - 1e-9);
      else out[i] = base[s]! + m * (constant - (v0 * square) / scaled);
    }
  }

  /**
   * Which of the positions with index first..end may have base[s] + lowerCost(s, to) below `least`: those whose entry in `floors` is not
   * above `limit`, by the bound of `quickBounds` without its division. Their indices go to `out`; returns how many.
   */
  survivors(
    out: Int32Array,
    base: Float64Array,
    positions: Int32Array,
    floors: Float64Array,
    limit: number,
    first: number,
    end: number,
    to: number,
    v0: number,
    logV0: number,
    least: number,
  ): number {
    const sums = this.#sums;
    const a = sums[4 * to]!;
    const aRest = sums[4 * to + 1]!;
    const b = sums[4 * to + 2]!;
    const bRest = sums[4 * to + 3]!;
    const constant = log2Pi + 2 + logV0;
    const smallest = 2 * this.#bound;
    const aboutMean = this.#kind !== 'var';
    const plain = this.#kind === 'mean';
    let count = 0;
    for (let i = first; i < end; i++) {
      if (floors[i]! > limit) continue;
      const s = positions[i]!;
      const at = 4 * s;
      const m = to - s;
      const all = m * (b - sums[at + 2]! + (bRest - sums[at + 3]!));
      let scaled = all;
      if (aboutMean) {
        const sum = a - sums[at]! + (aRest - sums[at + 1]!);
        scaled -= sum * sum;
      }
      const square = m * m;
      if (scaled > 1e-5 * all && (plain || scaled > smallest * square)) {
        if (
          plain
            ? scaled * (1 - 1e-9) >= (least - base[s]!) * m
            : (base[s]! + m * constant - least) * scaled >= m * v0 * square
        ) {
          continue;
        }
      }
      out[count++] = i;
    }
    return count;
  }

  /** Cost of the segment x[from..to), from < to. */
  cost(from: number, to: number): number {
    if (this.#runStart !== null && this.#runStart[to]! <= from) {
      return (to - from) * (log2Pi + 1 + Math.log(this.#zeroVariance));
    }
    const squares = this.#squares(from, to);
    if (this.#kind === 'mean') return squares;
    const m = to - from;
    const variance = squares / m;
    return variance > this.#bound
      ? m * (log2Pi + 1 + Math.log(variance))
      : m * (this.#logBound + Math.max(0, variance) / this.#bound);
  }

  /** `cost`, when the segment's variance and its logarithm are at hand. */
  costOfVariance(from: number, to: number, variance: number, logVariance: number): number {
    if (this.#kind === 'mean' || this.#runStart !== null || !(variance > this.#bound)) return this.cost(from, to);
    return (to - from) * (log2Pi + 1 + logVariance);
  }

  /** The variance behind the segment's cost, above 0. */
  variance(from: number, to: number): number {
    return Math.max(this.#squares(from, to) / (to - from), this.#bound);
  }

  #squares(from: number, to: number): number {
    const sums = this.#sums;
    const end = 4 * to;
    const start = 4 * from;
    const squares = sums[end + 2]! - sums[start + 2]! + (sums[end + 3]! - sums[start + 3]!);
    if (this.#kind === 'var') return squares;
    const sum = sums[end]! - sums[start]! + (sums[end + 1]! - sums[start + 1]!);
    const about = squares - (sum * sum) / (to - from);
    return about < 1e-5 * squares ? this.#carefulSquares(from, to) : about;
  }
}
