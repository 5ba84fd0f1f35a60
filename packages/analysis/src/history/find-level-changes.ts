import { mannWhitneyU, mean, median, pelt, standardDeviation, studentTSf } from '@deadheat/stats';

/** Least number of values of a level: what one or two say is no level. */
const shortestLevel = 3;
/** Further than so many noises from the median of the values around it a value is a spike, which counts as that far only. */
const furthestSpike = 4;
const spikeWindow = 7;
/** Of a normal distribution: the standard deviation over the median of the absolute values. */
const toDeviation = 1.4826;
/** Candidates of PELT: so many ln n, in squares of the noise. Low, because every candidate is tested afterwards. */
const candidatePenalty = 4;
const level: number = (globalThis as any).LV ?? 2e-5;
const shortestFarLevel = 4;
const farApart: number = (globalThis as any).FA ?? 2;
const usualLength = 300;
const rhoErrors: number = (globalThis as any).RE ?? 1;
const mostExactSteps = 40_000;

/** A series cut into levels: the index of the first value of each, and their means without spikes. */
export interface LevelSegments {
  readonly starts: readonly number[];
  readonly levels: readonly number[];
}

/** A series and the sums from which the tests are computed; sum `k` is over the values before index `k`. */
interface Sums {
  readonly values: readonly number[];
  /** The values without spikes. */
  readonly cut: readonly number[];
  readonly sum: Float64Array;
  readonly squares: Float64Array;
  /** Of each value and the one before it. */
  readonly products: Float64Array;
}

/** Where a series is cut: 0, the index of the first value of each further level, and the length. */
type Bounds = readonly number[];

export function findLevelChanges(
  values: readonly number[],
  { leastChange }: { readonly leastChange: number },
): LevelSegments {
  if (values.length === 0) return { starts: [], levels: [] };
  const noise = values.length < 2 * shortestLevel ? 0 : noiseOf(values);
  if (noise === 0) return { starts: [0], levels: [mean(values)] };
  const middle = median(values);
  const sums = sumUp(
    values,
    withoutSpikes(values, furthestSpike * noise).map((value) => value - middle),
  );
  let bounds: Bounds = [0, ...candidates(sums.cut, noise), values.length];
  for (;;) {
    const refuted = weakestRefuted(bounds, { sums, leastChange });
    if (refuted === null) break;
    bounds = withoutBound(bounds, refuted, sums);
  }
  const starts = bounds.slice(0, -1);
  return { starts, levels: starts.map((from, k) => middle + meanOf(from, bounds[k + 1] ?? from, sums)) };
}

function meanOf(from: number, to: number, { sum }: Sums): number {
  return ((sum[to] ?? 0) - (sum[from] ?? 0)) / (to - from);
}

function candidates(cut: readonly number[], noise: number): readonly number[] {
  const { changepoints } = pelt(
    cut.map((value) => value / noise),
    { cost: 'mean', penalty: candidatePenalty * Math.log(cut.length), minSegmentLength: shortestLevel },
  );
  return Array.from(changepoints, (last) => last + 1);
}

function weakestRefuted(
  bounds: Bounds,
  { sums, leastChange }: { readonly sums: Sums; readonly leastChange: number },
): number | null {
  const noise = autocorrelatedNoise(bounds, sums);
  const weakestFirst = bounds
    .slice(1, -1)
    .map((at, index) => ({ index: index + 1, gain: gainOf(at, around(bounds, index + 1), sums) }))
    .toSorted((a, b) => a.gain - b.gain);
  const allowed = level / Math.max(1, sums.values.length / usualLength);
  for (const { index } of weakestFirst) {
    const at = bounds[index] as number;
    const window = around(bounds, index);
    if (Math.abs(difference(at, window, sums)) < leastChange) return index;
    if (bounds.length === 3 && isFarApart(at, sums.values)) continue;
    if (noisePValue(at, window, { sums, noise }) > allowed) return index;
    if (rankPValue(at, window, sums.values) > allowed) return index;
  }
  return null;
}

interface Window {
  readonly from: number;
  readonly to: number;
}

function around(bounds: Bounds, index: number): Window {
  return { from: bounds[index - 1] ?? 0, to: bounds[index + 1] ?? 0 };
}

function withoutBound(bounds: Bounds, index: number, sums: Sums): Bounds {
  const left = [...bounds.slice(0, index), ...bounds.slice(index + 1)];
  for (const moved of [index - 1, index]) {
    if (moved > 0 && moved < left.length - 1) left[moved] = bestSplit(around(left, moved), sums);
  }
  return left;
}

function bestSplit(window: Window, sums: Sums): number {
  let best = window.from + shortestLevel;
  let most = -1;
  for (let at = best; at <= window.to - shortestLevel; at += 1) {
    const gain = gainOf(at, window, sums);
    if (gain > most) {
      most = gain;
      best = at;
    }
  }
  return best;
}

function difference(at: number, { from, to }: Window, sums: Sums): number {
  return meanOf(at, to, sums) - meanOf(from, at, sums);
}

