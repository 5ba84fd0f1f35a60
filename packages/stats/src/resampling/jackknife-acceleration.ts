import { checkSample } from '../internal/check-sample.ts';
import { sum } from '../internal/sum.ts';

/**
 * Acceleration of the BCa interval from the jackknife: sum d^3 / (6 (sum d^2)^1.5), d the mean of the n statistics that leave
 * one value out minus each of them; without unit, 0 for a symmetric or constant sample.
 *
 * @param sample at least two finite numbers.
 * @param statistic default the mean, for which the jackknife has a closed form and costs O(n); else O(n (n + statistic)). It
 *   gets one buffer again and again and must not keep it.
 * @throws RangeError for fewer than two values, NaN or infinite values, a statistic that is not finite.
 * Source: Efron and Tibshirani (1993), equation 14.15.
 */
export const jackknifeAcceleration = (
  sample: ArrayLike<number>,
  statistic?: (resample: Float64Array) => number,
): number => {
  checkSample('sample', sample, 2);
  const values = Float64Array.from(sample);
  const n = values.length;
  const left = new Float64Array(n);
  if (statistic === undefined) {
    // Leaving x out moves the mean by (mean - x)/(n - 1): only the deviations matter, their scale cancels.
    const centre = sum(values) / n;
    for (let i = 0; i < n; i++) left[i] = centre - values[i]!;
  } else {
    const rest = new Float64Array(n - 1);
    for (let i = 0; i < n; i++) {
      rest.set(values.subarray(0, i));
      rest.set(values.subarray(i + 1), i);
      left[i] = statistic(rest);
      if (!Number.isFinite(left[i])) throw new RangeError(`statistic must return a finite number, got ${left[i]}`);
    }
  }
  const middle = sum(left) / n;
  let largest = 0;
  for (let i = 0; i < n; i++) {
    left[i] = middle - left[i]!;
    largest = Math.max(largest, Math.abs(left[i]!));
  }
  if (largest <= 1e-15 * Math.abs(values[0]!)) return 0;
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i < n; i++) {
    const d = left[i]! / largest;
    squares += d * d;
    cubes += d * d * d;
  }
  return cubes / (6 * squares ** 1.5);
};
