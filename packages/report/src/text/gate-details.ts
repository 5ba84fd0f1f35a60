import type { FamilyCorrection, Gate } from '@deadheat/model';
import { benchmarkName } from './benchmark-name.ts';
import type { Detail } from './detail.ts';
import { formatChosenShare } from './format-percent.ts';
import { printable } from './printable.ts';

type Gated = Gate['benchmarks'][number];

/** What the comparisons say together; nothing for a single one without control and waiver. */
export function gateDetails(gate: Gate): readonly Detail[] {
  const { benchmarks, control } = gate;
  const isAlone = benchmarks.length <= 1 && control === null && benchmarks.every(({ waiver }) => waiver === null);
  if (isAlone || benchmarks.length === 0) return [];
  return [
    { label: 'together', text: sentence(gate) },
    ...benchmarks
      .filter(({ slower, waiver }) => slower && waiver !== null)
      .map((one) => ({ label: 'waived', text: waivedText(one) })),
    ...benchmarks
      .filter(({ verdict, slower }) => verdict === 'slower' && !slower)
      .map((one) => ({ label: 'not counted', text: notCountedText(one, gate.level) })),
    ...(control === null ? [] : [{ label: 'control', text: controlText(control) }]),
  ];
}

/** What was found over all benchmarks, and at which level. */
export function sentence(gate: Gate): string {
  const { outcome, benchmarks, correction, level } = gate;
  if (outcome === 'abstained')
    return 'no decision: A differs from itself, so nothing that was measured beside it counts';
  const failing = benchmarks.filter(({ slower, waiver }) => slower && waiver === null);
  const count = benchmarks.length;
  if (count === 1) return failing.length === 1 ? `${named(failing)} is slower` : 'nothing is slower';
  const what =
    failing.length === 0 ? `none of ${count} is slower` : `${failing.length} of ${count} slower: ${named(failing)}`;
  return `${what} (${promise[correction]} ${formatChosenShare(level)})`;
}

/** More names than this are counted. */
const mostNamed = 5;

function named(many: readonly Pick<Gated, 'benchmark' | 'params' | 'method'>[]): string {
  const names = many
    .slice(0, mostNamed)
    .map((one) => benchmarkName(one))
    .join(', ');
  return many.length > mostNamed ? `${names} and ${many.length - mostNamed} more` : names;
}

const promise: Readonly<Record<FamilyCorrection, string>> = {
  holm: 'Holm: any false alarm in at most',
  'benjamini-hochberg': 'Benjamini and Hochberg: expected share of false alarms at most',
  none: 'uncorrected: a false alarm of each in at most',
};

/** Why a slower benchmark fails nothing. */
export function waivedText(one: Gated): string {
  const { waiver } = one;
  return `${benchmarkName(one)}: slower, excused until ${waiver?.expires}: ${printable(waiver?.reason ?? '')}`;
}

/** Why a benchmark that is slower by itself does not count among the others. */
export function notCountedText(one: Gated, level: number): string {
  const shown = (p: number): string => (p < 1e-4 ? p.toExponential(1) : p.toPrecision(2));
  return `${benchmarkName(one)}: slower by itself, not among so many: corrected p ${shown(one.adjustedP)}, counts up to ${shown(level)}`;
}

/** Whether A differs from itself. */
export function controlText({ fired, benchmarks }: NonNullable<Gate['control']>): string {
  const differing = benchmarks.filter(({ differs }) => differs);
  if (fired) return `A differs from itself: ${named(differing)}`;
  const count = benchmarks.length;
  return `A does not differ from itself${count === 1 ? '' : ` in any of ${count} comparisons`}`;
}
