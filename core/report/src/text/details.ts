import { missedBy } from '@deadheat/analysis';
import type { Comparison, FamilyCorrection, Gate, HostEffects, Report, Waiver } from '@deadheat/model';
import { comparisonKey } from '../report-input.ts';
import {
  chooseTimeUnit,
  countOf,
  formatChosenShare,
  formatInterval,
  formatRatio,
  formatShare,
  formatTime,
} from './numbers.ts';
import { benchmarkName, methodNamer, nameOf, printable } from './printable.ts';
import { endless } from './verdict-sentence.ts';

/** A named fact below a verdict. */
export interface Detail {
  readonly label: string;
  readonly text: string;
}

/** A fact that there may be; `null` = there is not. */
export type Fact = readonly [label: string, text: string | null];

/** The facts that there are. */
export function present(facts: readonly Fact[]): readonly Detail[] {
  return facts.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
}

/** Largest number of machines in the text; the page and the JSON result have all of them. */
const mostHosts = 16;

/** The ratio and the times on each machine. */
export function eachHostDetails({ hosts }: Comparison): readonly Detail[] {
  if (hosts === undefined) return [];
  const shown = hosts.each.slice(0, mostHosts);
  const left = hosts.each.length - shown.length;
  return present([
    ...hostRows({ each: shown }).map(({ host, ratio, interval, runs, A }): Fact => {
      return ['host', `${host}: ${ratio} ${interval}, ${countOf(runs, 'run')}, A ${A}`];
    }),
    ['host', left === 0 ? null : `and ${countOf(left, 'more host')}`],
  ]);
}

/** A machine of a comparison as texts. */
interface HostRow {
  readonly host: string;
  readonly runs: number;
  readonly ratio: string;
  readonly interval: string;
  /** Mean times. */
  readonly A: string;
  readonly B: string;
}

/** Every machine with its ratio and times, in one unit. */
export function hostRows({ each }: Pick<HostEffects, 'each'>): readonly HostRow[] {
  const unit = chooseTimeUnit(Math.max(...each.map(({ meanNs }) => Math.max(meanNs.A, meanNs.B))) / 1e9);
  return each.map(({ id, runs, ratio, meanNs }) => {
    const { estimate, low, high } = formatInterval(ratio);
    return {
      host: printable(id),
      runs,
      ratio: estimate,
      interval: ratio.low > 0 ? `[${low} … ${high}]` : '(too few runs for an interval)',
      A: formatTime(meanNs.A / 1e9, unit),
      B: formatTime(meanNs.B / 1e9, unit),
    };
  });
}

/** Differences between the machines or layouts, and those for which the interval holds. */
export function spreadText({ each, between, within, timesBetween, pooledOver }: HostEffects): string {
  const scatter = within === null ? '' : `, between runs of one by ${formatShare(within)}`;
  const holds =
    pooledOver === 'runs' ? 'the interval is over runs, for these machines only' : `the interval is over ${pooledOver}`;
  return (
    `${countOf(each.length, pooledOver === 'layouts' ? 'layout' : 'host')}; B / A differs between them by ${formatShare(between)} (SD)${scatter}; the time of A ` +
    `differs between them by ${formatShare(timesBetween)}; ${holds}`
  );
}

/** The result of the machines that confirm. */
export function confirmationText({ hosts, runs, ratio, verdict }: NonNullable<Comparison['confirmation']>): string {
  const where = `${countOf(hosts.length, 'other host')}, ${countOf(runs, 'run')}`;
  if (ratio === null || verdict === null) return `not: ${where}, too few for a comparison`;
  return `${verdict === 'slower' ? 'yes' : 'not'}: ${formatRatio(ratio)}, ${formatChosenShare(ratio.level)} CI, ${where}`;
}

/** Place of a comparison in the gate. */
export type Standing =
  /** It differs, and fails the gate. */
  | { readonly kind: 'counts'; readonly verdict: Comparison['verdict'] }
  /** It differs, and is waived for a while. */
  | { readonly kind: 'waived'; readonly waiver: Waiver }
  /** Neither a difference nor its absence was shown. */
  | { readonly kind: 'not-measured' | 'let-pass'; readonly found: Gated }
  /** Slower by itself, not after the correction for the family. */
  | { readonly kind: 'not-counted'; readonly found: Gated }
  /** A against itself. */
  | { readonly kind: 'control'; readonly differs: boolean }
  /** Not slower. */
  | { readonly kind: 'passes' };

