import type { Comparison, FamilyCorrection, Gate, Waiver, Warning } from '@deadheat/model';
import { adjustPValues } from '@deadheat/stats';
import { at } from '../internal/lists.ts';

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

/** A alone against itself, both directions; where the controls are many, Holm's correction over them. */
function judgeControl(controls: readonly Comparison[]): Gate['control'] {
  if (controls.length === 0) return null;
  const level = strictest(controls);
  const p = controls.map(({ pValues }) => Math.min(1, 2 * Math.min(pValues.slower, pValues.faster)));
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
 * Verdict of the comparisons of an experiment together. A benchmark counts as slower where its own verdict says so and, with
 * more than one, its p value corrected for the family is at most half of 1 - confidence, so that the gate fails without any
 * difference no more often than one comparison would. A waived benchmark stays in the family but fails nothing. When a
 * control, A against itself, differs, or there is nothing to judge, the gate abstains.
 *
 * Source of the corrections: as `adjustPValues`.
 */
export function judgeGate({ judged, correction, today }: GateInput): GateResult {
  const tests = judged.filter(({ comparison }) => comparison.controlOf === undefined);
  const control = judgeControl(
    judged.map(({ comparison }) => comparison).filter(({ controlOf }) => controlOf !== undefined),
  );
  const level = strictest(tests.map(({ comparison }) => comparison)) / 2;
  const p = tests.map(({ comparison }) => comparison.pValues.slower);
  const adjusted = adjustPValues(p, correction);
  const benchmarks = tests.map(({ comparison, waiver }, index) => ({
    ...placeOf(comparison),
    p: at(p, index),
    adjustedP: at(adjusted, index),
    slower:
      comparison.verdict === 'slower' && (tests.length === 1 || correction === 'none' || at(adjusted, index) <= level),
    waiver: waiver !== null && today <= waiver.expires ? waiver : null,
  }));
  const isFailed = benchmarks.some(({ slower, waiver }) => slower && waiver === null);
  const reason = control?.fired === true ? 'control-fired' : tests.length === 0 ? 'nothing-judged' : null;
  const outcome = reason !== null ? 'abstained' : isFailed ? 'failed' : 'passed';
  return {
    gate: { outcome, ...(reason === null ? {} : { reason }), correction, level, benchmarks, control },
    warnings: [...expired(tests, today), ...fired(control)],
  };
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
