import type { IterationColumns, Quantity, Side, WarmupRule } from '@deadheat/model';
import { mean, variance } from '@deadheat/stats';
import { measuredIterations } from '../columns/measured-runs.ts';
import { welchInterval } from '../interval/sequential-ratio-interval.ts';

/** The values of a quantity on both sides. */
export interface QuantityValues extends Pick<Quantity, 'name' | 'unit'> {
  /** One value a run, or of a single run one an iteration; at least one. */
  readonly values: Readonly<Record<Side, readonly number[]>>;
}

/** Relative difference of the means within which a quantity is the same, where no larger margin is asked for. */
const sameWithin = 0.01;

/** Variance of rounding to whole numbers, which equal integers do not show: uniform over one unit. */
const varianceOfRounding = 1 / 12;

/**
 * The values of a column of iterations without their warm-up: means of runs, of a single run its iterations. Rows without the
 * column are left out.
 */
export function quantityValues(
  runs: readonly IterationColumns[],
  { key, warmup }: { readonly key: string; readonly warmup: WarmupRule },
): readonly number[] {
  const byRun = runs
    .map((run) => Array.from(measuredIterations(run, warmup).metric(key) ?? []).filter(Number.isFinite))
    .filter((values) => values.length > 0);
  const [first] = byRun;
  return byRun.length === 1 && first !== undefined ? first : byRun.map((values) => mean(values));
}

/**
 * Compares the means of a quantity that is no time: Welch's t interval of the ratio on the log scale by the delta method, of the
 * difference where a mean is 0 or below. Equal whole numbers have the scatter of rounding, so that two runs alone do not prove a
 * difference of one allocation.
 */
export function compareQuantity(
  { name, unit, values: { A, B } }: QuantityValues,
  { confidence, margin }: { readonly confidence: number; readonly margin: number },
): Quantity {
  const [meanA, meanB] = [mean(A), mean(B)];
  const sides = { A: { mean: meanA, samples: A.length }, B: { mean: meanB, samples: B.length } };
  const hasRatio = meanA > 0 && meanB > 0;
  const known = Math.min(A.length, B.length) >= 2;
  const isAllEqual = known && [...A, ...B].every((value) => value === A[0]);
  const isWhole = [...A, ...B].every(Number.isInteger);
  const errors = [A, B].map((side) => ({
    squaredError: known ? Math.max(variance(side), isWhole ? varianceOfRounding : 0) / side.length : 0,
    n: side.length,
  }));
  if (!hasRatio) {
    const { low, high } = known
      ? welchInterval(meanB - meanA, { parts: errors, confidence })
      : { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
    const verdict = isAllEqual ? 'same' : low > 0 ? 'more' : high < 0 ? 'less' : 'undecided';
    return { name, unit, ...sides, ratio: null, verdict };
  }
  const estimate = meanB / meanA;
  const parts = errors.map(({ squaredError, n }, side) => ({
    squaredError: squaredError / (side === 0 ? meanA : meanB) ** 2,
    n,
  }));
  const log = welchInterval(Math.log(estimate), { parts, confidence });
  const { low, high } = isAllEqual
    ? { low: 1, high: 1 }
    : known
      ? { low: Math.exp(log.low), high: Math.min(Math.exp(log.high), Number.MAX_VALUE) }
      : { low: 0, high: Number.MAX_VALUE };
  return {
    name,
    unit,
    ...sides,
    ratio: { estimate, low, high, level: confidence },
    verdict: quantityVerdict({ low, high }, margin),
  };
}

function quantityVerdict(
  { low, high }: { readonly low: number; readonly high: number },
  margin: number,
): Quantity['verdict'] {
  const most = 1 + Math.max(margin, sameWithin);
  if (low >= 1 / most && high <= most) return 'same';
  if (low > 1 + margin) return 'more';
  return high < 1 / (1 + margin) ? 'less' : 'undecided';
}