/** Place of each comparison of a report in the gate. */
export function standings({
  comparisons,
  gate,
}: Pick<Report, 'comparisons' | 'gate'>): ReadonlyMap<Comparison, Standing> {
  const gated = byKey(gate.benchmarks);
  const controls = byKey(gate.control?.benchmarks ?? []);
  return new Map(
    comparisons.map((comparison) => {
      if (comparison.controlOf !== undefined) {
        return [
          comparison,
          { kind: 'control', differs: controls.get(comparisonKey(comparison))?.shift()?.differs ?? false },
        ];
      }
      return [comparison, standingOf(comparison, gated.get(comparisonKey(comparison))?.shift())];
    }),
  );
}

/** The note behind a verdict that the gate waives or does not count; `null` for any other. */
export function standingNote(standing: Standing | undefined): string | null {
  if (standing?.kind === 'waived') return `waived until ${standing.waiver.expires}`;
  if (standing?.kind === 'counts' && standing.verdict === 'undecided') return 'fails the gate';
  return standing?.kind === 'not-counted' ? 'not counted' : null;
}

/** The note behind a verdict that is open for another reason than the width of its interval; `null` for any other. */
export function openNote({ verdict, warnings, opposition }: Comparison): string | null {
  const isSlowAtTimes = opposition !== null || warnings.some(({ code }) => code === 'SLOW_NOW_AND_THEN');
  return verdict === 'undecided' && isSlowAtTimes ? 'slow runs' : null;
}

/** The comparisons whose verdict counts as it stands, and how many are slower by themselves and do not count among the others. */
export function countedOf(
  comparisons: readonly Comparison[],
  standing: ReadonlyMap<Comparison, Standing>,
): { readonly counted: readonly Comparison[]; readonly left: number } {
  const counted = comparisons.filter((one) => standing.get(one)?.kind !== 'not-counted');
  return { counted, left: comparisons.length - counted.length };
}

function standingOf({ verdict }: Comparison, found: Gated | undefined): Standing {
  switch (found?.outcome) {
    case 'failed':
      return { kind: 'counts', verdict };
    case 'waived':
      return found.waiver === null ? { kind: 'passes' } : { kind: 'waived', waiver: found.waiver };
    case 'not-measured':
    case 'let-pass':
      return { kind: verdict === 'slower' && !found.slower ? 'not-counted' : found.outcome, found };
    default:
      return found !== undefined && verdict === 'slower' && !found.slower
        ? { kind: 'not-counted', found }
        : { kind: 'passes' };
  }
}

/** Comparisons of the same name, which files of other tools may hold, keep their order in each list. */
function byKey<One extends Parameters<typeof comparisonKey>[0]>(many: readonly One[]): ReadonlyMap<string, One[]> {
  const lists = new Map<string, One[]>();
  for (const one of many) lists.set(comparisonKey(one), [...(lists.get(comparisonKey(one)) ?? []), one]);
  return lists;
}

type Gated = Gate['benchmarks'][number];

/**
 * Details on all comparisons together; empty for a single one without control and waiver.
 *
 * @param view.isGated `true` = a gate was asked for, so that its outcome comes first
 */
export function gateDetails(gate: Gate, { isGated = false }: { readonly isGated?: boolean } = {}): readonly Detail[] {
  const { benchmarks, control, outcome } = gate;
  const isAlone =
    benchmarks.length <= 1 &&
    control === null &&
    benchmarks.every(({ waiver, verdict, slower }) => waiver === null && slower === (verdict === 'slower'));
  if (isAlone || benchmarks.length === 0) return [];
  const all = isGated
    ? { label: 'gate', text: `${outcome.replace('-', ' ')}: ${sentence(gate)}` }
    : { label: 'together', text: sentence(gate) };
  return [all, ...exceptionsOf(gate)];
}

/** The slower benchmarks that do not fail the gate, and A against itself. */
export function exceptionsOf({ benchmarks, control, level }: Gate): readonly Detail[] {
  return present([
    ...benchmarks
      .filter(({ outcome, slower, faster }) => outcome === 'waived' && (slower || faster))
      .map((one): Fact => ['waived', waivedText(one)]),
    ...benchmarks
      .filter(({ verdict, slower }) => verdict === 'slower' && !slower)
      .map((one): Fact => ['not counted', notCountedText(one, level)]),
    ['control', control && controlText(control)],
  ]);
}

