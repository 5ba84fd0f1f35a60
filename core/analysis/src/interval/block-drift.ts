import { mean, median, medianAbsoluteDeviation } from '@deadheat/stats';
import { tLocation, type Location } from './location.ts';

/** Fewer runs a side show nothing of how the machine changed. */
const fewestRuns = 5;

/**
 * Variance of the step that the level takes from one run to the next, over that of a run about the level: from none to so much that nothing
 * but the steps is left.
 */
const stepVariances: readonly number[] = [0, ...Array.from({ length: 23 }, (_, k) => 2 ** (k - 14))];

/** A step variance is plausible that a likelihood ratio test at 5 % does not refuse (half the quantile of chi squared, one degree of freedom). */
const plausibleLogLikelihood = 1.92;

interface DriftFit {
  /** The difference of the second block from the first. */
  readonly difference: number;
  readonly standardError: number;
  readonly degrees: number;
  /** Restricted logarithmic likelihood, but for a constant. */
  readonly logLikelihood: number;
}

/**
 * Fits a difference between the blocks, a common trend, and a level that walks at random. What is left of the steps between neighbouring
 * values has the covariance of a tridiagonal matrix, 2 + step variance on its diagonal and -1 beside it, which a Cholesky factor
 * makes independent. O(values).
 */
function fitDrift(
  values: Float64Array,
  { first, stepVariance }: { readonly first: number; readonly stepVariance: number },
): DriftFit {
  let [diagonal, logDeterminant] = [1, 0];
  let [step, slope, difference] = [0, 0, 0];
  let [yy, ys, yd, ss, sd, dd] = [0, 0, 0, 0, 0, 0];
  const steps = values.length - 1;
  for (let k = 0; k < steps; k++) {
    const beside = k === 0 ? 0 : -1 / diagonal;
    diagonal = Math.sqrt(2 + stepVariance - beside ** 2);
    logDeterminant += 2 * Math.log(diagonal);
    step = (values[k + 1]! - values[k]! - beside * step) / diagonal;
    slope = (1 - beside * slope) / diagonal;
    difference = ((k === first - 1 ? 1 : 0) - beside * difference) / diagonal;
    yy += step ** 2;
    ys += step * slope;
    yd += step * difference;
    ss += slope ** 2;
    sd += slope * difference;
    dd += difference ** 2;
  }
  const determinant = ss * dd - sd ** 2;
  const trend = (ys * dd - yd * sd) / determinant;
  const apart = (yd * ss - ys * sd) / determinant;
  const degrees = steps - 2;
  const residual = Math.max(0, yy - trend * ys - apart * yd) / degrees;
  return {
    difference: apart,
    standardError: Math.sqrt((residual * ss) / determinant),
    degrees,
    logLikelihood: -(degrees * Math.log(residual) + logDeterminant + Math.log(determinant)) / 2,
  };
}

/** Neighbours before a run, and so many after it, whose medians show its level. */
const neighbours = 3;
/** Disturbed is a run that lies further than so many robust standard deviations of a step above both medians, or below both. */
const far = 3;
/** More disturbed runs than this share of a side are no disturbance. */
const mostFar = 0.25;
/** Turns a median absolute deviation into the standard deviation of a normal distribution. */
const normal = 1.4826;
/** The second time steps from and to disturbed runs are gone. */
const rounds = 2;

/** The level of run k, of this value, by the runs around it; `null` if it is not disturbed. */
function levelOfDisturbed(
  side: Float64Array,
  k: number,
  { value, reach }: { readonly value: number; readonly reach: number },
): number | null {
  const around = [side.subarray(Math.max(0, k - neighbours), k), side.subarray(k + 1, k + 1 + neighbours)]
    .filter(({ length }) => length > 0)
    .map(median);
  const isFar = around.every((level) => value > level + reach) || around.every((level) => value < level - reach);
  return isFar ? mean(around) : null;
}

/**
 * A side whose disturbed runs have the level of their neighbours, so that rare spikes do not look like a level that walks. A level that walks, by
 * nothing but steps even, is left as it is, but for its ends: there a spike looks as a step does.
 */
function withoutSpikes(side: Float64Array, { ends }: { readonly ends: boolean }): Float64Array {
  const last = side.length - 1;
  let settled = side;
  for (let round = 0; round < rounds; round++) {
    const now = settled;
    const steps = now.subarray(1).map((value, k) => value - now[k]!);
    const reach = far * normal * medianAbsoluteDeviation(steps);
    settled = side.map((value, k) =>
      (k === 0 || k === last) && !ends ? value : (levelOfDisturbed(now, k, { value, reach }) ?? value),
    );
  }
  const moved = settled.reduce((count, value, k) => count + (value === side[k] ? 0 : 1), 0);
  return moved > mostFar * side.length ? side : settled;
}

/**
 * Where the difference of two programs lies that were measured in two blocks, all of A and then all of B, on a machine that may have changed
 * meanwhile: by a trend of any size and a level that walks at random by as much as the runs allow. The interval holds those under every
 * plausible strength of the walk. B is taken to have followed A at once, with runs of equal length.
 *
 * @param a logarithms of A's run means in the order of the runs, @param b those of B
 * @returns `null` with fewer than five runs a side, or with values that do not vary, which show no change
 * Source: the local level model with an intervention (Harvey, Forecasting, Structural Time Series Models and the Kalman Filter,
 *   chapters 4 and 7), by restricted maximum likelihood.
 */
export function blockDrift(a: Float64Array, b: Float64Array, confidence: number): Location | null {
  if (Math.min(a.length, b.length) < fewestRuns) return null;
  const values = Float64Array.from([...a, ...b]);
  const fits = stepVariances.map((stepVariance) => fitDrift(values, { first: a.length, stepVariance }));
  if (fits.some(({ standardError }) => !(standardError > 0))) return null;
  const best = Math.max(...fits.map(({ logLikelihood }) => logLikelihood));
  return fits
    .filter(({ logLikelihood }) => logLikelihood >= best - plausibleLogLikelihood)
    .map(({ difference, standardError, degrees }) =>
      tLocation({ mean: difference, standardError, degrees }, confidence),
    )
    .reduce(reachingTo);
}

/**
 * As `blockDrift` for typical runs: rare runs that are disturbed, on which a spread and a walk alone would be blamed, have the level of their neighbours.
 * At the ends of a side, where a spike and a step look alike, the interval holds both.
 */
export function settledBlockDrift(a: Float64Array, b: Float64Array, confidence: number): Location | null {
  const driftOf = (ends: boolean): Location | null =>
    blockDrift(withoutSpikes(a, { ends }), withoutSpikes(b, { ends }), confidence);
  const inside = driftOf(false);
  return inside === null ? blockDrift(a, b, confidence) : reachingTo(inside, driftOf(true));
}

/** The location whose interval holds those of both, and whose p values are the larger ones of both; the estimate is that of the first. */
export function reachingTo(one: Location, other: Location | null): Location {
  if (other === null) return one;
  return {
    ...one,
    low: Math.min(one.low, other.low),
    high: Math.max(one.high, other.high),
    pAtMost: (edge) => Math.max(one.pAtMost(edge), other.pAtMost(edge)),
    pAtLeast: (edge) => Math.max(one.pAtLeast(edge), other.pAtLeast(edge)),
  };
}
