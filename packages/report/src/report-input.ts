import type { BenchmarkPoints, Comparison, Report } from '@deadheat/model';

/** What a report is drawn from. */
export interface ReportInput {
  readonly report: Report;
  /** What was measured; in any order. A comparison without points is told and not drawn. */
  readonly points: readonly BenchmarkPoints[];
}

/** The points that belong to a comparison; `null` where there are none. */
export function pointsFinder(points: readonly BenchmarkPoints[]): (comparison: Comparison) => BenchmarkPoints | null {
  const known = new Map(points.map((one) => [keyOf(one), one] as const));
  return (comparison) => known.get(keyOf(comparison)) ?? null;
}

function keyOf({ benchmark, params, method }: Pick<Comparison, 'benchmark' | 'params' | 'method'>): string {
  return JSON.stringify([benchmark, Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)), method]);
}
