import { at } from '../internal/lists.ts';
import { reachingTo } from './block-drift.ts';
import { tLocation, type Location } from './location.ts';
import { welchError } from './sequential-ratio-interval.ts';

/** A time on the log scale with its error, of which `n` values are the source. */
interface Level {
  readonly log: number;
  readonly squaredError: number;
  readonly n: number;
}

/** Levels of the times of a side: the middle one, and that of the fastest; `null` = not known. */
export interface SideLevels {
  readonly centre: Level;
  readonly foot: Level | null;
  /** Of times that are the iterations of one run, the standard deviation of a location between runs, on the log scale; `null` = they are of several. */
  readonly deviationOfRuns: number | null;
}

/**
 * Standard deviation of the logarithm of a location between runs of the same program, where a file shows one of them. Medians and fastest hundredths of
 * functions in Node that ran undisturbed deviated by 0.2 to 1.8 % from run to run (docs/formats/imports.md).
 */
const deviationOfRuns = 0.01;

/** The deviation between runs of a side of one run, `known` or that of most programs; `null` for one of several. */
export function deviationOf(
  isOneRun: boolean,
  known: SideLevels['deviationOfRuns'] | undefined,
): SideLevels['deviationOfRuns'] {
  return isOneRun ? (known ?? deviationOfRuns) : null;
}

/**
 * Logarithm of the ratio of middle and foot up to which iterations are of one kind: the levels of a core with and without a busy neighbour were 1.35 apart. Beyond
 * it some ran before the program was compiled, or between other programs alone, and the runs of a program differed by about this share of the rest.
 */
const mostDepth = 0.35;
const shareOfDepth = 0.4;

/**
 * The share of the iterations below the foot, and the most of them: few enough to be undisturbed beside other programs, enough to be no single chance. Of 4000
 * rounds of CPython beside 100 busy loops 15 to 40 had a core whose other thread was idle, and took 0.6 of the time of the others.
 */
const shareBelowFoot = 0.01;
const mostBelowFoot = 10;

/** Value at a place among sorted ones, from 0, with linear interpolation. */
function valueAt(sorted: Float64Array, place: number): number {
  const inside = Math.min(sorted.length - 1, Math.max(0, place));
  const below = Math.floor(inside);
  const low = at(sorted, below);
  return low + (inside - below) * ((sorted[below + 1] ?? low) - low);
}

/** A quantile with the error that follows from the number of values below it, which is binomial. */
function quantileLevel(sorted: Float64Array, share: number): Level {
  const n = sorted.length;
  const place = share * (n - 1);
  const reach = Math.sqrt(n * share * (1 - share));
  const halfWidth = Math.log(valueAt(sorted, place + reach) / valueAt(sorted, place - reach)) / 2;
  return { log: Math.log(valueAt(sorted, place)), squaredError: halfWidth ** 2, n };
}

/** Centre of runs that were located one by one, at least two. */
function overRuns(levels: readonly Level[]): Level {
  const n = levels.length;
  const log = levels.reduce((sum, level) => sum + level.log, 0) / n;
  const squares = levels.reduce((sum, level) => sum + (level.log - log) ** 2, 0);
  return { log, squaredError: squares / (n - 1) / n, n };
}

/** The levels of a side from the times of its runs, which are sorted here, or of its only one. */
export function levelsOfRuns(runs: readonly Float64Array[], deviation: SideLevels['deviationOfRuns']): SideLevels {
  const sorted = runs.map((times) => times.toSorted());
  const of = (shareOf: (n: number) => number): Level => {
    const levels = sorted.map((times) => quantileLevel(times, shareOf(times.length)));
    return levels.length === 1 ? at(levels, 0) : overRuns(levels);
  };
  const foot = of((n) => Math.min(shareBelowFoot, mostBelowFoot / n));
  return { centre: of(() => 0.5), foot, deviationOfRuns: deviation };
}

/** Ratio of the standard errors of median and mean of normal values. */
const errorOfMedian = Math.sqrt(Math.PI / 2);

/**
 * The levels of times of which a file gives median and spread, and where it is known the fastest one. The fastest of n normal values deviates by 0.64 / ln n of its
 * distance from the middle (E. J. Gumbel, Statistics of Extremes, 1958: standard deviation pi / sqrt 6 over the rate sqrt(2 ln n)).
 *
 * @param known times in any unit, above 0; the deviation is a standard deviation of the undisturbed ones, at least two of them.
 */
export function levelsOfSummary(known: {
  readonly median: number;
  readonly deviation: number;
  readonly min: number | null;
  readonly n: number;
  readonly deviationOfRuns: SideLevels['deviationOfRuns'];
}): SideLevels {
  const { median, deviation, min, n, deviationOfRuns: between } = known;
  const centre = { log: Math.log(median), squaredError: ((errorOfMedian * deviation) / median) ** 2 / n, n };
  if (min === null || !(min > 0)) return { centre, foot: null, deviationOfRuns: between };
  const depth = Math.log(median / min);
  return {
    centre,
    foot: { log: Math.log(min), squaredError: ((0.64 * depth) / Math.log(n)) ** 2, n },
    deviationOfRuns: between,
  };
}

/** Standard deviation between runs, on the log scale, that is taken where one run is known. */
function betweenRuns({ centre, foot, deviationOfRuns: between }: SideLevels): number {
  if (between === null) return 0;
  const depth = foot === null ? 0 : centre.log - foot.log;
  return Math.max(between, shareOfDepth * (depth - mostDepth));
}

/**
 * Logarithm of the ratio B / A of the middle times, from times that are those of the program plus what other programs add to some of them. The interval
 * reaches to that of the fastest times where both are known: a machine that is slow for more than half of a run moves its median and not its foot. Of a
 * single run it holds the variation between runs as well, which the run does not show.
 */
export function locationOfLevels(A: SideLevels, B: SideLevels, confidence: number): Location {
  const between = [A, B].map((side) => ({ squaredError: betweenRuns(side) ** 2, n: Infinity }));
  const of = (a: Level, b: Level): Location =>
    tLocation({ mean: b.log - a.log, ...welchError([a, b, ...between]) }, confidence);
  const centre = of(A.centre, B.centre);
  const foot = A.foot === null || B.foot === null ? null : of(A.foot, B.foot);
  return { ...reachingTo(centre, foot), kind: 'run-medians' };
}
