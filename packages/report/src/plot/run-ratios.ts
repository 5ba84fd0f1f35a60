import type { RunPoints } from '@deadheat/model';
import { geometricMean } from '@deadheat/stats';
import type { Series } from './thin-series.ts';

/** Where one run lies on the axis of all iterations, one after the other. */
export interface RunPlace {
  readonly points: RunPoints;
  /** Place of its first iteration, warm-up included. */
  readonly start: number;
  readonly warmup: number;
  /** Places that it takes, at least 1. */
  readonly length: number;
}

/** Ratios of the pairs of one run at their places; without pairs that of the run's means. */
export function ratiosOf({ points, start, warmup, length }: RunPlace): Series {
  const { A, B } = points.sides;
  const { a, b } = points.pairs;
  if (a.length === 0) {
    if (A.timesNs.length === 0 || B.timesNs.length === 0) return { x: new Float64Array(0), y: new Float64Array(0) };
    const y = Float64Array.of(geometricMean(B.timesNs) / geometricMean(A.timesNs));
    return { x: Float64Array.of(length === 1 ? start : start + length / 2), y };
  }
  const shift = length === 1 ? 0 : 0.5;
  const x = new Float64Array(a.length);
  const y = new Float64Array(a.length);
  for (let k = 0; k < a.length; k++) {
    x[k] = start + warmup + (a[k] ?? 0) + shift;
    y[k] = (B.timesNs[b[k] ?? 0] ?? Number.NaN) / (A.timesNs[a[k] ?? 0] ?? Number.NaN);
  }
  return { x, y };
}
