import {
  largest,
  mannWhitneyU,
  mean,
  median,
  pelt,
  smallest,
  standardDeviation,
  studentTQuantile,
  studentTSf,
} from '@deadheat/stats';

/** A series cut into levels: the index of the first value of each, and their means without spikes. */
export interface LevelSegments {
  readonly starts: readonly number[];
  readonly levels: readonly number[];
  /** Half the width of the interval of each difference between neighbouring levels, at `changeConfidence`; one fewer than levels. */
  readonly halfWidths: readonly number[];
}

/** Confidence level of the interval of a change, given where it lies. */
export const changeConfidence = 0.99;

/** Least number of values of a level: what one or two say is no level. */
const shortestLevel = 3;
/** Further than this multiple of the noise from the median of the seven values around it a value is a spike, which counts as that far only. */
const furthestSpike = 4;
const spikeWindow = 7;
/** Ratio for a normal distribution: the standard deviation over the median of the absolute values. */
const toDeviation = 1.4826;
/** Penalty of a candidate: this multiple of ln n times the squared noise. Low, because every candidate is tested afterwards. */
const candidatePenalty = 4;
/**
 * Divided by the length of the series: the p values up to which the tests by ranks and by the model of the noise confirm a change. Both
 * hold at every length, so that a series may be searched after every point. Set by `npm run bench -- series looks`: 5 % at most
 * of series up to 300 points may show a change that is none, whatever the noise.
 */
const rankLevel = 0.0017;
const modelLevel = 0.001;
/** Standard errors that the autocorrelation is assumed to be above its estimate: from the values, from their differences. */
const errorsOfValues = 1;
const errorsOfSteps = 2;
/** Up to this number of steps of its recursion the distribution of ranks is computed, beyond them it is close to normal. */
const mostExactSteps = 40_000;
const alwaysExact = 12;
/** Two levels of a whole series lie far apart where each has so many values, and the gap is wider than so many of their ranges. */
const shortestFarLevel = 4;
const rangesApart = 2;

/**
 * Cuts a series into levels. Candidates for a change come from PELT; then, the weakest first, every candidate is dropped that
 *
 * - changes the level by less than `leastChange`,
 * - is not confirmed by the Mann-Whitney test between the two levels beside it, which holds for every distribution of independent
 *   values, with spikes or in several modes, or
 * - is not confirmed by the t test between them for noise of the first order, v_i = rho v_(i-1) + e_i, with an upper bound of rho,
 *
 * and its neighbours move to the best place between theirs. Both tests have to say p <= constant / n. In a short series, whose ranks
 * cannot show that, two levels of at least four values count where the gap between them is wider than twice the range of either.
 *
 * @param values finite, in their order, of any unit.
 * @param options.leastChange in that unit, >= 0.
 *
 * Sources: candidates, R. Killick, P. Fearnhead, I. A. Eckley, JASA 107 (2012); a change of level in noise of the first order,
 * and rho from differences, S. Chakar, E. Lebarbier, C. Lévy-Leduc, S. Robin, Bernoulli 23 (2017); bias of rho, F. H. C.
 * Marriott, J. A. Pope, Biometrika 41 (1954). O(n) and a test for each candidate.
 */
export function findLevelChanges(
  values: readonly number[],
  { leastChange }: { readonly leastChange: number },
): LevelSegments {
  if (values.length === 0) return { starts: [], levels: [], halfWidths: [] };
  const noise = values.length < 2 * shortestLevel ? 0 : noiseOf(values);
  if (noise === 0) return { starts: [0], levels: [mean(values)], halfWidths: [] };
  const middle = median(values);
  const cut = withoutSpikes(values, furthestSpike * noise).map((value) => value - middle);
  const sums = sumUp(values, cut);
  let bounds: Bounds = [0, ...findCandidates(sums, noise), values.length];
  for (;;) {
    const refuted = weakestRefuted(bounds, { sums, leastChange });
    if (refuted === null) break;
    bounds = withoutBound(bounds, refuted, sums);
  }
  const starts = bounds.slice(0, -1);
  const left = noiseAbout(bounds, sums);
  const quantile = studentTQuantile(1 - (1 - changeConfidence) / 2, left.df);
  return {
    starts,
    levels: starts.map((from, k) => middle + meanOf(from, bounds[k + 1] ?? from, sums)),
    halfWidths: starts
      .slice(1)
      .map((at, k) => quantile * stepAt(at, around(bounds, k + 1), { sums, noise: left }).error),
  };
}

