import { sides } from '@deadheat/model';
import type { Benchmark, ExperimentConfig, Stability, StableRule } from '@deadheat/model';
import { DynamicReconfiguration } from './dynamic-reconfiguration.ts';
import type { StabilityCheck } from './stability-check.ts';
import type { StoppingOptions } from './stopping-options.ts';

/** Whose stability is followed, and by what. */
export interface StabilitySource {
  readonly benchmark: Pick<Benchmark, 'name' | 'params'>;
  readonly config: Pick<ExperimentConfig, 'seed' | 'stop'>;
}

/** More runs than anybody makes: with so many as the fewest, nothing is asked over runs. */
const NEVER = 1_000_000_000;

/** A rule of the settings, with a random stream of each benchmark's own, as Algorithm 1 takes it. */
export class StabilityRule {
  readonly rule: StableRule;
  readonly #stop: ExperimentConfig['stop'];
  readonly #seed: string;

  constructor(rule: StableRule, { benchmark, config }: StabilitySource) {
    this.rule = rule;
    this.#stop = config.stop;
    this.#seed = JSON.stringify([config.seed, benchmark.name, Object.entries(benchmark.params)]);
  }

  /** Options with the configuration of the rule, and its caps of runs. */
  get options(): StoppingOptions {
    const { criteria, combine, like, thresholds, liftCaps } = this.rule;
    const { leastWarmup: wiMin, mostWarmup: wiMax, measured: mi } = this.rule;
    const runs = this.#stop.kind === 'stable' ? { fMin: this.#stop.minRuns, fMax: this.#stop.maxRuns } : {};
    return { criteria, combine, like, thresholds, liftCaps, seed: this.#seed, config: { wiMin, wiMax, mi, ...runs } };
  }

  /** Algorithm 1 inside one run: nothing is asked over runs. `purpose` names its random streams. */
  inRun(purpose: string, sideCount: number): DynamicReconfiguration {
    return this.#create(purpose, { config: { ...this.options.config, fMin: NEVER, fMax: NEVER }, sideCount });
  }

  /** Algorithm 1 over runs of both sides; `null` where the stop rule does not ask. `hasWarmup` false: it is given measured iterations alone. */
  overRuns({ hasWarmup }: { readonly hasWarmup: boolean }): DynamicReconfiguration | null {
    if (this.#stop.kind !== 'stable') return null;
    const config = { ...this.options.config, ...(hasWarmup ? {} : { wiMin: 0, wiMax: 0 }) };
    return this.#create('runs', { config, sideCount: sides.length });
  }

  #create(
    purpose: string,
    facts: { readonly config: NonNullable<StoppingOptions['config']>; readonly sideCount: number },
  ): DynamicReconfiguration {
    const options = { ...this.options, seed: JSON.stringify([this.#seed, purpose]), config: facts.config };
    return new DynamicReconfiguration(options, { sides: facts.sideCount });
  }
}

/** Checks as the report has them. */
export const toReportedChecks = (checks: readonly StabilityCheck[]): Stability['runs'][number]['checks'] =>
  checks.map(({ side, criterion, stable, value, threshold }) => ({
    side: sides[side]!,
    criterion,
    stable,
    value,
    threshold,
  }));

/** The part of a report's stability that the runs have no part in. */
export const reportedRule = ({
  criteria,
  combine,
  like,
  liftCaps,
}: StableRule): Pick<Stability, 'criteria' | 'combine' | 'like' | 'liftCaps'> => ({
  criteria: [...criteria],
  combine,
  like,
  liftCaps,
});

/** What was asked over runs, as the report has it. */
export const reportedOverRuns = (overRuns: DynamicReconfiguration | null): Stability['overRuns'] => {
  if (overRuns === null) return null;
  const { forks, stable, checks } = overRuns.summary;
  return { runs: forks.length, stable, checks: toReportedChecks(checks) };
};
