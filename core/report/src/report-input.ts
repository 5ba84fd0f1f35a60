import type { BenchmarkPoints, Comparison, Explanation, Report, Verdict } from '@deadheat/model';

/** A report with the measured points from which it is drawn. */
export interface ReportInput {
  readonly report: Report;
  /** The measured points, in any order. A comparison without points has text and no figures. */
  readonly points: readonly BenchmarkPoints[];
  /** `true` = a gate was asked for. */
  readonly isGated?: boolean;
  /** The functions behind the difference of a benchmark; absent or `null` = it was not explained. */
  readonly explanation?: Explanation | null;
}

/** The points that belong to a comparison; `null` where there are none. */
export function pointsFinder(points: readonly BenchmarkPoints[]): (comparison: Comparison) => BenchmarkPoints | null {
  const known = new Map(points.map((one) => [comparisonKey(one), one] as const));
  return (comparison) => known.get(comparisonKey(comparison)) ?? null;
}

/** A text that is the same for the same benchmark, parameters and method. */
export function comparisonKey({
  benchmark,
  params,
  method,
}: Pick<Comparison, 'benchmark' | 'params' | 'method'>): string {
  return JSON.stringify([benchmark, Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)), method]);
}

/** Comparisons that are not controls, in their order. */
export function testedOf(comparisons: readonly Comparison[]): readonly Comparison[] {
  return comparisons.filter(({ controlOf }) => controlOf === undefined);
}

/** Controls, which compare A with itself, in their order. */
export function controlsOf(comparisons: readonly Comparison[]): readonly Comparison[] {
  return comparisons.filter(({ controlOf }) => controlOf !== undefined);
}

/** The verdicts in the order of their urgency. */
export const verdictOrder: readonly Verdict[] = ['slower', 'undecided', 'faster', 'dead-heat'];

/** The verdicts that comparisons have, in the order of their urgency, and of how many. */
export function countVerdicts(
  comparisons: readonly Pick<Comparison, 'verdict'>[],
): readonly (readonly [Verdict, number])[] {
  return verdictOrder
    .map((verdict) => [verdict, comparisons.filter((one) => one.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0);
}

/** Comparisons with the worst first: by verdict, then the largest ratio. */
export function worstFirst(comparisons: readonly Comparison[]): readonly Comparison[] {
  function rank({ verdict }: Comparison): number {
    return verdictOrder.indexOf(verdict);
  }

  return comparisons.toSorted(
    (one, other) => rank(one) - rank(other) || other.interval.estimate - one.interval.estimate,
  );
}
