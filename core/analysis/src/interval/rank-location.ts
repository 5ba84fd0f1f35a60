import {
  longRunVariance,
  mean,
  median,
  rankSumShift,
  rankVonNeumann,
  signedRankShift,
  standardDeviation,
  studentTQuantile,
  variance,
} from '@deadheat/stats';
import { singles, unitMeans, weightedUnits, type ResamplingUnits } from '../units/resampling-units.ts';
import { meansBesideRanks, tLocation, type Location, type MeanError } from './location.ts';

/** Dependence between the values of runs. */
export interface RunDesign {
  /** Units of an interval over independent values. */
  readonly units: ResamplingUnits;
  /** The runs' core assignments (`coreAssignments`). */
  readonly assignments: readonly boolean[] | null;
  /** Blocks of neighbouring runs of opposite assignments. */
  readonly blocks: ResamplingUnits;
}

/** The centre of the runs' values by ranks and by their mean, both over the same units. */
export interface RankLocations {
  /** `null` where too few units make every rank test weaker than the level asks for. */
  readonly rank: Location | null;
  readonly mean: Location;
  /** The mean where it decides in the place of ranks. */
  readonly chosenMean: Location;
  /** Units of both locations. */
  readonly units: ResamplingUnits;
  /** The values of the units, without what differs between two cores. */
  readonly values: Float64Array;
  readonly dependence: Dependence;
}

/** Dependence of successive values, seen in their ranks, on which far values have little influence. */
export interface Dependence {
  /** Long-run variance over that of independent values, >= 1. */
  readonly inflation: number;
  /** Degrees of freedom of that variance; Infinity where nothing hints at a dependence. */
  readonly degrees: number;
  /** One-sided p value of von Neumann's ratio; 1 where the values are too few. */
  readonly p: number;
}

export const independent: Dependence = { inflation: 1, degrees: Infinity, p: 1 };

/** Below this number of runs no test says how neighbours resemble each other. */
export const fewestNeighbours = 10;
/** One-sided level at which the test hints at a dependence, and below `fewUnits` units, where little is left after widening. */
const hintLevel = 0.2;
const carefulLevel = 0.1;
const fewUnits = 20;
/** One-sided level at which the levels of the cores wander. */
const wanderLevel = 0.05;
export const mostCorrelation = 0.95;

/** Variance of a mean of an AR(1) process of this correlation of neighbours, of which `mostCorrelation` counts, over that of independent values. */
export function inflationBy(correlation: number): number {
  const counted = Math.min(mostCorrelation, correlation);
  return (1 + counted) / (1 - counted);
}

const fewestCosines = 3;
/** A t quantile hardly changes beyond. */
const mostCosines = 200;

/**
 * Dependence of successive values. The number of cosines, n^(2/3) / w, w = 2 r / (1 - r)^2 the curvature of the spectrum of an AR(1) process of the
 * correlation r that is seen, falls with the correlation: bias and variance of the estimate are balanced for a test (Lazarus, Lewis and Stock,
 * Econometrica 89 (2021), 2497-2517, for the rate). Level and factor are chosen by simulation (docs/decisions/0010-rank-estimates.md).
 */
export function dependenceOf(series: Float64Array): Dependence {
  const n = series.length;
  if (n < fewestNeighbours) return independent;
  const { ratio, p, ranks } = rankVonNeumann(series);
  if (p > (n < fewUnits ? carefulLevel : hintLevel)) return { ...independent, p };
  const correlation = Math.min(mostCorrelation, 1 - ratio / 2);
  const cosines = Math.round((n ** (2 / 3) * (1 - correlation) ** 2) / (2 * correlation));
  if (cosines >= n - 1) return { ...independent, p };
  const degrees = Math.min(mostCosines, Math.max(fewestCosines, cosines));
  return { inflation: Math.max(1, longRunVariance(ranks, degrees) / variance(ranks)), degrees, p };
}

