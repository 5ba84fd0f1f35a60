import { chiSquaredCdf } from '../distributions/gamma.ts';
import { normalTail } from '../distributions/normal.ts';
import { studentTQuantile } from '../distributions/student-t.ts';
import { checkInteger, checkNumber, checkOpen } from '../internal/checks.ts';

const sqrt2Pi = 2.5066282746310002;
/** Steps and half range of the normal density; its tail beyond is below 1e-21. */
const zStep = 1 / 16;
const zRange = 9.5;

/** The probability of chi <= (z + delta) / t averaged over the normal density of z: smooth where chi scatters more than z. */
function overNormal(t: number, df: number, delta: number): number {
  let total = 0;
  for (let i = -zRange / zStep; i <= zRange / zStep; i++) {
    const z = i * zStep;
    const s = Math.max(0, (z + delta) / t);
    total += Math.exp(-0.5 * z * z) * chiSquaredCdf(df * s * s, df);
  }
  return (total * zStep) / sqrt2Pi;
}

/**
 * P(T' > t) of the noncentral t distribution with noncentrality delta, t > 0: the power of a one-sided t test with critical
 * value t. Phi(delta - t s) averaged over the density of s = sqrt(chi^2/df), by the trapezoidal rule in ln s; where Phi rises
 * more steeply than that rule resolves, the other way round, over the normal density.
 */
function noncentralUpperTail(t: number, df: number, delta: number): number {
  if (delta > 2 * Math.sqrt(2 * df)) return overNormal(t, df, delta);
  // With y = ln s the density is proportional to exp(df (y + 1/2 - exp(2y)/2)), at most 1, standard deviation about 1/sqrt(2 df).
  const width = 1 / Math.sqrt(2 * df);
  const h = width / 8;
  // With few degrees of freedom the density only falls like exp(df y) below the peak; the lower end reaches 1e-17 of the peak.
  const from = df < 100 ? -Math.max(12 * width, 40 / df + 0.5) : -12 * width;
  const to = Math.min(12 * width, Math.log(2 + 9 * width));
  let total = 0;
  let norm = 0;
  for (let i = Math.ceil(from / h); i * h <= to; i++) {
    const y = i * h;
    const z = delta - t * Math.exp(y);
    const weight = Math.exp(df * (y - 0.5 * Math.expm1(2 * y)));
    total += weight * (z < 0 ? normalTail(-z) : 1 - normalTail(z));
    norm += weight;
  }
  return total / norm;
}

/** Origin of a standard deviation: the population, or a sample of as many values. */
type Spread = 'known' | 'estimated';

/**
 * Values of s / sigma of n values and their probabilities: chi / df^(1/2) on a grid of its logarithm, on which the average of a
 * smooth function is exact to about 1e-5.
 */
function relativeDeviations(df: number): { readonly ratios: readonly number[]; readonly weights: readonly number[] } {
  const width = 1 / Math.sqrt(2 * df);
  const from = df < 100 ? -Math.max(5 * width, 14 / df) : -5 * width;
  const to = Math.min(5 * width, Math.log(2 + 4 * width));
  const step = width / 3;
  const ratios: number[] = [];
  const weights: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; i++) {
    const y = i * step;
    ratios.push(Math.exp(y));
    weights.push(Math.exp(df * (y - 0.5 * Math.expm1(2 * y))));
  }
  const norm = weights.reduce((sum, weight) => sum + weight, 0);
  return { ratios, weights: weights.map((weight) => weight / norm) };
}

/** Shifts that were asked for lately: that of an estimated spread takes 15 ms, and the benchmarks of an experiment ask for the same one. */
const found = new Map<string, number>();
const mostFound = 256;

/**
 * The smallest true shift, in standard errors, that a t interval of the given two-sided level over n values leaves behind with
 * the given probability. With `estimated` the standard error is itself that of n values, independent of those that are to detect:
 * the probability is the average over what it may be. Regula falsi on the noncentral t distribution, the Illinois variant (M. Dowell, P. Jarratt, BIT 11, 1971).
 */
