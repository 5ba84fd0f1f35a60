import { flattenSample, type FlatSample, type NestedSample } from '../resampling/hierarchy.ts';
import { sum } from '../samples/moments.ts';
import { checkNumber, checkInteger, checkOpen } from '../internal/checks.ts';
import { normalQuantile } from '../distributions/normal.ts';
import { studentTQuantile } from '../distributions/student-t.ts';
import type { Interval } from '../resampling/bootstrap.ts';

/**
 * The variance of each level of an experiment and of the grand mean. Variances are in the squared unit of the values.
 */
export interface VarianceComponents {
  /** Mean of run means of segment means: equation 2. */
  readonly grandMean: number;
  readonly runMeans: Float64Array;
  readonly segmentMeans: readonly Float64Array[];
  readonly runs: number;
  readonly segments: number;
  readonly measurements: number;
  /** Var(B), equation 5: of measurements within segments; null when no segment has two. */
  readonly measurementVariance: number | null;
  /** Var(S), equation 6, not below 0; null when no run has two segments. */
  readonly segmentVariance: number | null;
  /** Var(S) before it is capped at 0. */
  readonly segmentVarianceRaw: number | null;
  /** Var(R), equation 7, not below 0; null with one run. */
  readonly runVariance: number | null;
  /** Var(R) before it is capped at 0. */
  readonly runVarianceRaw: number | null;
  /** Sample variance of the run means; null with one run. */
  readonly runMeanVariance: number | null;
  /** Variance of the grand mean from the components with the exact weights of equation 2; null with one run. */
  readonly grandMeanVariance: number | null;
  /** The same by equation 3 with average counts, as for balanced data; null with one run. */
  readonly grandMeanVarianceAverageCounts: number | null;
}

/**
 * Variance components of a hierarchy of runs, segments and measurements.
 *
 * Var(B) is the pooled variance of measurements about their segment means, Var(S) the pooled variance of segment means about their
 * run means less what measurements contribute, Var(R) the variance of run means less what both contribute; the last two are capped
 * at 0. A component that cannot be estimated is null and counts as 0 afterwards.
 *
 * In equation 7 the measurements' share carries 1/N_S(r)^2, the variance of a mean of segment means: as printed (one 1/N_S(r)) it
 * would not fit equation 3. The result is then the identity Var(mean) = Var(run means)/N_R whenever nothing is capped.
 *
 * @param sample `runs[r][s][m]` or its flat form; at least one value in every segment, finite, any unit.
 * @throws RangeError for another depth, empty groups, NaN or infinite values.
 * Source: Antoch et al., OOPSLA'26, section 4 and appendix A.2. O(values).
 */
export function varianceComponents(sample: NestedSample | FlatSample): VarianceComponents {
  const flat = flattenSample('sample', sample);
  const [runStarts, segmentStarts] = flat.offsets;
  if (runStarts === undefined || segmentStarts === undefined) {
    throw new RangeError('sample must have three levels: runs, segments, measurements');
  }
  const runs = runStarts.length - 1;
  const segments = segmentStarts.length - 1;
  const measurements = flat.values.length;
  const means = new Float64Array(segments);
  const sizes = new Float64Array(segments);
  const squares = new Float64Array(segments);
  for (let s = 0; s < segments; s++) {
    const part = flat.values.subarray(segmentStarts[s], segmentStarts[s + 1]);
    sizes[s] = part.length;
    means[s] = sum(part) / part.length;
    squares[s] = sum(part.map((value) => (value - means[s]!) ** 2));
  }
  const runMeans = new Float64Array(runs);
  const segmentMeans: Float64Array[] = [];
  // Per run: number of segments, squares of segment means about the run mean, sum of 1/N_M over its segments.
  const counts = new Float64Array(runs);
  const betweens = new Float64Array(runs);
  const inverses = new Float64Array(runs);
  for (let r = 0; r < runs; r++) {
    const part = means.slice(runStarts[r], runStarts[r + 1]);
    segmentMeans.push(part);
    counts[r] = part.length;
    runMeans[r] = sum(part) / part.length;
    betweens[r] = sum(part.map((value) => (value - runMeans[r]!) ** 2));
    inverses[r] = sum(sizes.slice(runStarts[r], runStarts[r + 1]).map((size) => 1 / size));
  }
  const grandMean = sum(runMeans) / runs;

  const measurementVariance = measurements > segments ? sum(squares) / (measurements - segments) : null;
  const b = measurementVariance ?? 0;
  let segmentVarianceRaw: number | null = null;
  if (segments > runs) {
    // df_S(r) (variance - B sum(1/N_M)/N_S) with df = N_S - 1 and variance = between/df
    const terms = counts.map((count, r) => betweens[r]! - ((count - 1) / count) * b * inverses[r]!);
    segmentVarianceRaw = sum(terms) / (segments - runs);
  }
  const segmentVariance = segmentVarianceRaw === null ? null : Math.max(0, segmentVarianceRaw);
  const s = segmentVariance ?? 0;

  const summary = { grandMean, runMeans, segmentMeans, runs, segments, measurements };
  const components = { measurementVariance, segmentVariance, segmentVarianceRaw };
  if (runs < 2) {
    return {
      ...summary,
      ...components,
      runVariance: null,
      runVarianceRaw: null,
      runMeanVariance: null,
      grandMeanVariance: null,
      grandMeanVarianceAverageCounts: null,
    };
  }
  const runMeanVariance = sum(runMeans.map((value) => (value - grandMean) ** 2)) / (runs - 1);
  const segmentShare = sum(counts.map((count) => 1 / count));
  const measurementShare = sum(inverses.map((inverse, r) => inverse / counts[r]! ** 2));
  const runVarianceRaw = runMeanVariance - (s * segmentShare + b * measurementShare) / runs;
  const runVariance = Math.max(0, runVarianceRaw);
  return {
    ...summary,
    ...components,
    runVariance,
    runVarianceRaw,
    runMeanVariance,
    grandMeanVariance: runVariance / runs + (s * segmentShare + b * measurementShare) / runs ** 2,
    grandMeanVarianceAverageCounts: runVariance / runs + s / segments + b / measurements,
  };
}

