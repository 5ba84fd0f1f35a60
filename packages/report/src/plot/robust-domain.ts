import { quantiles } from '@deadheat/stats';

/** The part of an axis that is drawn, and how many values lie outside of it. */
export interface RobustDomain {
  readonly low: number;
  readonly high: number;
  readonly outside: number;
}

/** How many times the middle 90 % an axis reaches beyond them before values are drawn at its edge. */
const reach = 3;

/**
 * An axis that holds all values, or, when a few lie so far off that the others would be squeezed into a line, all but those.
 *
 * @param include values that must lie on the axis, such as the ends of an interval
 */
export function robustDomain(values: Float64Array, include: readonly number[] = []): RobustDomain {
  if (values.length === 0) return { low: Math.min(0, ...include), high: Math.max(1, ...include), outside: 0 };
  const [least = 0, p5 = 0, p95 = 0, most = 0] = quantiles(values, [0, 0.05, 0.95, 1]);
  const width = p95 - p5 || Math.abs(p95) * 1e-3 || 1;
  const finite = include.filter((value) => Number.isFinite(value));
  const low = Math.min(Math.max(least, p5 - reach * width), ...finite);
  const high = Math.max(Math.min(most, p95 + reach * width), ...finite);
  const pad = (high - low || width) * 0.04;
  let outside = 0;
  for (const value of values) if (value < low || value > high) outside++;
  return { low: low - pad, high: high + pad, outside };
}
