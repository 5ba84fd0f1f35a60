import { mean, normalQuantile, type Random } from '@deadheat/stats';
import { resampledMean } from '../segments/segment-replicates.ts';

/**
 * Class of one run. `flat`: nothing differs from its end; `warm-up`: steady at its end, and no part before was faster; `slowdown`:
 * steady at its end, but a part before was faster; `no-steady-state`: a part that differs reaches into the window at its end.
 */
export type RunClass = 'flat' | 'warm-up' | 'slowdown' | 'no-steady-state';

/** Class of a benchmark's runs; inconsistent ones are `good` while every run is flat or warms up. */
type BenchmarkClass = RunClass | 'good-inconsistent' | 'bad-inconsistent';

/** One run, classified. */
export interface ClassifiedRun {
  readonly class: RunClass;
  /** 0-based index of the first value of the steady state; 0 for `flat`, `null` where there is none. */
  readonly steadyFrom: number | null;
}

/** The classes in words. */
export const classNames: Readonly<Record<BenchmarkClass, string>> = {
  flat: 'flat',
  'warm-up': 'warm-up',
  slowdown: 'slowdown',
  'no-steady-state': 'no steady state',
  'good-inconsistent': 'good inconsistent',
  'bad-inconsistent': 'bad inconsistent',
};

/** Thresholds of a steady state and of a difference. */
export interface ClassifyRunOptions {
  /** Values at the end of a run that must be steady, >= 1, default 500. */
  readonly window?: number;
  /** A segment whose mean is within this share of the last one's does not differ; inside (0, 1), default 0.05. */
  readonly tolerance?: number;
  /** Level of the interval that must lie beyond the tolerance, default 0.95. */
  readonly confidence?: number;
  /** Bootstrap replicates, default 10 000. */
  readonly replicates?: number;
  readonly random: Random;
}

/** The check of what both callers are given. */
function check(series: ArrayLike<number>, window: number, tolerance: number): void {
  if (!(Number.isSafeInteger(window) && window >= 1)) {
    throw new RangeError(`window must be an integer >= 1, got ${window}`);
  }
  if (!(tolerance > 0 && tolerance < 1)) throw new RangeError(`tolerance must lie in (0, 1), got ${tolerance}`);
  if (series.length < window) {
    throw new RangeError(
      `a run of ${series.length} values is shorter than the window of ${window} that must be steady`,
    );
  }
  for (let i = 0; i < series.length; i++) {
    if (!(series[i]! > 0 && series[i]! < Infinity)) {
      throw new RangeError(`times must be finite and above 0, got ${series[i]} at ${i}`);
    }
  }
}

/**
 * Classifies one run by its segments: every segment is compared with the last one, and differs when the bootstrap interval of the
 * ratio of the two means lies beyond the tolerance. The steady state begins behind the last segment that differs, and counts when it
 * holds the window at the end of the run.
 *
 * @param series the times of a run, warm-up and outliers included, above 0, in any one unit; at least `window`.
 * @param changepoints 0-based index of the last value of every segment but the final one, ascending.
 * @throws RangeError for times that are not finite and above 0, a run shorter than the window, change points that do not ascend inside
 *   the run, options out of range.
 * Source: Barrett et al., OOPSLA'17, section 4.3 (the classes); Traini et al., EMSE 28:13 (2022) for what differs: Barrett et al. hold
 * means against variances, which depends on the unit of time. Antoch et al., OOPSLA'26, section 2, has the classes in these words.
 */
export function classifyRun(
  series: ArrayLike<number>,
  changepoints: ArrayLike<number>,
  options: ClassifyRunOptions,
): ClassifiedRun {
  const { window = 500, tolerance = 0.05, confidence = 0.95, replicates = 10_000, random } = options;
  check(series, window, tolerance);
  const values = Float64Array.from(series);
  const ends = Array.from(changepoints);
  const stretches: Stretch[] = [];
  for (const [s, end] of [...ends, values.length - 1].entries()) {
    const start = s === 0 ? 0 : ends[s - 1]! + 1;
    if (!(Number.isSafeInteger(end) && end >= start && end < values.length)) {
      throw new RangeError(`change points must ascend inside a run of ${values.length} values, got ${end}`);
    }
    stretches.push(new Stretch(values.subarray(start, end + 1)));
  }
  const last = stretches.pop()!;
  const rules = { tolerance, confidence, replicates, random, quantileAt: normalQuantile((1 + confidence) / 2) };
  let steadyFrom = 0;
  let differs = false;
  let wasFaster = false;
  for (let s = stretches.length - 1; s >= 0; s--) {
    const order = compareMeans(last, stretches[s]!, rules);
    if (order === 'alike') continue;
    if (!differs) steadyFrom = ends[s]! + 1;
    differs = true;
    if (steadyFrom > values.length - window) return { class: 'no-steady-state', steadyFrom: null };
    if (order === 'above') {
      wasFaster = true;
      break;
    }
  }
  if (!differs) return { class: 'flat', steadyFrom: 0 };
  return { class: wasFaster ? 'slowdown' : 'warm-up', steadyFrom };
}

function isGood(one: RunClass): boolean {
  return one === 'flat' || one === 'warm-up';
}