/** A series and the sums from which its tests are computed; entry k of a sum is over the values before index k. */
interface Sums {
  readonly values: readonly number[];
  /** The values without spikes, less their median. */
  readonly cut: readonly number[];
  readonly sum: Float64Array;
  readonly squares: Float64Array;
  /** Sum over each value and the one before it. */
  readonly products: Float64Array;
  /** Of the squares of the difference from the value before, and from the one before that. */
  readonly steps: Float64Array;
  readonly doubleSteps: Float64Array;
}

/** Where a series is cut: 0, the index of the first value of each further level, and the length. */
type Bounds = readonly number[];

/** The two levels beside a change: from one change to the next but one. */
interface Window {
  readonly from: number;
  readonly to: number;
}

function sumUp(values: readonly number[], cut: readonly number[]): Sums {
  const n = cut.length;
  const [sum, squares, products] = [new Float64Array(n + 1), new Float64Array(n + 1), new Float64Array(n + 1)];
  const [steps, doubleSteps] = [new Float64Array(n + 1), new Float64Array(n + 1)];
  cut.forEach((value, at) => {
    const [one, two] = [cut[at - 1] ?? 0, cut[at - 2] ?? 0];
    sum[at + 1] = (sum[at] ?? 0) + value;
    squares[at + 1] = (squares[at] ?? 0) + value ** 2;
    products[at + 1] = (products[at] ?? 0) + value * one;
    steps[at + 1] = (steps[at] ?? 0) + (value - one) ** 2;
    doubleSteps[at + 1] = (doubleSteps[at] ?? 0) + (value - two) ** 2;
  });
  return { values, cut, sum, squares, products, steps, doubleSteps };
}

/** Indices of the first value of every level but the first; at least one, so that there is something to test. */
function findCandidates(sums: Sums, noise: number): readonly number[] {
  const { changepoints } = pelt(
    sums.cut.map((value) => value / noise),
    { cost: 'mean', penalty: candidatePenalty * Math.log(sums.cut.length), minSegmentLength: shortestLevel },
  );
  if (changepoints.length > 0) return Array.from(changepoints, (last) => last + 1);
  return [bestSplit({ from: 0, to: sums.cut.length }, sums)];
}

/** Index in `bounds` of the change that fits least of those that are not confirmed; `null` = all are. */
function weakestRefuted(
  bounds: Bounds,
  { sums, leastChange }: { readonly sums: Sums; readonly leastChange: number },
): number | null {
  const n = sums.values.length;
  const noise = noiseAbout(bounds, sums);
  const weakestFirst = bounds
    .slice(1, -1)
    .map((at, k) => ({ at, index: k + 1, window: around(bounds, k + 1) }))
    .map((change) => ({ ...change, gain: gainOf(change.at, change.window, sums) }))
    .toSorted((a, b) => a.gain - b.gain);
  for (const { at, index, window } of weakestFirst) {
    if (Math.abs(differenceAt(at, window, sums)) < leastChange) return index;
    if (bounds.length === 3 && isFarApart(at, sums.values)) continue;
    if (modelPValue(at, window, { sums, noise }) > modelLevel / n) return index;
    if (rankPValue(at, window, sums.values) > rankLevel / n) return index;
  }
  return null;
}

function around(bounds: Bounds, index: number): Window {
  return { from: bounds[index - 1] ?? 0, to: bounds[index + 1] ?? 0 };
}

/** One change less, and those beside it where they fit best now. */
function withoutBound(bounds: Bounds, index: number, sums: Sums): Bounds {
  const left = bounds.toSpliced(index, 1);
  for (const moved of [index - 1, index]) {
    if (moved > 0 && moved < left.length - 1) left[moved] = bestSplit(around(left, moved), sums);
  }
  return left;
}

function bestSplit({ from, to }: Window, sums: Sums): number {
  let best = from + shortestLevel;
  let most = -1;
  for (let at = best; at <= to - shortestLevel; at += 1) {
    const gain = gainOf(at, { from, to }, sums);
    if (gain > most) [best, most] = [at, gain];
  }
  return best;
}

function meanOf(from: number, to: number, { sum }: Sums): number {
  return ((sum[to] ?? 0) - (sum[from] ?? 0)) / (to - from);
}

