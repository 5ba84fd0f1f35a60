import { sides } from '@deadheat/model';
import type { Metric, Phase, RunPhase, Stability, StableRule, Warning } from '@deadheat/model';
import type { DynamicReconfiguration } from './dynamic-reconfiguration.ts';
import type { IterationSample } from './iteration-sample.ts';
import { levelWith } from './level-with.ts';
import type { ReconfiguredFork } from './reconfiguration-summary.ts';
import { StabilityRule, reportedOverRuns, reportedRule, toReportedChecks } from './stability-rule.ts';
import type { StabilitySource } from './stability-rule.ts';
import { warningsOfRuns } from './warnings-of-runs.ts';

/** What a run of a duet is to do next. */
export type RunStep = 'warmup' | 'measure' | 'stop';

/** Which run begins. */
export interface BegunRun {
  /** Its number. */
  readonly run: number;
  /** Of a warm-up run nothing is kept. */
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
  /** What its times are; in a tandem wall time is that of both sides. */
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

  /** Whether there are enough runs by the criteria; `false` where the stop rule does not ask them. */
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

  /** What the report says of it. */
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

  /** What was not reached when a cap ended it. */
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

const toStep = (next: DynamicReconfiguration['next']): RunStep => (next === 'fork' || next === 'stop' ? 'stop' : next);
