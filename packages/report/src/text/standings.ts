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
  const gated = byKey(gate.benchmarks);
  const controls = byKey(gate.control?.benchmarks ?? []);
  return new Map(
    comparisons.map((comparison) => {
      if (comparison.controlOf !== undefined) {
        return [comparison, { kind: 'control', differs: controls.get(keyOf(comparison))?.shift()?.differs ?? false }];
      }
      return [comparison, standingOf(comparison, { found: gated.get(keyOf(comparison))?.shift(), level: gate.level })];
    }),
  );
}

/** What stands behind the word of a verdict that the gate does not count as it stands; `null` where it does. */
export function standingNote(standing: Standing | undefined): string | null {
  if (standing?.kind === 'waived') return `waived until ${standing.waiver.expires}`;
  return standing?.kind === 'not-counted' ? 'not counted' : null;
}

function standingOf(
  { verdict }: Comparison,
  { found, level }: { readonly found: Report['gate']['benchmarks'][number] | undefined; readonly level: number },
): Standing {
  if (verdict !== 'slower' || found === undefined) return { kind: 'passes' };
  if (!found.slower) return { kind: 'not-counted', adjustedP: found.adjustedP, level };
  return found.waiver === null ? { kind: 'counts' } : { kind: 'waived', waiver: found.waiver };
}

/** Of comparisons that have the same name, which files of other tools may hold, the first stands first in each list. */
function byKey<One extends Parameters<typeof keyOf>[0]>(many: readonly One[]): ReadonlyMap<string, One[]> {
  const lists = new Map<string, One[]>();
  for (const one of many) lists.set(keyOf(one), [...(lists.get(keyOf(one)) ?? []), one]);
  return lists;
}

function keyOf({ benchmark, params, method }: Pick<Comparison, 'benchmark' | 'params' | 'method'>): string {
  return JSON.stringify([benchmark, Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)), method]);
}
