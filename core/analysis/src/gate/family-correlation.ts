import { intervalFacts, type Comparison, type Warning } from '@deadheat/model';
import { normalQuantile, studentTQuantile, studentTSf } from '@deadheat/stats';
import { inflationBy, mostCorrelation } from '../interval/rank-location.ts';

/** One-sided level at which neighbouring runs of a family resemble each other. */
const level = 0.05;

/** Resemblance of neighbouring runs over the benchmarks of a family. */
export interface FamilyCorrelation {
  /** Correlation of successive ratios, in (0, 1). */
  readonly correlation: number;
  /** Variance of a mean of such ratios over that of independent ones, > 1. */
  readonly inflation: number;
}

/**
 * The correlation of neighbouring runs over all comparisons of one experiment: what few runs of one benchmark hide many benchmarks show. An
 * autocorrelation of n independent values has mean -1 / n and variance 1 / n; that of an AR(1) process is too small by (1 + 4 r) / n.
 *
 * @returns `null` where the comparisons show none, and with fewer than two that have one.
 * Source: F. Marriott, J. Pope, Biometrika 41 (1954), 390-402, for the bias.
 */
export function familyCorrelation(comparisons: readonly Comparison[]): FamilyCorrelation | null {
  const known = comparisons.flatMap(({ neighbourCorrelation: own, resampled }) =>
    own === null ? [] : [{ own, n: resampled.count }],
  );
  if (known.length < 2) return null;
  const values = known.reduce((sum, { n }) => sum + n, 0);
  const surplus = known.reduce((sum, { own, n }) => sum + n * own + 1, 0);
  if (surplus / Math.sqrt(values) < normalQuantile(1 - level)) return null;
  const unbiased = surplus / Math.max(1, values - 4 * known.length);
  const correlation = Math.min(mostCorrelation, unbiased);
  return { correlation, inflation: inflationBy(correlation) };
}

/**
 * A one-sided p value of a comparison, of an interval that is wider by the family's correlation. An interval that its own runs have widened
 * already is widened by half as much, on the log scale, and one of interim analyses, which is made for more correlation than shows, not at all: by
 * simulation (docs/decisions/0010-rank-estimates.md).
 */
export function correlatedP(
  p: number,
  { interval, resampled }: Pick<Comparison, 'interval' | 'resampled'>,
  { inflation }: FamilyCorrelation,
): number {
  const { familyWidening } = intervalFacts[interval.kind];
  if (p <= 0 || p >= 0.5 || familyWidening === 0) return p;
  const degrees = Math.max(1, resampled.count - 1);
  // The lower tail keeps what is left of a p value that 1 - p would lose.
  return studentTSf(-studentTQuantile(p, degrees) / inflation ** familyWidening, degrees);
}

/** The ends of a ratio, wider in the same way. */
export function widened(
  { low, high }: Comparison['bounds'],
  { interval }: Pick<Comparison, 'interval'>,
  { inflation }: FamilyCorrelation,
): Comparison['bounds'] {
  const { estimate, kind } = interval;
  const factor = inflation ** intervalFacts[kind].familyWidening;
  return {
    low: estimate * (low / estimate) ** factor,
    high: Math.min(estimate * (high / estimate) ** factor, Number.MAX_VALUE),
  };
}

/** RUNS_CORRELATED of a family. */
export function familyCorrelated({ correlation, inflation }: FamilyCorrelation): Warning {
  return {
    code: 'RUNS_CORRELATED',
    message:
      `ratios of neighbouring runs resemble each other over all benchmarks (a correlation of ${correlation.toFixed(2)}), so the gate took their p values ` +
      `as of intervals ${Math.sqrt(inflation).toFixed(1)} times as wide; something on the machine changes more slowly than runs follow each other: ` +
      'shuffle benchmarks among each other, or repeat the experiment later',
  };
}