/**
 * The class of a benchmark from those of its runs: theirs where all agree, `good-inconsistent` where all are flat or warm up, else
 * `bad-inconsistent`.
 *
 * @throws RangeError for no runs.
 * Source: Barrett et al., OOPSLA'17, section 4.3; Antoch et al., OOPSLA'26, section 2.
 */
export function classifyBenchmark(classes: readonly RunClass[]): BenchmarkClass {
  const [first] = classes;
  if (first === undefined) throw new RangeError('a benchmark needs at least 1 classified run, got 0');
  if (classes.every((one) => one === first)) return first;
  return classes.every(isGood) ? 'good-inconsistent' : 'bad-inconsistent';
}

/** Relation of two means: above by more than the tolerance, below, or neither for sure. */
type MeanOrder = 'above' | 'below' | 'alike';

interface MeanComparisonOptions {
  /** Ratios from 1 - tolerance to 1 + tolerance do not matter. */
  readonly tolerance: number;
  readonly confidence: number;
  readonly replicates: number;
  readonly random: Random;
}

/** Fewest values of either side for the normal limit to be asked. */
const enough = 30;

/**
 * Distance, in standard errors, that a difference of resampled means must be from the deciding quantile for the normal limit to leave no doubt:
 * so much, and so much for each unit of its skewness. That skewness is at most about 1, reached where one value outweighs all others and
 * counts as often as a Poisson variable; its tail of 2.5 % begins 3 standard errors away, inside the doubt.
 */
const doubtAbove = 0.5;
const doubtOfSkewness = 2;

/** A stretch of values with what comparisons need of it; replicates are drawn when first needed. */
class Stretch {
  readonly length: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Variance of the resampled mean, and its third central moment. */
  readonly variance: number;
  readonly third: number;
  readonly #values: Float64Array;
  #replicates: Float64Array | null = null;

  constructor(values: Float64Array) {
    this.#values = values;
    const n = values.length;
    this.length = n;
    this.mean = mean(values);
    let [low, high, squares, cubes] = [Infinity, -Infinity, 0, 0];
    for (const value of values) {
      const away = value - this.mean;
      low = Math.min(low, value);
      high = Math.max(high, value);
      squares += away * away;
      cubes += away * away * away;
    }
    this.low = low;
    this.high = high;
    this.variance = squares / n / n;
    this.third = cubes / n / n / n;
  }

  means({ replicates, random }: Pick<MeanComparisonOptions, 'replicates' | 'random'>): Float64Array {
    if (this.#replicates === null) {
      const { draw } = resampledMean(this.#values);
      this.#replicates = Float64Array.from({ length: replicates }, () => draw(random));
    }
    return this.#replicates;
  }
}

/** Standard errors by which mean(x) - bound * mean(y) is above 0, and the skewness of that difference. */
function distance(x: Stretch, y: Stretch, bound: number): { readonly errors: number; readonly skewness: number } {
  const error = Math.sqrt(x.variance + bound * bound * y.variance);
  return {
    errors: (x.mean - bound * y.mean) / error,
    skewness: (x.third - bound ** 3 * y.third) / error ** 3,
  };
}

/** Result of the normal limit where it leaves no doubt, else `null`. */
function withoutDrawing(x: Stretch, y: Stretch, tolerance: number, quantileAt: number): MeanOrder | null {
  if (x.low >= (1 + tolerance) * y.high) return 'above';
  if (x.high <= (1 - tolerance) * y.low) return 'below';
  if (x.high < (1 + tolerance) * y.low && x.low > (1 - tolerance) * y.high) return 'alike';
  if (Math.min(x.length, y.length) < enough) return null;
  const above = distance(x, y, 1 + tolerance);
  const below = distance(x, y, 1 - tolerance);
  for (const { errors, skewness } of [above, below]) {
    const doubt = doubtAbove + doubtOfSkewness * Math.abs(skewness);
    if (!(Math.abs(Math.abs(errors) - quantileAt) > doubt)) return null;
  }
  if (above.errors > quantileAt) return 'above';
  return below.errors < -quantileAt ? 'below' : 'alike';
}

/**
 * Compares the means of two stretches of positive values: `above` when the bootstrap percentile interval of mean(x) / mean(y) begins at
 * 1 + tolerance or higher, `below` when it ends at 1 - tolerance or lower. Nothing is drawn where extremes or the normal limit already
 * leave no doubt.
 *
 * @param quantileAt the normal quantile of the interval's upper end.
 */
function compareMeans(
  x: Stretch,
  y: Stretch,
  options: MeanComparisonOptions & { readonly quantileAt: number },
): MeanOrder {
  const { tolerance, confidence, quantileAt } = options;
  const sure = withoutDrawing(x, y, tolerance, quantileAt);
  if (sure !== null) return sure;
  const below = y.means(options);
  const drawn = x.means(options);
  let [notAbove, notBelow] = [0, 0];
  for (let k = 0; k < drawn.length; k++) {
    const ratio = drawn[k]! / below[k]!;
    if (ratio < 1 + tolerance) notAbove++;
    if (ratio > 1 - tolerance) notBelow++;
  }
  // The end of the interval is the replicate at this place, or between it and the next.
  const place = ((1 - confidence) / 2) * (drawn.length - 1);
  if (notAbove <= place) return 'above';
  return notBelow <= place ? 'below' : 'alike';
}
