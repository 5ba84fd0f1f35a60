import {
  sides,
  stopRuleOf,
  type Benchmark,
  type ExperimentConfig,
  type MeasuredRun,
  type Metric,
  type Phase,
  type RunPhase,
  type Stability,
  type StableRule,
  type Warning,
} from '@deadheat/model';
import { DynamicReconfiguration } from './dynamic-reconfiguration.ts';
import type { IterationSample } from './prepared-iteration.ts';
import {
  resolveStoppingOptions,
  type ReconfiguredFork,
  type StabilityCheck,
  type StoppingOptions,
  stoppingWarnings,
} from './stopping-options.ts';

/** Whose stability is followed, and by what. */
export interface StabilitySource {
  readonly benchmark: Pick<Benchmark, 'name' | 'params'>;
  readonly config: Pick<ExperimentConfig, 'seed' | 'stop'>;
}

/** More runs than anybody makes: as the smallest number of runs it means that the criteria are not applied to runs. */
const never = 1_000_000_000;

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
    const { stableRuns } = stopRuleOf(this.#stop);
    const runs = stableRuns === null ? {} : { fMin: stableRuns.least, fMax: stableRuns.most };
    return { criteria, combine, like, thresholds, liftCaps, seed: this.#seed, config: { wiMin, wiMax, mi, ...runs } };
  }

  /** Algorithm 1 inside one run: nothing is asked over runs. `purpose` names its random streams. */
  inRun(purpose: string, sideCount: number): DynamicReconfiguration {
    return this.#create(purpose, { config: { ...this.options.config, fMin: never, fMax: never }, sideCount });
  }

  /** Algorithm 1 over runs of both sides; `null` where the stop rule does not ask. `hasWarmup` false: it is given measured iterations alone. */
  overRuns({ hasWarmup }: { readonly hasWarmup: boolean }): DynamicReconfiguration | null {
    if (stopRuleOf(this.#stop).stableRuns === null) return null;
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
export function toReportedChecks(checks: readonly StabilityCheck[]): Stability['runs'][number]['checks'] {
  return checks.map(({ side, criterion, stable, value, threshold }) => ({
    side: sides[side]!,
    criterion,
    stable,
    value,
    threshold,
  }));
}

/** The part of a report's stability that the runs have no part in. */
export function reportedRule({
  criteria,
  combine,
  like,
  liftCaps,
}: StableRule): Pick<Stability, 'criteria' | 'combine' | 'like' | 'liftCaps'> {
  return {
    criteria: [...criteria],
    combine,
    like,
    liftCaps,
  };
}

/** Summary of the criteria over runs, for the report. */
export function reportedOverRuns(overRuns: DynamicReconfiguration | null): Stability['overRuns'] {
  if (overRuns === null) return null;
  const { forks, stable, checks } = overRuns.summary;
  return { runs: forks.length, stable, checks: toReportedChecks(checks) };
}

/** Next step of a run of a duet. */
export type RunStep = 'warmup' | 'measure' | 'stop';

/** Which run begins. */
export interface BegunRun {
  /** Its number. */
  readonly run: number;
  /** Nothing of a warm-up run is kept. */
  readonly phase: RunPhase;
}

interface FinishedRun extends ReconfiguredFork {
  readonly run: number;
  /** Warm-up iterations that were recorded. */
  readonly made: number;
}

/**
 * Follows one benchmark of a duet whose warm-up ends when it is stable, run after run: live, iteration by iteration, or over what was
 * recorded. Both give the same, as what an iteration counts as is taken from its record: the sides go on in warm-up until they hear
 * of the decision, and make an iteration or two more than is asked for.
 *
 * An iteration is the times of its invocations as far as they are recorded, else their mean. The same iterations, settings and seed give the same decisions on every machine.
 */
export class RunStability {
  /** Metric of its times; in a tandem wall time is that of both sides. */
  readonly metric: Metric;
  readonly #rule: StabilityRule;
  /** Asked over runs too; `null` where the stop rule does not ask. */
  readonly #overRuns: DynamicReconfiguration | null;
  readonly #runs: FinishedRun[] = [];
  #begun: BegunRun | null = null;
  #current: DynamicReconfiguration | null = null;
  #made = 0;
  /** Time of every measured iteration of finished runs so far; `null` when they differ, NaN before the first. */
  #level: number | null = Number.NaN;

  /** @param config as it counts for the benchmark (`configOf`), with a rule `stable`. @throws RangeError for settings out of range. */
  constructor(rule: StableRule, source: StabilitySource, metric: Metric = 'time') {
    this.metric = metric;
    this.#rule = new StabilityRule(rule, source);
    this.#overRuns = this.#rule.overRuns({ hasWarmup: true });
  }

  /** True if there are enough runs by the criteria; `false` where the stop rule does not ask them. */
  get isEnough(): boolean {
    return this.#overRuns?.next === 'stop';
  }

  /** Begins a run. One that was not complete is forgotten. */
  begin(begun: BegunRun): RunStep {
    const asked = begun.phase === 'measure' && this.#overRuns?.next !== 'stop' ? this.#overRuns : null;
    this.#current = asked ?? this.#rule.inRun(`${begun.phase} ${begun.run}`, sides.length);
    this.#begun = begun;
    this.#made = 0;
    return toStep(this.#current.beginFork());
  }

  /**
   * Takes the next iteration of the run.
   *
   * @param times of invocations, ns, on each side.
   * @param phase what the sides recorded it as.
   * @throws RangeError before the first run, and for times that are negative or not finite.
   */
  take(times: { readonly A: IterationSample; readonly B: IterationSample }, phase: Phase): RunStep {
    const current = this.#current;
    if (current === null || this.#begun === null) throw new RangeError('take needs a run: call begin first');
    if (phase === 'warmup') this.#made++;
    const before = toStep(current.next);
    if (before === 'stop' || (before === 'measure' && phase === 'warmup')) return before;
    const decision = current.observe(times.A, times.B);
    if (this.#begun.phase === 'measure' && decision.phase === 'measure') this.#compare(times);
    const step = toStep(decision.next);
    if (step === 'stop' && this.#begun.phase === 'measure') {
      const fork = current.summary.forks.at(-1)!;
      this.#runs.push({ ...fork, run: this.#begun.run, made: this.#made });
    }
    return step;
  }

  /** Summary for the report. */
  get result(): Stability {
    return {
      ...reportedRule(this.#rule.rule),
      runs: this.#runs.map(({ run, made, warmup, stable, checks }) => ({
        run,
        warmup: made,
        decidedAfter: warmup,
        stable: stable ?? false,
        checks: toReportedChecks(checks),
        apart: null,
      })),
      overRuns: reportedOverRuns(this.#overRuns),
    };
  }

  /** Criteria not reached when a cap ended it. */
  get warnings(): Warning[] {
    return warningsOfRuns(this.#runs, {
      rule: this.#rule,
      overRuns: this.#overRuns,
      isConstant: this.#level !== null,
    });
  }

  #compare({ A, B }: { readonly A: IterationSample; readonly B: IterationSample }): void {
    this.#level = levelWith(this.#level, [A, B]);
  }
}

function toStep(next: DynamicReconfiguration['next']): RunStep {
  return next === 'fork' || next === 'stop' ? 'stop' : next;
}

/**
 * Gives the rows of a run, from `from` on, that both sides have to what follows its stability.
 *
 * @returns the first row that was not there yet, and what the run is to do next.
 */
export function followRun(
  stability: RunStability,
  { A, B }: MeasuredRun['iterations'],
  state: { readonly from: number; readonly step: RunStep },
): { readonly from: number; readonly step: RunStep } {
  const rows = Math.min(A.length, B.length);
  if (rows <= state.from) return state;
  const times = { A: invocationTimes(A, stability.metric), B: invocationTimes(B, stability.metric) };
  let { step } = state;
  for (let row = state.from; row < rows; row++) {
    step = stability.take({ A: times.A(row), B: times.B(row) }, A.isWarmup(row) ? 'warmup' : 'measure');
  }
  return { from: rows, step };
}

/**
 * Times of invocations in each row, ns: of wall times those that the record holds, as a list or a histogram, else the mean over as
 * many as an iteration held. Where CPU time is not recorded, wall time stands for it.
 */
export function invocationTimes(
  iterations: MeasuredRun['iterations']['A'],
  metric: Metric = 'time',
): (row: number) => IterationSample {
  const { startsNs, endsNs } = iterations;
  const invocations = iterations.metric('n');
  const cpuNs = metric === 'cpu' ? iterations.metric('c') : null;
  return (row) => {
    const times = cpuNs === null ? (iterations.invocationTimes?.(row) ?? iterations.histogram?.(row) ?? null) : null;
    if (times !== null) return times;
    const n = invocations?.[row] ?? 1;
    return (cpuNs?.[row] || endsNs[row]! - startsNs[row]!) / (n >= 1 ? n : 1);
  };
}

/**
 * The time that all measurements so far took with these, too; `null` where they differ.
 *
 * @param level of those before; NaN: there were none.
 */
export function levelWith(level: number | null, samples: readonly IterationSample[]): number | null {
  let common = level;
  for (const sample of samples) {
    if (common === null) return null;
    const times = typeof sample === 'number' ? [sample] : Array.from('counts' in sample ? sample.values : sample);
    for (const time of times) {
      if (Number.isNaN(common)) common = time;
      else if (time !== common) return null;
    }
  }
  return common;
}

/** Criteria that complete runs of a benchmark did not reach when a cap ended it, inside them and over them. */
export function warningsOfRuns(
  runs: readonly ReconfiguredFork[],
  {
    rule,
    overRuns,
    isConstant,
  }: {
    readonly rule: StabilityRule;
    readonly overRuns: DynamicReconfiguration | null;
    /** True if all measurements are equal. */
    readonly isConstant: boolean;
  },
): Warning[] {
  if (runs.length === 0) return [];
  const options = resolveStoppingOptions(rule.options);
  const ofRuns = overRuns?.summary.warnings ?? [];
  return [
    ...stoppingWarnings(
      { forks: runs, warmupForks: [], stable: false, checks: [] },
      { options, isDone: false, isConstant },
    ),
    ...ofRuns.filter(({ code }) => code === 'RUNS_NOT_STABLE' || code === 'FEW_RUNS'),
  ];
}
