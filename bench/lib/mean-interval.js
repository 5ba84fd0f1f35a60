import { studentTQuantile } from '@deadheat/stats';

/** @param {number[]} values */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Mean of values, such as paired differences, with its 95 % interval by t.
 *
 * @param {number[]} values
 */
export function meanInterval(values) {
  const centre = mean(values);
  const variance = values.reduce((sum, one) => sum + (one - centre) ** 2, 0) / (values.length - 1);
  const half = studentTQuantile(0.975, values.length - 1) * Math.sqrt(variance / values.length);
  return { mean: centre, low: centre - half, high: centre + half };
}