function differenceAt(at: number, { from, to }: Window, sums: Sums): number {
  return meanOf(at, to, sums) - meanOf(from, at, sums);
}

/** The decrease of the sum of squares about the levels by this change. */
function gainOf(at: number, window: Window, sums: Sums): number {
  const [before, after] = [at - window.from, window.to - at];
  return ((before * after) / (before + after)) * differenceAt(at, window, sums) ** 2;
}

/** Noise of the first order, v_i = rho v_(i-1) + e_i; `variance` is that of e, on `df` degrees of freedom. */
interface Noise {
  readonly rho: number;
  readonly variance: number;
  readonly df: number;
}

/**
 * The noise about the levels of a segmentation. There are two estimates of rho, and the smaller upper bound counts: from the values about
 * their levels, and from their differences, E(v_i - v_(i-2))^2 / E(v_i - v_(i-1))^2 = 1 + rho, to which a slow drift adds nothing.
 */
function noiseAbout(bounds: Bounds, { cut, sum, squares, products, steps, doubleSteps }: Sums): Noise {
  const levels = bounds.length - 1;
  const n = cut.length;
  // Sums over the values less their level: of the squares, of the products of neighbours, and of the squares at both ends of levels.
  let residual = 0;
  let lagged = 0;
  let firsts = 0;
  let lasts = 0;
  let stepped = 0;
  let steppedTwice = 0;
  for (let k = 0; k < levels; k += 1) {
    const [from, to] = [bounds[k] ?? 0, bounds[k + 1] ?? 0];
    const [first, last] = [cut[from] ?? 0, cut[to - 1] ?? 0];
    const total = (sum[to] ?? 0) - (sum[from] ?? 0);
    const middle = total / (to - from);
    residual += (squares[to] ?? 0) - (squares[from] ?? 0) - total * middle;
    lagged += (products[to] ?? 0) - (products[from + 1] ?? 0);
    lagged += (to - from - 1) * middle ** 2 - middle * (2 * total - first - last);
    firsts += (first - middle) ** 2;
    lasts += (last - middle) ** 2;
    stepped += (steps[to] ?? 0) - (steps[from + 1] ?? 0);
    steppedTwice += (doubleSteps[to] ?? 0) - (doubleSteps[from + 2] ?? 0);
  }
  const df = Math.max(1, n - 2 * levels - 1);
  if (residual <= 1e-24 * n) return { rho: 0, variance: 0, df };
  // Every estimated level biases the autocorrelation by -(1 + 3 rho) / n.
  const share = levels / n;
  const unbiased = Math.min(1, (lagged / residual + share) / Math.max(0.1, 1 - 3 * share));
  const ofSteps = stepped > 0 && n > 2 * levels ? (steppedTwice * (n - levels)) / (stepped * (n - 2 * levels)) - 1 : 1;
  const upper = (estimate: number, errors: number): number =>
    estimate + errors * Math.sqrt(Math.max(0, 1 - estimate ** 2) / (n - levels));
  const bound = Math.min(upper(unbiased, errorsOfValues), upper(ofSteps, Math.SQRT2 * errorsOfSteps));
  const rho = Math.min(0.97, Math.max(0, bound));
  const innovations = residual - firsts + rho ** 2 * (residual - lasts) - 2 * rho * lagged;
  return { rho, variance: Math.max(0, innovations) / df, df };
}

/** Two-sided p value of the t test between two levels that follow each other. */
function modelPValue(at: number, window: Window, model: LevelModel): number {
  const { variance, df } = model.noise;
  if (variance === 0) return 0;
  const { difference, error } = stepAt(at, window, model);
  return 2 * studentTSf(Math.abs(difference) / error, df);
}

interface LevelModel {
  readonly sums: Pick<Sums, 'cut' | 'sum'>;
  readonly noise: Noise;
}

/**
 * The difference between two levels that follow each other and its standard error, both estimated by generalised least squares: e_i has the
 * mean (1 - rho) m within a level of mean m, and m2 - rho m1 at the change, which therefore tells most where rho is large.
 */
