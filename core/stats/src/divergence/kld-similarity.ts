import { checkChoice, checkInteger, checkSample } from '../internal/checks.ts';
import { gridKde } from '../density/kde.ts';
import { standardDeviation } from '../samples/moments.ts';

/** Result of `kldSimilarity`. */
export interface KldResult {
  /** 2^-KL(first, second) * 2^-KL(second, first); 0 without common support. Rounding of the sums can lift it just above 1. */
  readonly similarity: number;
  /** The two divergences, in nats (or bits with base 2); their sum is >= 0 up to the truncation of the range. */
  readonly divergences: readonly [number, number];
  /** The range of the evaluation, in the unit of the values. */
  readonly range: readonly [number, number];
  /** The two kernel bandwidths. */
  readonly bandwidths: readonly [number, number];
}

/** Options of the comparison. */
interface KldOptions {
  /** Number of points, >= 2, default 1000. */
  readonly strips?: number;
  /** Logarithm of the divergence: 'e' (default, as the reference implementation) or 2 (as 2^-KL in He et al. suggests). */
  readonly base?: 'e' | 2;
  /** True if both samples come ascending, which saves sorting copies of them (not checked); default false. */
  readonly sorted?: boolean;
  /** With more different values than this the densities are approximated as `gridKde` says; default Infinity. */
  readonly binAbove?: number;
}

const cutoffBandwidths = 5;

function checkTimes(name: string, sample: ArrayLike<number>): void {
  checkSample(name, sample, 2);
  for (let i = 0; i < sample.length; i++) {
    if (sample[i]! < 0) throw new RangeError(`${name}[${i}] must not be below 0, got ${sample[i]}`);
  }
}

/** Quantile of type 6 of ascending values: at (n + 1) p, counted from 1, ends beyond the first and last held. */
function quartile(sorted: Float64Array, p: number): number {
  const place = Math.min(sorted.length - 1, Math.max(0, (sorted.length + 1) * p - 1));
  const below = Math.floor(place);
  const low = sorted[below]!;
  return place === below ? low : low + (place - below) * (sorted[below + 1]! - low);
}

/** 1.06 min(sd, IQR/1.34) n^(-1/5) with the quartiles as plain order statistics at n/4 and 3n/4, rounded down. */
function orderBandwidth(sorted: Float64Array): number {
  const n = sorted.length;
  const range = sorted[Math.floor((3 * n) / 4)]! - sorted[Math.floor(n / 4)]!;
  return (1.06 * Math.min(standardDeviation(sorted), range / 1.34)) / n ** 0.2;
}

/**
 * Similarity of two samples by the Kullback-Leibler divergence of their kernel densities, 1 when they are the same: the stop
 * rule 'kld' compares the measurements before and after an iteration with it.
 *
 * Both densities are Gaussian kernel estimates cut at 5 bandwidths, evaluated at `strips` equidistant points from the smaller
 * q1 - 1.5 IQR (not below 0) to the larger q3 + 1.5 IQR of the two samples (quartiles type 6), so that outliers do not stretch the
 * range. KL sums p ln(p/q) step where both are above 0.
 *
 * @param first, second at least two finite numbers each, same unit, not negative as times are not.
 * @returns similarity 1 for two constant samples of one value, 0 when the densities nowhere overlap. A sample whose quartiles are
 *   equal has no bandwidth; its density then is a spike of one strip's width.
 * @throws RangeError for fewer than two values, NaN, infinite or negative values, fewer than two strips, another base.
 *
 * Sources: Laaber et al., FSE'20, section 4.2.3; S. He et al., ESEC/FSE 2019. O(n log n + strips times values near them).
 */
export function kldSimilarity(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: KldOptions = {},
): KldResult {
  checkTimes('first', first);
  checkTimes('second', second);
  const strips = checkInteger('strips', options.strips ?? 1000, 2);
  const base = checkChoice('base', options.base ?? 'e', ['e', 2]);

  function ascending(sample: ArrayLike<number>): Float64Array {
    return options.sorted && sample instanceof Float64Array ? sample : Float64Array.from(sample).sort();
  }

  const sides = [ascending(first), ascending(second)] as const;
  const fences = sides.map((side) => {
    const [q1, q3] = [quartile(side, 0.25), quartile(side, 0.75)];
    const reach = 1.5 * (q3 - q1);
    return [q1 - reach, q3 + reach] as const;
  });
  const low = Math.max(0, Math.min(fences[0]![0], fences[1]![0]));
  const high = Math.max(fences[0]![1], fences[1]![1]);
  const range = [low, high] as const;
  if (!(high > low)) {
    return { similarity: 1, divergences: [0, 0], range, bandwidths: [0, 0] };
  }
  const step = (high - low) / (strips - 1);
  const bandwidths = sides.map((side) => orderBandwidth(side));
  const [p, q] = sides.map((side, i) =>
    gridKde(side, {
      low,
      step,
      points: strips,
      bandwidth: bandwidths[i]! > 0 ? bandwidths[i]! : step,
      cutoff: cutoffBandwidths,
      binAbove: options.binAbove ?? Infinity,
    }),
  ) as [Float64Array, Float64Array];
  const unit = base === 2 ? Math.LN2 : 1;
  let forth = 0;
  let back = 0;
  let common = false;
  for (let i = 0; i < strips; i++) {
    if (!(p[i]! > 0 && q[i]! > 0)) continue;
    common = true;
    const ratio = Math.log(p[i]! / q[i]!);
    forth += p[i]! * ratio * step;
    back -= q[i]! * ratio * step;
  }
  forth /= unit;
  back /= unit;
  const similarity = common ? 2 ** -forth * 2 ** -back : 0;
  return { similarity, divergences: [forth, back], range, bandwidths: [bandwidths[0]!, bandwidths[1]!] };
}
