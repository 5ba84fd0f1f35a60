import type { BenchmarkPoints } from '@deadheat/model';
import { ratiosOf, type RunPlace } from './run-ratios.ts';
import type { Series } from './thin-series.ts';

/** One run at its place. */
export interface PlacedRun extends RunPlace {
  /** Of its pairs, at their places; without pairs that of the means. */
  readonly ratios: Series;
}

export interface RunLayout {
  readonly runs: readonly PlacedRun[];
  readonly length: number;
  /** Whether every run is a single iteration. */
  readonly single: boolean;
}

/** Lays runs side by side, each as long as its longer side. */
export function runLayout({ runs }: Pick<BenchmarkPoints, 'runs'>): RunLayout {
  const placed: PlacedRun[] = [];
  let start = 0;
  for (const points of runs) {
    const { A, B } = points.sides;
    const warmup = Math.max(A.warmupNs.length, B.warmupNs.length);
    const length = Math.max(1, warmup + Math.max(A.timesNs.length, B.timesNs.length));
    const place = { points, start, warmup, length };
    placed.push({ ...place, ratios: ratiosOf(place) });
    start += length;
  }
  return { runs: placed, length: Math.max(1, start), single: placed.every(({ length }) => length === 1) };
}
