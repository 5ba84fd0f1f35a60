import {
  widthOptions,
  type WidthOptions,
  joined,
  meanInterval,
  shuffledPairsWidth,
  sequentialRatioInterval,
  runLogRatios,
  runMeanDifferences,
} from '@deadheat/analysis';
import { coefficientOfVariation, geometricMean, mean } from '@deadheat/stats';

/** The times of both sides over all runs, in one unit. */
export type SidesOfTimes = Readonly<Record<'A' | 'B', readonly ArrayLike<number>[]>>;

/**
 * The width of the interval of a duet's ratio, gms_hi - gms_lo: 0.01 = 1 % of the ratio 1.
 *
 * @param times paired by place, at least two runs.
 * @throws RangeError as `logRatioSeries`, and for fewer than two runs.
 * Source: Bulej et al., ICPE'20, section 4.1.
 */
export function duetWidth(times: SidesOfTimes, options: WidthOptions): number {
  const { low, high } = meanInterval(runLogRatios(times.B, times.A), widthOptions(options));
  return Math.exp(high) - Math.exp(low);
}

function runMeans(runs: SidesOfTimes['A']): number[] {
  return runs.map((times) => mean(times));
}

/**
 * The relative width of the interval of the difference of means of two sides measured by themselves,
 * (diff_hi - diff_lo) / mean. Run means are what is drawn, and the mean is that of all times of both sides.
 *
 * @param times at least two runs a side; the sides may differ in their number of runs.
 * @throws RangeError as `sequentialRatioInterval`.
 * Source: Bulej et al., ICPE'20, section 4.1.
 */
export function standardWidth(times: SidesOfTimes, options: WidthOptions): number {
  const { difference } = sequentialRatioInterval(runMeans(times.A), runMeans(times.B), widthOptions(options));
  return (difference.highNs - difference.lowNs) / mean(joined([...times.A, ...times.B]));
}

/**
 * The relative width of the interval of the mean paired difference. Equation 4.2 prints the mean of the differences below
 * the line, which is about 0 for A/A runs; the mean of all times of both sides is meant and taken.
 *
 * @param times paired by place, at least two runs. The thesis takes `bca`, 95 % and 9 999 replicates.
 * @throws RangeError as `logRatioSeries`, and for fewer than two runs.
 * Source: Drozdik 2023, equation 4.2.
 */
export function differenceWidth(times: SidesOfTimes, options: WidthOptions): number {
  const { low, high } = meanInterval(runMeanDifferences(times.B, times.A), widthOptions(options));
  return (high - low) / mean(joined([...times.A, ...times.B]));
}

/** Relative interval widths of one benchmark, 0.01 = 1 %. */
export interface WidthTriplet {
  readonly duet: number;
  /** The duet's, with B's times shuffled over all runs: all that a duet does, but for the shared interference. */
  readonly shuffled: number;
  readonly standard: number;
}

/**
 * The widths duet : shuffled : standard of one benchmark. Shuffled far above duet: the sides were disturbed together.
 * Shuffled near standard: the duet costs nothing else.
 *
 * @param runs.duet times of a duet, paired by place, at least two runs.
 * @param runs.sequential times of sides that ran by themselves, at least two runs a side; for a fair comparison as many runs
 *   and iterations as the duet.
 * @throws RangeError as `duetWidth` and `standardWidth`.
 * Source: Bulej et al., ICPE'20, sections 4.1, 4.2 and 7.2. The shuffled width is the average over 5 shuffles.
 */
export function widthTriplet(
  runs: { readonly duet: SidesOfTimes; readonly sequential: SidesOfTimes },
  options: WidthOptions,
): WidthTriplet {
  const duet = duetWidth(runs.duet, options);
  const times = { A: runs.duet.A.map(arrayOf), B: runs.duet.B.map(arrayOf) };
  const shuffled = shuffledPairsWidth(times, { ...widthOptions(options), members: times.A.map((_, r) => [r]) });
  return { duet, shuffled, standard: standardWidth(runs.sequential, options) };
}

function arrayOf(run: ArrayLike<number>): Float64Array {
  return run instanceof Float64Array ? run : Float64Array.from(run);
}

/** How many times narrower the intervals are than those of the standard method. */
export interface Improvement {
  /** Geometric mean over benchmarks of standard / duet; 5 = five times narrower. `null` without benchmarks. */
  readonly duet: number | null;
  /** The same for the shuffled duet: what of it does not come from shared interference, about 1. */
  readonly shuffled: number | null;
  /** Benchmarks in the means. */
  readonly benchmarks: number;
  /** Benchmarks left out because one of their widths is 0 and so has no ratio. */
  readonly leftOut: number;
}

/**
 * The average reduction of the relative interval width over benchmarks.
 *
 * Source: Bulej et al., ICPE'20, table 1 and section 4.2.
 */
export function improvement(triplets: readonly WidthTriplet[]): Improvement {
  const usable = triplets.filter(({ duet, shuffled, standard }) => duet > 0 && shuffled > 0 && standard > 0);
  const average = (by: 'duet' | 'shuffled'): number | null =>
    usable.length === 0 ? null : geometricMean(usable.map((triplet) => triplet.standard / triplet[by]));
  return {
    duet: average('duet'),
    shuffled: average('shuffled'),
    benchmarks: usable.length,
    leftOut: triplets.length - usable.length,
  };
}

/** How much a set of runs varies, and what is left of it in the result. */
export interface Variation {
  /** Standard deviation over mean of each side's times, all runs pooled: 0.02 = 2 %. */
  readonly coefficientOfVariation: { readonly A: number; readonly B: number };
  /** Width of the interval relative to the times, 0.01 = 1 %. */
  readonly relativeWidth: number;
}

const widths = { duet: duetWidth, standard: standardWidth, difference: differenceWidth };

function pooled(runs: SidesOfTimes['A']): number[] {
  return runs.flatMap((times) => Array.from(times));
}

/**
 * The coefficient of variation of the raw times, and the relative width of the interval that is made from them. In a duet the
 * first may be large and the second small: both sides vary together. Warm-up and outliers are the caller's to remove.
 *
 * @param options.width which interval: `duet` that of the ratio, `standard` that of the difference of means, `difference`
 *   that of the paired differences.
 * @throws RangeError as `duetWidth`, `standardWidth`, `differenceWidth`; with fewer than two times a side.
 * Source: Drozdik 2023, sections 4.3.1 and 4.3.2; Bulej et al., ICPE'20, section 4.1.
 */
export function variationOf(
  times: SidesOfTimes,
  options: WidthOptions & { readonly width: 'duet' | 'standard' | 'difference' },
): Variation {
  return {
    coefficientOfVariation: {
      A: coefficientOfVariation(pooled(times.A)),
      B: coefficientOfVariation(pooled(times.B)),
    },
    relativeWidth: widths[options.width](times, options),
  };
}
