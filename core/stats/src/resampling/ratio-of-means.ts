import { checkNumber, checkChoice, checkOpen, checkSample } from '../internal/checks.ts';
import { sum, mean, variance } from '../samples/moments.ts';
import { normalQuantile } from '../distributions/normal.ts';
import { studentTQuantile } from '../distributions/student-t.ts';

/** A mean and the half width of its confidence interval, same unit. */
interface MeanWithHalfWidth {
  readonly mean: number;
  readonly halfWidth: number;
}

/**
 * A confidence set for a ratio. 'interval': low..high. 'complement': everything but the open range low..high (the denominator
 * may be 0, so very large ratios of both signs are possible). 'all': every ratio is possible; low and high are -Infinity and Infinity.
 */
export interface RatioSet {
  readonly ratio: number;
  readonly kind: 'interval' | 'complement' | 'all';
  readonly low: number;
  readonly high: number;
}

/**
 * The ratios r with (n - r d)^2 <= q^2 (vn - 2 r c + r^2 vd), from the means n and d, q^2 times their variances, and q^2 times
 * their covariance. The roots of a quadratic, taken in the form that does not cancel.
 */
function ratioSet(n: number, d: number, vn: number, vd: number, c: number): RatioSet {
  const ratio = n / d;
  // a r^2 - 2 b r + k <= 0
  const a = d * d - vd;
  const b = n * d - c;
  const k = n * n - vn;
  const discriminant = b * b - a * k;
  if (a === 0 || discriminant < 0) return { ratio, kind: 'all', low: -Infinity, high: Infinity };
  const big = b + (b >= 0 ? 1 : -1) * Math.sqrt(discriminant);
  const roots = big === 0 ? [0, 0] : [big / a, k / big];
  const low = Math.min(roots[0]!, roots[1]!);
  const high = Math.max(roots[0]!, roots[1]!);
  return { ratio, kind: a > 0 ? 'interval' : 'complement', low, high };
}

/**
 * Kalibera and Jones' confidence set for a ratio of two independent means, numerator over denominator (new over old).
 *
 * @param numerator, denominator means with the half widths (>= 0) of their intervals, all at the level that the result has. For a
 *   hierarchy the half width is the t quantile with runs - 1 degrees of freedom times the standard error of the run means.
 * @returns the set of ratios; bounded only when the denominator's interval does not hold 0.
 * @throws RangeError for NaN or infinite numbers, a negative half width, a denominator with mean 0.
 *
 * Source: T. Kalibera, R. Jones, "Quantifying performance changes with effect size confidence intervals", technical report
 * 4-12, University of Kent (2012), section 7 (Fieller's theorem with independent means). O(1).
 */
export function ratioOfMeansSet(numerator: MeanWithHalfWidth, denominator: MeanWithHalfWidth): RatioSet {
  for (const [name, side] of Object.entries({ numerator, denominator })) {
    checkNumber(`${name}.mean`, side.mean);
    checkNumber(`${name}.halfWidth`, side.halfWidth, 0);
  }
  if (denominator.mean === 0) throw new RangeError('denominator.mean must not be 0');
  return ratioSet(numerator.mean, denominator.mean, numerator.halfWidth ** 2, denominator.halfWidth ** 2, 0);
}

/** Options of `fiellerSet`. */
interface FiellerOptions {
  /** Nominal level in (0, 1); default 0.95. */
  readonly level?: number;
  /**
   * 'welch' (default): independent, degrees of freedom by Satterthwaite for x - ratio y; 'pooled': independent, n1 + n2 - 2; 'paired':
   * value i of both belong together, n - 1, with their covariance; 'normal': independent, normal quantile.
   */
  readonly variant?: 'welch' | 'pooled' | 'paired' | 'normal';
}

/** A confidence set with its level and the degrees of freedom behind it. */
export interface FiellerSet extends RatioSet {
  readonly level: number;
  readonly df: number;
}

/**
 * Fieller's confidence set for mean(numerator) / mean(denominator).
 *
 * @param numerator, denominator at least two finite numbers each, same unit; as many for 'paired'.
 * @returns bounded ('interval') only when the denominator's mean differs from 0 at this level; else 'complement' or 'all', whose
 *   ends must not be read as an interval.
 * @throws RangeError for too few values, NaN or infinite values, unequal lengths when paired, a denominator with mean 0,
 *   another variant.
 *
 * Assumes independent values (or pairs) and about normal means. Source: E. C. Fieller, JRSS B 16 (1954). O(n).
 */
export function fiellerSet(
  numerator: ArrayLike<number>,
  denominator: ArrayLike<number>,
  options: FiellerOptions = {},
): FiellerSet {
  const { level = 0.95, variant = 'welch' } = options;
  checkSample('numerator', numerator, 2);
  checkSample('denominator', denominator, 2);
  checkOpen('level', level);
  checkChoice('variant', variant, ['welch', 'pooled', 'paired', 'normal']);
  const n1 = numerator.length;
  const n2 = denominator.length;
  const x = mean(numerator);
  const y = mean(denominator);
  if (y === 0) throw new RangeError('denominator must not have mean 0');
  const vx = variance(numerator) / n1;
  const vy = variance(denominator) / n2;
  let df: number;
  let covariance = 0;
  if (variant === 'normal') df = Infinity;
  else if (variant === 'pooled') df = n1 + n2 - 2;
  else if (variant === 'paired') {
    if (n1 !== n2) throw new RangeError(`denominator must have ${n1} values like numerator when paired, got ${n2}`);
    const products = Float64Array.from(numerator, (value, i) => (value - x) * (denominator[i]! - y));
    covariance = sum(products) / (n1 - 1) / n1;
    df = n1 - 1;
  } else {
    const a = vx;
    const b = (x / y) ** 2 * vy;
    const share = a + b === 0 ? 0.5 : a / (a + b);
    df = 1 / (share ** 2 / (n1 - 1) + (1 - share) ** 2 / (n2 - 1));
  }
  const q = df === Infinity ? -normalQuantile((1 - level) / 2) : -studentTQuantile((1 - level) / 2, df);
  const set = ratioSet(x, y, q * q * vx, q * q * vy, q * q * covariance);
  return { ...set, level, df };
}

/**
 * Replicates of a ratio of two independent statistics: numerator[i] / denominator[i], without unit.
 *
 * @param numerator replicates of B's statistic, finite.
 * @param denominator as many replicates of A's statistic from another stream, finite, not 0.
 * @throws RangeError for empty or unequal lengths, NaN or infinite values, a denominator of 0.
 *
 * The pairs are taken in the order of drawing. Sorting either side first would make the interval far too narrow. O(replicates).
 */
export function ratioReplicates(numerator: ArrayLike<number>, denominator: ArrayLike<number>): Float64Array {
  checkSample('numerator', numerator);
  checkSample('denominator', denominator);
  if (numerator.length !== denominator.length) {
    throw new RangeError(
      `denominator must have ${numerator.length} replicates like numerator, got ${denominator.length}`,
    );
  }
  return Float64Array.from(numerator, (value, i) => {
    if (denominator[i] === 0) throw new RangeError(`denominator[${i}] must not be 0`);
    return value / denominator[i]!;
  });
}