/** One level of an experiment, from the measurements upwards. */
interface ExperimentLevel {
  /** Cost of one more unit of this level (for example seconds, with the warm-up that it needs), above 0. */
  readonly cost: number;
  /** Variance that this level contributes, in the unit squared, >= 0. */
  readonly variance: number;
}

/**
 * The number of units of each level in one unit of the next that minimises the variance of the grand mean for a given
 * total cost, ceil(sqrt(cost[i + 1]/cost[i] * variance[i]/variance[i + 1])).
 *
 * @param levels at least two, from the lowest (measurements) to the highest (runs).
 * @returns a number for every level but the highest, whose repetitions the budget decides. 0 for a level without
 *   variance (read: take one), Infinity when only the next level has none, null when neither has any.
 * @throws RangeError for fewer than two levels, a cost that is not above 0, a negative variance, NaN or infinite
 *   numbers.
 *
 * The root is rounded up with a relative slack of 1e-14, so that 3.0000000000000004 stays 3. Source: OOPSLA'26,
 * equation 4, after T. Kalibera, R. Jones, ISMM 2013. O(levels).
 */
export function levelRepetitions(levels: readonly ExperimentLevel[]): (number | null)[] {
  if (levels.length < 2) throw new RangeError(`levels needs at least 2 levels, got ${levels.length}`);
  levels.forEach(({ cost, variance }, i) => {
    checkNumber(`levels[${i}].cost`, cost, Number.MIN_VALUE);
    checkNumber(`levels[${i}].variance`, variance, 0);
  });
  return levels.slice(0, -1).map((level, i) => {
    const next = levels[i + 1]!;
    if (next.variance === 0) return level.variance === 0 ? null : Infinity;
    const root = Math.sqrt((next.cost / level.cost) * (level.variance / next.variance));
    const nearest = Math.round(root);
    return Math.abs(root - nearest) <= 1e-14 * root ? nearest : Math.ceil(root);
  });
}

/** Options of `meanInterval`. */
interface MeanIntervalOptions {
  readonly mean: number;
  /** Variance of the mean (not of the values), >= 0. */
  readonly variance: number;
  /** Degrees of freedom: runs - 1. Infinity uses the normal quantile. */
  readonly df: number;
  /** Nominal level in (0, 1). */
  readonly level: number;
}

/**
 * Interval of a mean from its estimated variance: mean +- quantile sqrt(variance), Student's t with `df` degrees of freedom.
 *
 * @throws RangeError for NaN or infinite numbers, a negative variance, df below 1, a level outside (0, 1).
 * Source: Antoch et al., OOPSLA'26, section 5.1 and appendix A. O(1).
 */
export function meanInterval({ mean, variance, df, level }: MeanIntervalOptions): Interval {
  checkNumber('mean', mean);
  checkNumber('variance', variance, 0);
  if (df !== Infinity) checkInteger('df', df, 1);
  checkOpen('level', level);
  const tail = (1 - level) / 2;
  const half = -(df === Infinity ? normalQuantile(tail) : studentTQuantile(tail, df)) * Math.sqrt(variance);
  return { low: mean - half, high: mean + half, level };
}