/** Factor by which a dependence widens the t interval of n values. */
export function wideningOf(
  { inflation, degrees }: Dependence,
  { n, confidence }: { readonly n: number; readonly confidence: number },
): number {
  if (degrees === Infinity) return 1;
  const quantile = (1 + confidence) / 2;
  return (Math.sqrt(inflation) * studentTQuantile(quantile, degrees)) / studentTQuantile(quantile, n - 1);
}

/** Error of a mean of values that depend on each other. */
export function dependentError({ mean, standardError, degrees }: MeanError, dependence: Dependence): MeanError {
  return {
    mean,
    standardError: Math.sqrt(dependence.inflation) * standardError,
    degrees: Math.min(degrees, dependence.degrees),
  };
}

/** How the shift of a rank test becomes a location. */
interface ShiftOptions {
  /** Turns the test's shift into that of the centre. */
  readonly scale: number;
  readonly confidence: number;
  readonly kind: Location['kind'];
  readonly dependence: Dependence;
  /** Number of values. */
  readonly n: number;
}

/**
 * A location by ranks; `null` where no sample could reach the level. Where values depend on each other, the half-width of the rank interval of independent ones
 * gives the standard error (E. L. Lehmann, Annals of Mathematical Statistics 34 (1963), 1507-1512), which is widened by the long-run variance.
 */
export function locationOfShift(shift: ReturnType<typeof rankSumShift>, options: ShiftOptions): Location | null {
  const { scale, confidence, kind, dependence, n } = options;
  const { leastP } = shift;
  if (leastP > (1 - confidence) / 2) return null;
  const { low, high } = shift.interval(confidence);
  const estimate = shift.estimate * scale;
  if (dependence.degrees < Infinity) {
    const standardError = ((high - low) * scale) / 2 / studentTQuantile((1 + confidence) / 2, n - 1);
    const error = dependentError({ mean: estimate, standardError, degrees: n - 1 }, dependence);
    return { ...tLocation(error, confidence), kind: 'cosine-t', leastP };
  }
  return {
    estimate,
    low: low * scale,
    high: high * scale,
    kind,
    replicates: 0,
    pAtMost: (edge) => shift.pAtMost(edge / scale),
    pAtLeast: (edge) => shift.pAtLeast(edge / scale),
    leastP,
  };
}

/**
 * The mean of values that are too few for ranks at their level: it reaches to the ends of what ranks can say of them, so that no interval is narrower than one
 * of less confidence.
 */
export function meanOfFew(mean: Location, shift: ReturnType<typeof rankSumShift>, options: ShiftOptions): Location {
  const widest = locationOfShift(shift, { ...options, confidence: 1 - 2.000001 * shift.leastP });
  if (widest === null) return mean;
  const { low, high, pAtMost, pAtLeast } = widest;
  return {
    ...mean,
    low: Math.min(mean.low, low),
    high: Math.max(mean.high, high),
    pAtMost: (edge) => (edge < low ? mean.pAtMost(edge) : Math.max(mean.pAtMost(edge), pAtMost(edge))),
    pAtLeast: (edge) => (edge > high ? mean.pAtLeast(edge) : Math.max(mean.pAtLeast(edge), pAtLeast(edge))),
  };
}

/** Both locations of values, of which the mean decides where they are too few for ranks. */
function locationsOf(
  shift: ReturnType<typeof rankSumShift>,
  { error, ...options }: ShiftOptions & { readonly error: MeanError },
): Pick<RankLocations, 'rank' | 'mean' | 'chosenMean'> {
  const rank = locationOfShift(shift, options);
  const means = meansBesideRanks(error, { confidence: options.confidence, leastP: shift.leastP });
  return { rank, ...means, ...(rank === null ? { mean: meanOfFew(means.mean, shift, options) } : {}) };
}

