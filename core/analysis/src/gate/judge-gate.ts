import {
  type Benchmark,
  type Comparison,
  type ExperimentConfig,
  type FamilyCorrection,
  type Gate,
  type GatedDifference,
  type UndecidedPolicy,
  type Waiver,
  type Warning,
} from '@deadheat/model';
import { adjustPValues } from '@deadheat/stats';
import { at } from '../internal/lists.ts';
import { deadHeatBound } from '../verdict/decide-verdict.ts';
import {
  correlatedP,
  familyCorrelated,
  familyCorrelation,
  widened,
  type FamilyCorrelation,
} from './family-correlation.ts';

/** A comparison and what excuses it. */
export interface Gated {
  readonly comparison: Comparison;
  readonly waiver: Waiver | null;
}

/** A planned benchmark that too few runs leave without a comparison. */
export interface Unmeasured {
  readonly benchmark: Pick<Benchmark, 'name' | 'params' | 'waiver' | 'controlOf'>;
  readonly config: Pick<ExperimentConfig, 'method' | 'margin'>;
}

/** Verdict of all comparisons together. */
interface GateInput {
  readonly judged: readonly Gated[];
  /** Absent = none. */
  readonly unmeasured?: readonly Unmeasured[];
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

/** True if the difference may be one of layout alone. */
export function isSuspected({ warnings }: Pick<Comparison, 'warnings'>): boolean {
  return warnings.some(({ code }) => code === 'LAYOUT_SUSPECTED');
}

function placeOf({ benchmark, params, method, verdict }: Comparison) {
  return { benchmark, params, method, verdict };
}

function strictest(comparisons: readonly Comparison[]): number {
  return 1 - Math.max(0.5, ...comparisons.map(({ interval }) => interval.level));
}

/** The p value that counts in a family: no smaller than what so many runs can show whatever the distribution of their ratios, and larger where runs correlate. */
function pInFamily(own: number, comparison: Comparison, correlation: FamilyCorrelation | null): number {
  return Math.max(comparison.pValues.least, correlation === null ? own : correlatedP(own, comparison, correlation));
}

/** The slowdown and the speedup of B that its comparison leaves possible, as of `Gate.benchmarks.excluded`. */
function excludedBy(
  comparison: Comparison,
  correlation: FamilyCorrelation | null,
): Gate['benchmarks'][number]['excluded'] {
  const { bounds } = comparison;
  const { low, high } = correlation === null ? bounds : widened(bounds, comparison, correlation);
  return { slower: Math.max(0, high - 1), faster: low > 0 ? Math.max(0, 1 / low - 1) : Number.MAX_VALUE };
}

/** A alone against itself, both directions; where the controls are many, Holm's correction over them. */
function judgeControl(controls: readonly Comparison[], correlation: FamilyCorrelation | null): Gate['control'] {
  if (controls.length === 0) return null;
  const level = strictest(controls);
  const p = controls.map((comparison) =>
    Math.min(1, 2 * pInFamily(Math.min(comparison.pValues.slower, comparison.pValues.faster), comparison, correlation)),
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

/** The difference that a gate is against, and its policy for benchmarks that were not measured well enough. */
export interface GatePolicy {
  readonly against: GatedDifference;
  readonly undecided: UndecidedPolicy;
  /** `true` = a difference that may be one of layout alone is let pass; absent = it counts. */
  readonly layoutProof?: boolean;
}

/** A benchmark's part in a gate. */
function outcomeOf(
  { slower, faster, waiver, excluded, bound, layoutSuspected }: Gate['benchmarks'][number],
  { against, undecided, layoutProof = false }: GatePolicy,
): Gate['benchmarks'][number]['outcome'] {
  const differs = { slower, faster, changed: slower || faster }[against];
  if (differs && layoutProof && layoutSuspected === true) return 'let-pass';
  if (differs) return waiver === null ? 'failed' : 'waived';
  const missed = missedBy(excluded, against);
  if (missed <= bound) return 'passed';
  if (waiver !== null) return 'waived';
  return undecided === 'pass' || (undecided !== 'fail' && missed <= undecided) ? 'let-pass' : 'not-measured';
}

/** A waiver that still counts today. */
function inForce(waiver: Waiver | null, today: string): Waiver | null {
  return waiver !== null && today <= waiver.expires ? waiver : null;
}

/** The largest difference of the kind that a gate is against which a benchmark does not exclude, relative. */
export function missedBy(excluded: Gate['benchmarks'][number]['excluded'], against: GatedDifference): number {
  return against === 'changed' ? Math.max(excluded.slower, excluded.faster) : excluded[against];
}

/**
 * A gate by another policy, of the same comparisons. It passes where every benchmark excludes a difference beyond its bound, or is let pass by the policy; a
 * benchmark of which neither a difference nor its absence was shown makes it `not-measured`. A gate that abstains does so by any policy.
 */
export function decideGate(gate: Gate, policy: GatePolicy): Gate {
  const benchmarks = gate.benchmarks.map((one) => ({ ...one, outcome: outcomeOf(one, policy) }));
  const found = new Set<Gate['outcome'] | Gate['benchmarks'][number]['outcome']>([
    ...benchmarks.map(({ outcome }) => outcome),
    ...(gate.outcome === 'abstained' ? [gate.outcome] : []),
  ]);
  const outcome = (['abstained', 'failed', 'not-measured'] as const).find((one) => found.has(one)) ?? 'passed';
  return { ...gate, against: policy.against, outcome, benchmarks };
}

/**
 * Verdict of the comparisons of an experiment together. A benchmark counts as slower where its p value for a gate, which may be that of
 * both quantities, corrected for the family is at most half of 1 - confidence, so that the gate fails without any difference no more
 * often than one comparison would; as faster in the same way. What passes is not corrected: each benchmark by itself has to exclude a slowdown. Where the runs of all benchmarks together show that neighbours resemble each other, p values are those of wider intervals. A
 * waived benchmark stays in the family but fails nothing. When a control, A against itself, differs, or there is nothing to judge, the gate abstains.
 *
 * Source of the corrections: as `adjustPValues`.
 */
export function judgeGate({ judged, unmeasured = [], correction, today }: GateInput): GateResult {
  const tests = judged.filter(({ comparison }) => comparison.controlOf === undefined);
  const all = judged.map(({ comparison }) => comparison);
  const correlation = correction === 'none' ? null : familyCorrelation(all);
  const control = judgeControl(
    all.filter(({ controlOf }) => controlOf !== undefined),
    correlation,
  );
  const level = strictest(tests.map(({ comparison }) => comparison)) / 2;
  const counted = (against: 'slower' | 'faster') => {
    const p = tests.map(({ comparison }) => pInFamily(comparison.pValues.gate[against], comparison, correlation));
    const adjusted = adjustPValues(p, correction);
    return tests.map(({ comparison: { pValues } }, index) => ({
      p: at(p, index),
      adjustedP: at(adjusted, index),
      differs: (tests.length === 1 || correction === 'none' ? pValues.gate[against] : at(adjusted, index)) <= level,
    }));
  };
  const [slower, faster] = [counted('slower'), counted('faster')];
  const benchmarks = tests.map(({ comparison, waiver }, index) => {
    const { p, adjustedP, differs } = at(slower, index);
    return {
      ...placeOf(comparison),
      p,
      adjustedP,
      slower: differs,
      faster: at(faster, index).differs,
      bound: deadHeatBound(comparison.margin),
      excluded: excludedBy(comparison, correlation),
      outcome: 'not-measured' as const,
      ...(isSuspected(comparison) ? { layoutSuspected: true as const } : {}),
      waiver: inForce(waiver, today),
    };
  });
  const without = unmeasured
    .filter(({ benchmark }) => benchmark.controlOf === null)
    .map(({ benchmark: { name, params, waiver }, config: { method, margin } }) => ({
      benchmark: name,
      params,
      method,
      verdict: 'undecided' as const,
      p: 1,
      adjustedP: 1,
      slower: false,
      faster: false,
      bound: deadHeatBound(margin),
      excluded: { slower: Number.MAX_VALUE, faster: Number.MAX_VALUE },
      outcome: 'not-measured' as const,
      waiver: inForce(waiver, today),
    }));
  const reason = control?.fired === true ? 'control-fired' : tests.length === 0 ? 'nothing-judged' : null;
  const facts: Gate = {
    outcome: reason === null ? 'passed' : 'abstained',
    ...(reason === null ? {} : { reason }),
    against: 'slower',
    correction,
    level,
    benchmarks: [...benchmarks, ...(reason === null ? without : [])],
    control,
  };
  return {
    gate: decideGate(facts, { against: 'slower', undecided: 'fail' }),
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
  const all = `${tests.length} ${new Set(tests.map(({ method }) => method)).size > 1 ? 'comparisons' : 'benchmarks'}`;
  return [
    {
      code: 'FAMILY_NEEDS_RUNS',
      message:
        `${few.length} of ${all} cannot count as slower: corrected for ${all}, the p value of so few runs ` +
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