/** The result over all benchmarks, with its level. */
export function sentence(gate: Gate): string {
  const { outcome, reason, benchmarks, correction, level } = gate;
  if (reason === 'nothing-judged') return 'no decision: no benchmark was compared';
  if (outcome === 'abstained')
    return 'no decision: A differs from itself, so nothing that was measured beside it counts';
  const failing = benchmarks.filter(({ outcome: one }) => one === 'failed');
  const open = benchmarks.filter(({ outcome: one }) => isOpen(one));
  const count = benchmarks.length;
  const { one, many } = differenceWords[gate.against];
  if (count === 1) {
    if (failing.length === 1) return `${named(failing)} ${one}`;
    return open.length === 0 ? `nothing ${one}` : `${named(open)} ${missedShare(open[0] as Gated, gate.against)}`;
  }
  const found =
    failing.length === 0
      ? `none of ${count} ${open.length === 0 ? one : `was found ${many}`}`
      : `${failing.length} of ${count} ${many}: ${named(failing, benchmarks)}`;
  const unknown =
    open.length === 0 ? '' : `; ${open.length}${failing.length === 0 ? '' : ' more'} may be, beyond the margin`;
  return `${found}${unknown} (${promise[correction]} ${formatChosenShare(level)})`;
}

const differenceWords: Readonly<Record<Gate['against'], { readonly one: string; readonly many: string }>> = {
  slower: { one: 'is slower', many: 'slower' },
  faster: { one: 'is faster', many: 'faster' },
  changed: { one: 'has changed', many: 'changed' },
};

function isOpen(outcome: Gated['outcome']): boolean {
  return outcome === 'not-measured' || outcome === 'let-pass';
}

/** The benchmarks that a gate could not judge, with the difference that each may have. */
export function openOf({ benchmarks, against }: Gate): readonly Detail[] {
  return benchmarks
    .filter(({ outcome, verdict, slower }) => isOpen(outcome) && !(verdict === 'slower' && !slower))
    .map((one) => ({
      label: one.outcome === 'let-pass' ? 'not measured, let pass' : 'not measured',
      text: `${benchmarkName(one)} ${missedShare(one, against)}`,
    }));
}

/** The difference that a gate may have missed: `up to 3.1 % slower`. */
export function missedShare({ excluded }: Pick<Gated, 'excluded'>, against: Gate['against']): string {
  const missed = missedBy(excluded, against);
  const word = against === 'changed' ? 'changed' : against;
  return missed >= endless ? `may be ${word} by anything` : `may be up to ${formatShare(missed)} ${word}`;
}

/** Largest number of names in the text; further ones are counted. */
const mostNamed = 5;

function named(
  many: readonly Pick<Gated, 'benchmark' | 'params' | 'method'>[],
  among: readonly Pick<Gated, 'method'>[] = many,
): string {
  const methodOf = methodNamer(among);
  const names = many
    .slice(0, mostNamed)
    .map((one) => (methodOf(one) === '' ? benchmarkName(one) : `${nameOf(one)} (${one.method})`))
    .join(', ');
  return many.length > mostNamed ? `${names} and ${many.length - mostNamed} more` : names;
}

const promise: Readonly<Record<FamilyCorrection, string>> = {
  holm: 'Holm: any false alarm in at most',
  'benjamini-hochberg': 'Benjamini and Hochberg: expected share of false alarms at most',
  none: 'uncorrected: a false alarm of each in at most',
};

/** Why a slower benchmark does not fail the gate. */
function waivedText(one: Gated): string {
  const { waiver } = one;
  return `${benchmarkName(one)}: ${one.slower ? 'slower' : 'faster'}, excused until ${waiver?.expires}: ${printable(waiver?.reason ?? '')}`;
}

/** Why a benchmark that is slower by itself does not count among the others. */
function notCountedText(one: Gated, level: number): string {
  function shown(p: number): string {
    return p < 1e-4 ? p.toExponential(1) : p.toPrecision(2);
  }

  return `${benchmarkName(one)}: slower by itself, not among so many: corrected p ${shown(one.adjustedP)}, counts up to ${shown(level)}`;
}

/** A sentence about A against itself. */
function controlText({ fired, benchmarks }: NonNullable<Gate['control']>): string {
  const differing = benchmarks.filter(({ differs }) => differs);
  if (fired) return `A differs from itself: ${named(differing)}`;
  const count = benchmarks.length;
  return `A does not differ from itself${count === 1 ? '' : ` in any of ${count} comparisons`}`;
}