/** Over independent units that are symmetric about the centre. */
function overUnits(values: ArrayLike<number>, units: ResamplingUnits, confidence: number): RankLocations {
  const { members } = units;
  const own = unitMeans(values, members);
  const weighted = weightedUnits(values, members, own);
  const n = weighted.length;
  const dependence = dependenceOf(own);
  const error = dependentError(
    { mean: mean(weighted), standardError: standardDeviation(weighted) / Math.sqrt(n), degrees: n - 1 },
    dependence,
  );
  // A run that is left over has a wider distribution about the same centre; the test needs no more than symmetry.
  return {
    ...locationsOf(signedRankShift(own), { scale: 1, confidence, kind: 'signed-rank', dependence, n, error }),
    units,
    values: own,
    dependence,
  };
}

/**
 * Side and core: with B on one core a value is centre + core + noise, on the other centre - core + noise. Turning the sign of the
 * second kind makes two samples that differ by twice the centre and, where the programs are equal, by nothing else: the times of two
 * cores do not know which of two equal programs they are of.
 */
function overAssignments(
  values: Float64Array,
  { assignments, confidence }: { readonly assignments: readonly boolean[]; readonly confidence: number },
): RankLocations {
  const one = values.filter((_, r) => assignments[r] === true);
  const other = values.filter((_, r) => assignments[r] !== true);
  const centres = [median(one), median(other)] as const;
  const core = (centres[0] - centres[1]) / 2;
  const residuals = values.map((value, r) => value - (assignments[r] === true ? core : -core));
  const dependence = dependenceOf(residuals);
  const n = values.length;
  const degrees = n - 2;
  const spread = (side: Float64Array): number => (side.length - 1) * (side.length > 1 ? variance(side) : 0);
  const pooled = degrees > 0 ? (spread(one) + spread(other)) / degrees : 0;
  const error = dependentError(
    {
      mean: (mean(one) + mean(other)) / 2,
      standardError: Math.sqrt((pooled * (1 / one.length + 1 / other.length)) / 4),
      degrees,
    },
    dependence,
  );
  const shift = rankSumShift(
    one,
    other.map((value) => -value),
  );
  return {
    ...locationsOf(shift, { scale: 0.5, confidence, kind: 'side-and-core', dependence, n, error }),
    units: singles(values),
    values: residuals,
    dependence,
  };
}

/** Values of the cores, with B on the same one in all of them, less the centre of each assignment. */
function levelsOfCores(values: Float64Array, assignments: readonly boolean[]): Float64Array {
  const centreOf = (kind: boolean): number => median(values.filter((_, r) => assignments[r] === kind));
  const centres = { yes: centreOf(true), no: centreOf(false) };
  return values.map((value, r) => (assignments[r] === true ? value - centres.yes : centres.no - value));
}

/**
 * The centre of a value a run by the rank test that fits how the runs were made, and by the mean:
 *
 * - `side-and-core`, where the sides traded cores: the median of all (d_i + d_j) / 2 of a run of one and a run of the other assignment,
 *   with the Mann-Whitney test. Needs no symmetry; what differs between the cores is no noise;
 * - `signed-rank` over traded blocks, where the levels of the cores wander (von Neumann's ratio over ranks, one-sided 5 %), so that a core is like
 *   itself only a moment ago;
 * - `signed-rank` over the units, else.
 *
 * Where a hint says that neighbouring units themselves depend on each other (`dependenceOf`), all of it has their long-run variance.
 *
 * Source: docs/decisions/0010-rank-estimates.md.
 *
 * @param values at least two.
 */
export function rankLocations(values: Float64Array, design: RunDesign, confidence: number): RankLocations {
  const { units, assignments, blocks } = design;
  // With a run of each assignment alone nothing is left to estimate noise by.
  if (assignments === null || values.length < 3) return overUnits(values, units, confidence);
  if (blocks.unit === 'traded-block' && dependenceOf(levelsOfCores(values, assignments)).p <= wanderLevel) {
    return overUnits(values, blocks, confidence);
  }
  return overAssignments(values, { assignments, confidence });
}