function gainOf(at: number, window: Window, sums: Sums): number {
  const [before, after] = [at - window.from, window.to - at];
  return ((before * after) / (before + after)) * difference(at, window, sums) ** 2;
}

interface Noise {
  readonly variance: number;
  readonly rho: number;
  readonly df: number;
}

function autocorrelatedNoise(bounds: Bounds, { cut, sum, squares, products }: Sums): Noise {
  const n = cut.length;
  const levels = bounds.length - 1;
  let residual = 0;
  let lagged = 0;
  for (let k = 0; k < levels; k += 1) {
    const [from, to] = [bounds[k] ?? 0, bounds[k + 1] ?? 0];
    const total = (sum[to] ?? 0) - (sum[from] ?? 0);
    const middle = total / (to - from);
    residual += (squares[to] ?? 0) - (squares[from] ?? 0) - total * middle;
    const ends = (cut[from] ?? 0) + (cut[to - 1] ?? 0);
    lagged +=
      (products[to] ?? 0) - (products[from + 1] ?? 0) - middle * (2 * total - ends) + (to - from - 1) * middle ** 2;
  }
  const df = n - levels;
  if (residual <= 1e-24 * n) return { variance: 0, rho: 0, df };
  const share = levels / n;
  const unbiased = Math.min(0.99, (lagged / residual + share) / Math.max(0.1, 1 - 3 * share));
  const rho = Math.min(0.97, Math.max(0, unbiased + rhoErrors * Math.sqrt((1 - Math.min(1, unbiased ** 2)) / df)));
  return { variance: residual / df, rho, df: Math.max(1, (df * (1 - rho ** 2)) / (1 + rho ** 2)) };
}

function noisePValue(
  at: number,
  window: Window,
  { sums, noise: { variance, rho, df } }: { readonly sums: Sums; readonly noise: Noise },
): number {
  if (variance === 0) return 0;
  const error = Math.sqrt(variance * (varianceOfMean(at - window.from, rho) + varianceOfMean(window.to - at, rho)));
  return 2 * studentTSf(Math.abs(difference(at, window, sums)) / error, df);
}

/** Variance of the mean of `count` values of an AR(1) process with variance 1. */
function varianceOfMean(count: number, rho: number): number {
  return ((1 + rho) / (1 - rho) - (2 * rho * (1 - rho ** count)) / (count * (1 - rho) ** 2)) / count;
}

function rankPValue(at: number, { from, to }: Window, values: readonly number[]): number {
  const before = at - from;
  const isUp = median(values.slice(from, at)) < median(values.slice(at, to));
  const order = Array.from({ length: to - from }, (_, index) => index).toSorted((a, b) => {
    const apart = (values[from + a] ?? 0) - (values[from + b] ?? 0);
    if (apart !== 0) return apart;
    return isUp ? b - a : a - b;
  });
  const ranks: [number[], number[]] = [[], []];
  order.forEach((index, rank) => ranks[index < before ? 0 : 1].push(rank));
  const after = to - at;
  const steps = before * after * Math.min(before, after);
  return mannWhitneyU(...ranks, { method: steps <= mostExactSteps ? 'exact' : 'asymptotic' }).p;
}

function isFarApart(at: number, values: readonly number[]): boolean {
  if (Math.min(at, values.length - at) < shortestFarLevel) return false;
  const [before, after] = [values.slice(0, at), values.slice(at)].map(
    (some) => [Math.min(...some), Math.max(...some)] as const,
  );
  if (before === undefined || after === undefined) return false;
  const gap = Math.max(after[0] - before[1], before[0] - after[1]);
  return gap > farApart * Math.max(before[1] - before[0], after[1] - after[0]);
}

function sumUp(values: readonly number[], cut: readonly number[]): Sums {
  const n = cut.length;
  const [sum, squares, products] = [new Float64Array(n + 1), new Float64Array(n + 1), new Float64Array(n + 1)];
  cut.forEach((value, at) => {
    sum[at + 1] = (sum[at] ?? 0) + value;
    squares[at + 1] = (squares[at] ?? 0) + value ** 2;
    products[at + 1] = (products[at] ?? 0) + value * (cut[at - 1] ?? 0);
  });
  return { values, cut, sum, squares, products };
}

/** Values at most so far from the median of those around them; at either end from that of the first or last ones. */
function withoutSpikes(values: readonly number[], furthest: number): readonly number[] {
  return values.map((value, at) => {
    const from = Math.max(0, Math.min(at - Math.floor(spikeWindow / 2), values.length - spikeWindow));
    const middle = median(values.slice(from, from + spikeWindow));
    return Math.min(middle + furthest, Math.max(middle - furthest, value));
  });
}

/** Standard deviation about the level, without what repeats from value to value; 0 where all values are equal. */
function noiseOf(values: readonly number[]): number {
  const differences = values.slice(1).map((value, index) => value - (values[index] ?? value));
  const robust = toDeviation * median(differences.map((difference) => Math.abs(difference)));
  // More than half of the differences are 0: values that repeat, as of a coarse clock.
  return (robust > 0 ? robust : standardDeviation(differences)) / Math.SQRT2;
}
