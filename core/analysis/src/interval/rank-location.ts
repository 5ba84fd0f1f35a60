import {
  mean,
  median,
  rankSumShift,
  rankVonNeumann,
  signedRankShift,
  standardDeviation,
  variance,
} from '@deadheat/stats';
import { unitMeans, weightedUnits, type ResamplingUnits } from '../units/resampling-units.ts';
import { chosenMeanLocation, tLocation, type Location, type MeanError } from './location.ts';

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
  /** Variance of the rank statistic over that of independent units; 1 = neighbours do not resemble each other. */
  readonly inflation: number;
}

/** Below this number of runs no test says how neighbours resemble each other. */
export const fewestNeighbours = 10;
/** One-sided level of the tests whether neighbours resemble each other. */
const wanderLevel = 0.05;
/** The same where little is left after widening, so that a false alarm costs most: below this number of units. */
const carefulLevel = 0.01;
const fewUnits = 40;
const mostCorrelation = 0.95;
/** With fewer equally informative independent values the normal distribution of a rank statistic says too little. */
const fewestEffective = 10;

/** True if ranks of this number of values have no more to say than the mean. */
function isTooCorrelated(n: number, inflation: number): boolean {
  return inflation > 1 && n / inflation < fewestEffective;
}

/**
 * Fewest degrees of freedom of correlated values. The variance is widened for the largest plausible correlation already; below 4 degrees
 * the factor of the t distribution says that nothing at all is known, even of values that all lie far on one side.
 */
const fewestDegrees = 4;

/** Degrees of freedom of a spread of correlated values. */
export function effectiveDegrees(degrees: number, inflation: number): number {
  return inflation === 1 ? degrees : Math.max(Math.min(degrees, fewestDegrees), (degrees + 1) / inflation - 1);
}

function resemble(series: Float64Array, level: number): boolean {
  return series.length >= fewestNeighbours && rankVonNeumann(series).p <= level;
}

/**
 * The variance of a mean of values of an AR(1) process of this rank correlation over that of independent ones; 1 where neighbours do not
 * resemble each other.
 *
 * @param level one-sided level of the test whether they do.
 */
export function inflationOf(
  series: Float64Array,
  level: number = series.length < fewUnits ? carefulLevel : wanderLevel,
): number {
  if (series.length < fewestNeighbours) return 1;
  const { ratio, p } = rankVonNeumann(series);
  if (p > level) return 1;
  // The estimate of a correlation is too small by about 1 / n.
  return variancePerCorrelation(1 - ratio / 2 + 1 / series.length);
}

/** The variance of a mean of values of an AR(1) process over that of independent ones. */
function variancePerCorrelation(found: number): number {
  const correlation = Math.min(mostCorrelation, Math.max(0, found));
  return (1 + correlation) / (1 - correlation);
}

/** A location by ranks; `scale` turns the test's shift into that of the centre. `null` where no sample could reach the level. */
export function locationOfShift(
  shift: ReturnType<typeof rankSumShift>,
  options: {
    readonly scale: number;
    readonly confidence: number;
    readonly kind: Location['kind'];
    readonly t: Location;
  },
): Location | null {
  const { scale, confidence, kind, t } = options;
  const { leastP } = shift;
  if (leastP > (1 - confidence) / 2) return null;
  const { low, high } = shift.interval(confidence);
  // Where all values lie on one side ranks have no more to say, and the t test separates such samples.
  const beyond = (p: number, far: number): number => (p <= leastP ? Math.min(leastP, far) : p);
  return {
    estimate: shift.estimate * scale,
    low: low * scale,
    high: high * scale,
    kind,
    replicates: 0,
    pAtMost: (edge) => beyond(shift.pAtMost(edge / scale), t.pAtMost(edge)),
    pAtLeast: (edge) => beyond(shift.pAtLeast(edge / scale), t.pAtLeast(edge)),
  };
}

/** Over independent units that are symmetric about the centre. */
function overUnits(values: ArrayLike<number>, units: ResamplingUnits, confidence: number): RankLocations {
  const { members } = units;
  const weighted = weightedUnits(values, members);
  const n = weighted.length;
  const own = unitMeans(values, members);
  const inflation = inflationOf(own);
  const error: MeanError = {
    mean: mean(weighted),
    standardError: Math.sqrt(inflation / n) * standardDeviation(weighted),
    degrees: effectiveDegrees(n - 1, inflation),
  };
  const t = tLocation(error, confidence);
  // A run that is left over has a wider distribution about the same centre; the test needs no more than symmetry.
  const shift = signedRankShift(own, { inflation });
  const rank = isTooCorrelated(n, inflation)
    ? null
    : locationOfShift(shift, { scale: 1, confidence, kind: 'signed-rank', t });
  return { rank, mean: t, chosenMean: chosenMeanLocation(error, confidence), units, values: own, inflation };
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
  const inflation = inflationOf(residuals);
  const n = values.length;
  const degrees = n - 2;
  const spread = (side: Float64Array): number => (side.length - 1) * (side.length > 1 ? variance(side) : 0);
  const pooled = degrees > 0 ? (spread(one) + spread(other)) / degrees : 0;
  const error: MeanError = {
    mean: (mean(one) + mean(other)) / 2,
    standardError: Math.sqrt((inflation * pooled * (1 / one.length + 1 / other.length)) / 4),
    degrees: effectiveDegrees(degrees, inflation),
  };
  const t = tLocation(error, confidence);
  const shift = rankSumShift(
    one,
    other.map((value) => -value),
    { inflation },
  );
  return {
    rank: isTooCorrelated(n, inflation)
      ? null
      : locationOfShift(shift, { scale: 0.5, confidence, kind: 'side-and-core', t }),
    mean: t,
    chosenMean: chosenMeanLocation(error, confidence),
    units: { unit: 'run', members: Array.from({ length: n }, (_, r) => [r]) },
    values: residuals,
    inflation,
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
 * Where neighbouring units themselves resemble each other by the same test, all of it is widened by the variance of an AR(1) process.
 *
 * Source: docs/decisions/0010-rank-estimates.md.
 *
 * @param values at least two.
 */
export function rankLocations(values: Float64Array, design: RunDesign, confidence: number): RankLocations {
  const { units, assignments, blocks } = design;
  // With a run of each assignment alone nothing is left to estimate noise by.
  if (assignments === null || values.length < 3) return overUnits(values, units, confidence);
  if (blocks.unit === 'traded-block' && resemble(levelsOfCores(values, assignments), wanderLevel)) {
    return overUnits(values, blocks, confidence);
  }
  return overAssignments(values, { assignments, confidence });
}
