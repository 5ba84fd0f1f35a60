import type { Warning } from '@deadheat/model';
import { largest } from '@deadheat/stats';
import {
  timesTooFar,
  type ReconfigurationSummary,
  type ReconfiguredFork,
  type ResolvedStoppingOptions,
  type StabilityCheck,
  type StabilityCriterion,
} from './stopping-options.ts';

/** Forks that cannot show what forks differ by. */
const fewForks = 2;

const words: Readonly<Record<StabilityCriterion, string>> = {
  cv: 'the coefficient of variation',
  rciw: 'the relative interval width',
  kld: 'the probability of no change',
};

/** Distance of a criterion from stable, in its own figures. */
function shortfall(check: StabilityCheck): string {
  const { criterion, value, threshold } = check;
  const name = `${words[criterion]} (${criterion})`;
  const far = timesTooFar(check);
  if (value === null || far === null) return `${name} had too few values to be judged`;
  const what =
    criterion === 'kld'
      ? `${name} was ${value.toPrecision(3)}, not above ${threshold}`
      : `${name} still moved by ${value.toPrecision(2)}, more than ${threshold}`;
  return `${what} (${far < 100 ? far.toPrecision(2) : Math.round(far)} times too far)`;
}

/** The check that was furthest off, for every criterion that was not stable. */
function worstOf(checks: readonly StabilityCheck[]): readonly StabilityCheck[] {
  const worst = new Map<StabilityCriterion, StabilityCheck>();
  for (const check of checks.filter(({ stable }) => !stable)) {
    const former = worst.get(check.criterion);
    const isWorse = former === undefined || (timesTooFar(check) ?? Infinity) > (timesTooFar(former) ?? Infinity);
    if (isWorse) worst.set(check.criterion, check);
  }
  return [...worst.values()];
}

function sentence(checks: readonly StabilityCheck[]): string {
  return worstOf(checks).map(shortfall).join('; ');
}

function lift({ liftCaps }: ResolvedStoppingOptions): string {
  const times = Math.ceil(2 * liftCaps);
  return `--lift-caps ${times}, in a file lift-caps: ${times}`;
}

function warmupWarning(forks: readonly ReconfiguredFork[], options: ResolvedStoppingOptions): Warning[] {
  const unstable = forks.filter(({ stable }) => stable === false);
  if (unstable.length === 0) return [];
  const cap = largest(unstable.map(({ warmup }) => warmup));
  return [
    {
      code: 'WARMUP_NOT_STABLE',
      message:
        `${unstable.length} of ${forks.length} runs were not stable after ${cap} warm-up iterations, the most allowed: ` +
        `${sentence(unstable.flatMap(({ checks }) => checks))}; what they measured may hold warm-up. ` +
        `Allow more (${lift(options)}), or make an iteration longer`,
    },
  ];
}

function forksWarning(
  { forks, checks, stable }: Pick<ReconfigurationSummary, 'forks' | 'checks' | 'stable'>,
  options: ResolvedStoppingOptions,
): Warning[] {
  if (stable || checks.length === 0) return [];
  return [
    {
      code: 'RUNS_NOT_STABLE',
      message:
        `the result was not stable after ${forks.length} runs, the most allowed: ${sentence(checks)}. ` +
        `Allow more (${lift(options)}), or judge by the interval, which says how much runs differ`,
    },
  ];
}

/** Warnings on criteria not reached when the caps ended it, and on reasons why "stable" means little. */
export function stoppingWarnings(
  outcome: Omit<ReconfigurationSummary, 'warnings'>,
  state: { readonly options: ResolvedStoppingOptions; readonly isDone: boolean; readonly isConstant: boolean },
): Warning[] {
  const { options, isDone, isConstant } = state;
  const warnings = [...warmupWarning(outcome.forks, options), ...(isDone ? forksWarning(outcome, options) : [])];
  if (isDone && outcome.forks.length <= fewForks && Math.floor(options.config.fMax * options.liftCaps) <= fewForks) {
    warnings.push({
      code: 'FEW_RUNS',
      message:
        `only ${outcome.forks.length === 1 ? '1 run was' : `${outcome.forks.length} runs were`} allowed: stability over runs ` +
        'compares at most two values, and what runs differ by stays unknown; allow 5 runs or more (--max-runs 5)',
    });
  }
  if (isConstant) {
    warnings.push({
      code: 'ALL_EQUAL',
      message:
        'all measurements are equal, so every criterion calls them stable at once: the clock may be too coarse for them; ' +
        'put more work into one iteration',
    });
  }
  return warnings;
}