function stepAt(
  at: number,
  { from, to }: Window,
  { sums: { cut, sum }, noise: { rho, variance } }: LevelModel,
): { readonly difference: number; readonly error: number } {
  /** Sum of v_i - rho v_(i-1) from index `first` to before `end`. */
  function freshBetween(first: number, end: number): number {
    return (sum[end] ?? 0) - (sum[first] ?? 0) - rho * ((sum[end - 1] ?? 0) - (sum[first - 1] ?? 0));
  }
  const own = 1 - rho;
  const step = freshBetween(at, at + 1);
  const sumBefore = (1 - rho ** 2) * (cut[from] ?? 0) + own * freshBetween(from + 1, at) - rho * step;
  const sumAfter = step + own * freshBetween(at + 1, to);
  // The normal equations [before, -rho; -rho, after] (m1, m2) = (sumBefore, sumAfter); the first value has the variance of v.
  const before = 1 + (at - from - 1) * own ** 2;
  const after = 1 + (to - at - 1) * own ** 2;
  const determinant = before * after - rho ** 2;
  const difference = ((before - rho) * sumAfter - (after - rho) * sumBefore) / determinant;
  const error = Math.sqrt((variance * (before + after - 2 * rho)) / determinant);
  return { difference, error };
}

/** Two-sided p value of the Mann-Whitney test between the two levels. Equal values are ordered against the change, which is safe. */
function rankPValue(at: number, { from, to }: Window, values: readonly number[]): number {
  const one = new Float64Array(values.slice(from, at)).sort();
  const other = new Float64Array(values.slice(at, to)).sort();
  const isUp = median(one) < median(other);
  const before: number[] = [];
  const after: number[] = [];
  for (let rank = 0; rank < to - from; rank += 1) {
    const ahead = (one[before.length] ?? Infinity) - (other[after.length] ?? Infinity);
    (ahead < 0 || (ahead === 0 && !isUp) ? before : after).push(rank);
  }
  const fewer = Math.min(before.length, after.length);
  const isExact = fewer <= alwaysExact || before.length * after.length * fewer <= mostExactSteps;
  return mannWhitneyU(before, after, { method: isExact ? 'exact' : 'asymptotic' }).p;
}

/**
 * Checks whether a series falls into two levels with a wide gap between them. Of values in two modes that nobody would overlook, four
 * or more each, 2 % of series are cut by chance at some length.
 */
function isFarApart(at: number, values: readonly number[]): boolean {
  if (Math.min(at, values.length - at) < shortestFarLevel) return false;
  const [before, after] = [values.slice(0, at), values.slice(at)];
  const [lowBefore, highBefore] = [smallest(before), largest(before)];
  const [lowAfter, highAfter] = [smallest(after), largest(after)];
  const gap = Math.max(lowAfter - highBefore, lowBefore - highAfter);
  return gap > rangesApart * Math.max(highBefore - lowBefore, highAfter - lowAfter);
}

/** Values at most so far from the median of the seven around them; at either end from that of the first or last seven. */
function withoutSpikes(values: readonly number[], furthest: number): readonly number[] {
  // The values around, in order, and the index behind the last of them.
  const window = new Float64Array(values.slice(0, spikeWindow)).sort();
  const half = Math.floor(window.length / 2);
  let end = window.length;
  let middle = median(window);
  return values.map((value, at) => {
    if (at + half >= end && end < values.length) {
      replaceInOrder(window, values[end - spikeWindow] ?? 0, values[end] ?? 0);
      end += 1;
      middle = window[half] ?? 0;
    }
    return Math.min(middle + furthest, Math.max(middle - furthest, value));
  });
}

/** Puts a value into values in order, in the place of another one. */
function replaceInOrder(ordered: Float64Array, old: number, fresh: number): void {
  let at = ordered.indexOf(old);
  for (; at > 0 && (ordered[at - 1] ?? 0) > fresh; at -= 1) ordered[at] = ordered[at - 1] ?? 0;
  for (; at < ordered.length - 1 && (ordered[at + 1] ?? 0) < fresh; at += 1) ordered[at] = ordered[at + 1] ?? 0;
  ordered[at] = fresh;
}

/** Standard deviation about the level, as far as neighbours differ; 0 where all values are equal. Finds candidates and spikes. */
function noiseOf(values: readonly number[]): number {
  const differences = values.slice(1).map((value, index) => value - (values[index] ?? value));
  const robust = toDeviation * median(differences.map((difference) => Math.abs(difference)));
  // More than half of the differences are 0: values that repeat, as of a coarse clock.
  return (robust > 0 ? robust : standardDeviation(differences)) / Math.SQRT2;
}
