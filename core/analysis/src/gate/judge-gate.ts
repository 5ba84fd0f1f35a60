import type { Comparison, FamilyCorrection, Gate, Waiver, Warning } from '@deadheat/model';
import { adjustPValues } from '@deadheat/stats';
import { at } from '../internal/lists.ts';
import { correlatedP, familyCorrelated, familyCorrelation, type FamilyCorrelation } from './family-correlation.ts';

/** A comparison and what excuses it. */
export interface Gated {
  readonly comparison: Comparison;
  readonly waiver: Waiver | null;
}

/** Verdict of all comparisons together. */
interface GateInput {
  readonly judged: readonly Gated[];
  /** The strictest confidence of all comparisons counts for the family. */
  readonly correction: FamilyCorrection;
  /** Today, YYYY-MM-DD, UTC. */
  readonly today: string;
}

/** A gate, and what the reader has to know about it. */
export interface GateResult {
  readonly gate: Gate;
  readonly warnings: readonly Warning[];
}

function placeOf({ benchmark, params, method, verdict }: Comparison) {
  return { benchmark, params, method, verdict };
}

function strictest(comparisons: readonly Comparison[]): number {
  return 1 - Math.max(0.5, ...comparisons.map(({ interval }) => interval.level));
}

/** The p value that counts in a family: no smaller than what so many runs can show whatever the distribution of their ratios, and larger where runs correlate. */
function pInFamily(
  comparison: Comparison,
  against: 'slower' | 'faster' | 'gate',
  correlation: FamilyCorrelation | null,
): number {
  const { least, [against]: own } = comparison.pValues;
  return Math.max(least, correlation === null ? own : correlatedP(own, comparison, correlation));
}

/** A alone against itself, both directions; where the controls are many, Holm's correction over them. */
function judgeControl(controls: readonly Comparison[], correlation: FamilyCorrelation | null): Gate['control'] {
  if (controls.length === 0) return null;
  const level = strictest(controls);
  const p = controls.map((comparison) =>
    Math.min(
      1,
      2 * Math.min(pInFamily(comparison, 'slower', correlation), pInFamily(comparison, 'faster', correlation)),
    ),
  );
  const adjusted = adjustPValues(p, 'holm');
  const benchmarks = controls.map((comparison, index) => {
    const { verdict } = comparison;
    const isApart = verdict === 'slower' || verdict === 'faster';
    return {
      ...placeOf(comparison),
      p: at(p, index),
      adjustedP: at(adjusted, index),
      differs: isApart && (controls.length === 1 || at(adjusted, index) <= level),
    };
  });
  return { fired: benchmarks.some(({ differs }) => differs), level, benchmarks };
}

/**
 * Verdict of the comparisons of an experiment together. A benchmark counts as slower where its p value for a gate, which may be that of
 * both quantities, corrected for the family is at most half of 1 - confidence, so that the gate fails without any difference no more
 * often than one comparison would. Where the runs of all benchmarks together show that neighbours resemble each other, p values are those of wider intervals. A
 * waived benchmark stays in the family but fails nothing. When a control, A against itself, differs, or there is nothing to judge, the gate abstains.
 *
 * Source of the corrections: as `adjustPValues`.
 */
export function judgeGate({ judged, correction, today }: GateInput): GateResult {
  const tests = judged.filter(({ comparison }) => comparison.controlOf === undefined);
  const all = judged.map(({ comparison }) => comparison);
  const correlation = correction === 'none' ? null : familyCorrelation(all);
  const control = judgeControl(
    all.filter(({ controlOf }) => controlOf !== undefined),
    correlation,
  );
  const level = strictest(tests.map(({ comparison }) => comparison)) / 2;
  const p = tests.map(({ comparison }) => pInFamily(comparison, 'gate', correlation));
  const adjusted = adjustPValues(p, correction);
  const benchmarks = tests.map(({ comparison, waiver }, index) => ({
    ...placeOf(comparison),
    p: at(p, index),
    adjustedP: at(adjusted, index),
    slower: (tests.length === 1 || correction === 'none' ? comparison.pValues.gate : at(adjusted, index)) <= level,
    waiver: waiver !== null && today <= waiver.expires ? waiver : null,
  }));
  const isFailed = benchmarks.some(({ slower, waiver }) => slower && waiver === null);
  const reason = control?.fired === true ? 'control-fired' : tests.length === 0 ? 'nothing-judged' : null;
  const outcome = reason !== null ? 'abstained' : isFailed ? 'failed' : 'passed';
  return {
    gate: { outcome, ...(reason === null ? {} : { reason }), correction, level, benchmarks, control },
    warnings: [
      ...expired(tests, today),
      ...fired(control),
      ...(correlation === null ? [] : [familyCorrelated(correlation)]),
      ...fewRunsForFamily(
        tests.map(({ comparison }) => comparison),
        { correction, level },
      ),
    ],
  };
}

/**
 * FAMILY_NEEDS_RUNS: benchmarks that cannot count as slower, since the least p value of so few runs, corrected for the family, is above the level. The logarithm of
 * that value falls at least in proportion to the number of runs.
 */
function fewRunsForFamily(
  tests: readonly Comparison[],
  { correction, level }: { readonly correction: FamilyCorrection; readonly level: number },
): Warning[] {
  if (tests.length === 1 || correction === 'none') return [];
  const reachable = adjustPValues(
    tests.map(({ pValues }) => pValues.least),
    correction,
  );
  const few = tests.filter((_, index) => at(reachable, index) > level);
  if (few.length === 0) return [];
  const needed = Math.max(
    ...few.map(({ runs, pValues }) => Math.ceil((runs * Math.log(level / tests.length)) / Math.log(pValues.least))),
  );
  return [
    {
      code: 'FAMILY_NEEDS_RUNS',
      message:
        `${few.length} of ${tests.length} benchmarks cannot count as slower: corrected for ${tests.length} benchmarks, the p value of so few runs ` +
        `is above ${Number(level.toPrecision(2))} even where B is slower in all of them; give them ${needed} runs or more`,
    },
  ];
}

function expired(judged: readonly Gated[], today: string): Warning[] {
  const past = new Map(
    judged.flatMap(({ comparison, waiver }) =>
      waiver !== null && waiver.expires < today ? [[comparison.benchmark, waiver] as const] : [],
    ),
  );
  return Array.from(past, ([benchmark, { reason, expires }]) => ({
    code: 'WAIVER_EXPIRED',
    message: `${benchmark} was excused until ${expires} (${reason}) and counts again; mend it, or set a later day`,
  }));
}

function fired(control: Gate['control']): Warning[] {
  const names = [...new Set(control?.benchmarks.filter(({ differs }) => differs).map(({ benchmark }) => benchmark))];
  if (names.length === 0) return [];
  return [
    {
      code: 'CONTROL_FIRED',
      message:
        `A differs from itself in ${names.join(', ')}, so what was measured beside it is not to be trusted; ` +
        'look at what disturbs the machine and measure again',
    },
  ];
}
