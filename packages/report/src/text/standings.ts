import type { Comparison, Report, Waiver } from '@deadheat/model';

/** What a comparison is to the gate. */
export type Standing =
  /** Slower, and it fails the gate. */
  | { readonly kind: 'counts' }
  /** Slower, and excused for a while. */
  | { readonly kind: 'waived'; readonly waiver: Waiver }
  /** Slower by itself, not after the correction for the family. */
  | { readonly kind: 'not-counted'; readonly adjustedP: number; readonly level: number }
  /** A against itself. */
  | { readonly kind: 'control'; readonly differs: boolean }
  /** Not slower. */
  | { readonly kind: 'passes' };

/** What the gate says of each comparison of a report. */
export function standings({
  comparisons,
  gate,
}: Pick<Report, 'comparisons' | 'gate'>): ReadonlyMap<Comparison, Standing> {
  const gated = new Map(gate.benchmarks.map((one) => [keyOf(one), one] as const));
  const controls = new Map(gate.control?.benchmarks.map((one) => [keyOf(one), one] as const));
  return new Map(
    comparisons.map((comparison) => {
      if (comparison.controlOf !== undefined) {
        return [comparison, { kind: 'control', differs: controls.get(keyOf(comparison))?.differs ?? false }];
      }
      return [comparison, standingOf(comparison, { found: gated.get(keyOf(comparison)), level: gate.level })];
    }),
  );
}

function standingOf(
  { verdict }: Comparison,
  { found, level }: { readonly found: Report['gate']['benchmarks'][number] | undefined; readonly level: number },
): Standing {
  if (verdict !== 'slower' || found === undefined) return { kind: 'passes' };
  if (!found.slower) return { kind: 'not-counted', adjustedP: found.adjustedP, level };
  return found.waiver === null ? { kind: 'counts' } : { kind: 'waived', waiver: found.waiver };
}

function keyOf({ benchmark, params, method }: Pick<Comparison, 'benchmark' | 'params' | 'method'>): string {
  return JSON.stringify([benchmark, Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)), method]);
}
