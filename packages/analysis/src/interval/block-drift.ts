import { mean, rankVonNeumann, studentTQuantile } from '@deadheat/stats';
import { tLocation, type Location } from './location.ts';
import { effectiveDegrees, fewestNeighbours, variancePerCorrelation } from './rank-location.ts';

/** What the order of the runs within each side's block shows of changes that are not of the programs. */
export interface BlockDrift {
  /** How many times the variance of independent runs; 1 = neighbours do not resemble each other. */
  readonly inflation: number;
  /** The difference of the blocks, logarithmic, after a trend that both share is taken out; `null` = no trend is seen. */
  readonly withoutTrend: Location | null;
}

/**
 * Two-sided level of the test for a trend. A trend that moves the second block by two standard errors moves the slope within the blocks by
 * about one of its own, so that a usual level would miss most of what makes false alarms.
 */
const trendLevel = 0.4;

/** The least-squares line through values of equal distance. */
function lineOf(values: Float64Array): { readonly slope: number; readonly squares: number } {
  const centre = (values.length - 1) / 2;
  const middle = mean(values);
  let products = 0;
  let squares = 0;
  for (const [k, value] of values.entries()) {
    products += (k - centre) * (value - middle);
    squares += (k - centre) ** 2;
  }
  return { slope: products / squares, squares };
}

/**
 * The variance of a block's mean over that of independent runs, from the rank correlation of neighbours in both blocks together. Runs of
 * another program do not come in between, so that a correlation that is missed is paid with false alarms: it is taken as one standard error
 * larger than it was found.
 */
function blockInflation(blocks: readonly Float64Array[]): number {
  const n = blocks.reduce((sum, { length }) => sum + length, 0);
  const ratio = blocks.reduce((sum, block) => sum + (block.length / n) * rankVonNeumann(block).ratio, 0);
  const bias = blocks.length / n;
  return variancePerCorrelation(1 - ratio / 2 + bias + 1 / Math.sqrt(n));
}

/** The squares of the values about their block's mean, with a slope taken out. */
function squaresAbout(block: Float64Array, slope: number): number {
  const centre = (block.length - 1) / 2;
  const middle = mean(block);
  return block.reduce((sum, value, k) => sum + (value - middle - slope * (k - centre)) ** 2, 0);
}

/**
 * What drift within two blocks, all of A and then all of B, says of the difference between them. A drift that goes on from one block to the
 * next cannot be told from a difference of the programs except by its trend within the blocks: B is taken to have followed A at once,
 * with runs of equal length.
 *
 * @param a logarithms of A's run means in the order of the runs, @param b those of B
 * @returns `null` with fewer than ten runs a side, which show neither trend nor correlation
 */
export function blockDrift(a: Float64Array, b: Float64Array, confidence: number): BlockDrift | null {
  const blocks = [a, b];
  if (blocks.some(({ length }) => length < fewestNeighbours)) return null;
  const inflation = blockInflation(blocks);
  const lines = blocks.map(lineOf);
  const squares = lines.reduce((sum, line) => sum + line.squares, 0);
  const slope = lines.reduce((sum, line) => sum + line.slope * line.squares, 0) / squares;
  const degrees = a.length + b.length - 3;
  const residual = blocks.reduce((sum, block) => sum + squaresAbout(block, slope), 0) / degrees;
  const slopeError = Math.sqrt(residual / squares);
  if (Math.abs(slope) <= studentTQuantile(1 - trendLevel / 2, degrees) * slopeError)
    return { inflation, withoutTrend: null };
  const flat = blocks.map((block) => block.map((value, k) => value - slope * k));
  const inflationOfRest = blockInflation(flat);
  const apart = (a.length + b.length) / 2;
  const independent = residual * (1 / a.length + 1 / b.length) + (apart * slopeError) ** 2;
  const error = {
    mean: mean(b) - mean(a) - slope * apart,
    standardError: Math.sqrt(inflationOfRest * independent),
    degrees: effectiveDegrees(degrees, inflationOfRest),
  };
  return { inflation, withoutTrend: tLocation(error, confidence) };
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

/** The location with its interval so many times as wide about the estimate. */
export function widenedBy(location: Location, times: number): Location {
  const { estimate, low, high, pAtMost, pAtLeast } = location;
  const within = (edge: number): number => estimate + (edge - estimate) / times;
  return {
    ...location,
    low: estimate - times * (estimate - low),
    high: estimate + times * (high - estimate),
    pAtMost: (edge) => pAtMost(within(edge)),
    pAtLeast: (edge) => pAtLeast(within(edge)),
  };
}