function detectableShift(n: number, confidence: number, power: number, spread: Spread = 'known'): number {
  const key = `${n} ${confidence} ${power} ${spread}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  if (found.size >= mostFound) found.clear();
  const shift = searchShift(n, confidence, power, spread);
  found.set(key, shift);
  return shift;
}

function searchShift(n: number, confidence: number, power: number, spread: Spread): number {
  const df = n - 1;
  const critical = -studentTQuantile((1 - confidence) / 2, df);
  const { ratios, weights } = spread === 'known' ? { ratios: [1], weights: [1] } : relativeDeviations(df);

  function excess(shift: number): number {
    return ratios.reduce(
      (sum, ratio, i) => sum + weights[i]! * noncentralUpperTail(critical, df, shift * ratio),
      -power,
    );
  }

  let low = 0;
  let high = 1;
  let atLow = excess(low);
  let atHigh = excess(high);
  while (atHigh < 0) {
    low = high;
    atLow = atHigh;
    high *= 2;
    atHigh = excess(high);
  }
  if (atLow >= 0) return low;
  let last = high;
  let lastSide = 0;
  for (let i = 0; i < 100; i++) {
    const shift = high - (atHigh * (high - low)) / (atHigh - atLow);
    const value = excess(shift);
    if (value === 0 || Math.abs(shift - last) <= 1e-14 * shift) return shift;
    last = shift;
    const side = Math.sign(value);
    if (side < 0) {
      low = shift;
      atLow = value;
      if (side === lastSide) atHigh /= 2;
    } else {
      high = shift;
      atHigh = value;
      if (side === lastSide) atLow /= 2;
    }
    lastSide = side;
  }
  return last;
}

/**
 * The probability that a t interval of n values lies above a value that their true mean exceeds by `shift`.
 *
 * @param options.shift in standard errors of the mean, >= 0.
 * @param options.n >= 2. @param options.confidence level of the two-sided interval, in (0, 1).
 * @throws RangeError naming the argument that is out of its range.
 * Source: as `minimalDetectableRatio`. O(1), about 20 microseconds.
 */
export function tTestPower({
  shift,
  n,
  confidence,
}: {
  readonly shift: number;
  readonly n: number;
  readonly confidence: number;
}): number {
  checkNumber('shift', shift, 0);
  checkInteger('n', n, 2);
  const critical = -studentTQuantile((1 - checkOpen('confidence', confidence)) / 2, n - 1);
  return noncentralUpperTail(critical, n - 1, shift);
}

/** Options of `minimalDetectableRatio`: an experiment of n paired runs. */
interface DetectableOptions {
  /** Standard deviation of the runs' log-ratios ln(B/A), without unit, >= 0. */
  readonly standardDeviation: number;
  /** Number of pairs (runs), >= 2. */
  readonly n: number;
  /** Level of the two-sided interval, in (0, 1); default 0.99. */
  readonly confidence?: number;
  /** Probability of detecting, in (0, 1); default 0.8. */
  readonly power?: number;
  /** Ratios up to 1 + margin do not count as slower; >= 0, default 0. */
  readonly margin?: number;
  /**
   * Origin of the standard deviation: known, or estimated from n other runs like these: then the power is that over all such
   * estimates; default `known`.
   */
  readonly spread?: 'known' | 'estimated';
}

/**
 * The smallest true ratio B/A > 1 that n paired runs would show to be above 1 + margin with the given power: the confidence
 * interval of the mean log-ratio (Student's t) then lies above ln(1 + margin).
 *
 * @returns (1 + margin) exp(delta s / sqrt(n)), delta from the noncentral t distribution; with the default power 1.009 means that a
 *   slowdown of 0.9 % would be found in 4 of 5 such experiments. With standardDeviation 0 it is 1 + margin; it can be Infinity for n = 2 and a large spread.
 * @throws RangeError naming the argument that is out of its range.
 *
 * Assumes independent, about normal log-ratios. An estimated spread needs a larger ratio: at 99 % and a power of 80 % the shift is
 * 1.27 times as large with 5 runs, 1.05 times with 20.
 * Source: power of the one-sample t test (J. Cohen, Statistical Power Analysis, 1988, chapter 2; R's power.t.test) on
 * log-ratios, as Drozdik (2023), section 4.4, asks the question. O(1), about a millisecond, 15 with an estimated
 * spread.
 */
export function minimalDetectableRatio(options: DetectableOptions): number {
  const { standardDeviation, n, confidence = 0.99, power = 0.8, margin = 0, spread = 'known' } = options;
  checkNumber('standardDeviation', standardDeviation, 0);
  checkInteger('n', n, 2);
  checkOpen('confidence', confidence);
  checkOpen('power', power);
  checkNumber('margin', margin, 0);
  if (standardDeviation === 0) return 1 + margin;
  const shift = detectableShift(n, confidence, power, spread);
  return (1 + margin) * Math.exp((shift * standardDeviation) / Math.sqrt(n));
}

/** Options of `requiredRuns`. */
interface RequiredRunsOptions {
  /** Standard deviation of the runs' log-ratios ln(B/A), without unit, >= 0. */
  readonly standardDeviation: number;
  /** True ratio B/A to be detected, above 0 and outside the margin [1/(1 + margin), 1 + margin]. */
  readonly ratio: number;
  /** Level of the two-sided interval, in (0, 1); default 0.99. */
  readonly confidence?: number;
  /** Probability of detecting, in (0, 1); default 0.8. */
  readonly power?: number;
  /** >= 0, default 0. */
  readonly margin?: number;
}

/**
 * The smallest number of paired runs (>= 2) whose confidence interval of the mean log-ratio lies beyond the margin with the
 * given power, when the true ratio is `ratio`: the inverse of `minimalDetectableRatio`.
 *
 * @returns an integer >= 2; Infinity when more than 2^40 runs would be needed.
 * @throws RangeError naming the argument that is out of its range; a ratio inside the margin can never be detected.
 * Assumptions and source as `minimalDetectableRatio`. O(log n) evaluations of it.
 */
export function requiredRuns(options: RequiredRunsOptions): number {
  const { standardDeviation, ratio, confidence = 0.99, power = 0.8, margin = 0 } = options;
  checkNumber('standardDeviation', standardDeviation, 0);
  checkNumber('ratio', ratio, Number.MIN_VALUE);
  checkOpen('confidence', confidence);
  checkOpen('power', power);
  checkNumber('margin', margin, 0);
  const distance = Math.abs(Math.log(ratio)) - Math.log1p(margin);
  if (!(distance > 0)) throw new RangeError(`ratio must lie outside the margin of ${margin}, got ${ratio}`);

  function enough(n: number): boolean {
    return detectableShift(n, confidence, power) * standardDeviation <= distance * Math.sqrt(n);
  }

  if (standardDeviation === 0 || enough(2)) return 2;
  let low = 2;
  let high = 4;
  while (!enough(high)) {
    if (high >= 2 ** 40) return Infinity;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
