import {
  workloadFacts,
  methodFacts,
  sides,
  type Benchmark,
  type ExperimentConfig,
  type MeasuredRun,
  type Method,
  type Side,
  type Stability,
  type StableRule,
  type Warning,
} from '@deadheat/model';
import type { DynamicReconfiguration } from './dynamic-reconfiguration.ts';
import type { IterationSample } from './prepared-iteration.ts';
import {
  followRun,
  invocationTimes,
  levelWith,
  reportedOverRuns,
  reportedRule,
  RunStability,
  StabilityRule,
  toReportedChecks,
  warningsOfRuns,
  type BegunRun,
  type StabilitySource,
} from './run-stability.ts';
import type { ReconfiguredFork, StabilityCheck, StoppingOptions } from './stopping-options.ts';

export interface FollowedBenchmark {
  /** Name and parameters are the reported ones. */
  readonly benchmark: Pick<Benchmark, 'name' | 'params' | 'workload'>;
  /** Configuration of this benchmark (`configOf`). */
  readonly config: Pick<ExperimentConfig, 'seed' | 'stop' | 'stable' | 'method'>;
}

/**
 * Follows the stability of a benchmark whose programs meet at a page; `null` where the number of iterations is fixed, and for programs
 * that know nothing of it.
 */
export function createRunStability({ benchmark, config }: FollowedBenchmark): RunStability | null {
  return config.stable === null || !methodFacts[config.method].barrier || !workloadFacts[benchmark.workload].protocol
    ? null
    : new RunStability(config.stable, { benchmark, config }, methodFacts[config.method].ownTime);
}

/** Follows the stability of a benchmark whose programs know nothing of it and print their iterations; `null` for any other. */
export function createApartStability({ benchmark, config }: FollowedBenchmark): ApartStability | null {
  return config.stable === null || methodFacts[config.method].barrier || !workloadFacts[benchmark.workload].printed
    ? null
    : new ApartStability(config.stable, { benchmark, config, method: config.method });
}

/** Decides anew what was decided while these runs were made; they may stand in any order. `null` where nothing was. */
export function stabilityOfRuns(
  runs: readonly MeasuredRun[],
  followed: FollowedBenchmark,
): Pick<RunStability, 'result' | 'warnings'> | null {
  const together = createRunStability(followed);
  const apart = createApartStability(followed);
  for (const { trial, iterations } of runs.toSorted((one, other) => one.trial.trial - other.trial.trial)) {
    if (trial.status !== 'ok') continue;
    apart?.take(trial, iterations);
    if (together !== null) followRun(together, iterations, { from: 0, step: together.begin(trial) });
  }
  return together ?? apart;
}

type Apart = NonNullable<Stability['runs'][number]['apart']>;

interface FinishedRun extends ReconfiguredFork {
  readonly run: number;
  readonly apart: Apart;
}

/**
 * Follows one benchmark whose programs know of nothing: each side makes iterations at its own pace, and these are called warm-up or
 * measured from outside. A side is warm when it is stable by itself (Algorithm 1). Of sides that run together (`async-duet`) neither is
 * measured before both are warm, so that no iteration is paired with warm-up; what began before that moment is warm-up. Sides that
 * run one after the other (`sequential`) have nothing to do with each other.
 *
 * The criteria over runs are those of a duet, by the first iterations that the rule asks for on each side. The same
 * iterations, settings and seed give the same decisions on every machine.
 */
export class ApartStability {
  readonly #rule: StabilityRule;
  readonly #isTogether: boolean;
  readonly #overRuns: DynamicReconfiguration | null;
  readonly #runs: FinishedRun[] = [];
  /** Fewest iterations that a side measured, of each run that ended by itself. */
  readonly #short: number[] = [];
  /** Time of every measured iteration so far; `null` when they differ, NaN before the first. */
  #level: number | null = Number.NaN;

  /** @param method `sequential`, or one in which both sides run at a time. @throws RangeError for settings out of range. */
  constructor(rule: StableRule, { method, ...source }: StabilitySource & { readonly method: Method }) {
    this.#rule = new StabilityRule(rule, source);
    this.#isTogether = methodFacts[method].together;
    this.#overRuns = this.#rule.overRuns({ hasWarmup: false });
  }

  /** True if there are enough runs by the criteria; `false` where the stop rule does not ask them. */
  get isEnough(): boolean {
    return this.#overRuns?.next === 'stop';
  }

  /** Measured iterations of each side with which a run is complete. */
  get measured(): number {
    return this.#rule.rule.measured;
  }

  /** Most iterations that a side needs when it is no faster than the other. */
  get iterationsAtMost(): number {
    return this.#rule.inRun('', 1).iterationsAtMost;
  }

  /** True if neither side is measured before both are warm. */
  get isTogether(): boolean {
    return this.#isTogether;
  }

  /** Begins the warm-up of a side of a run. */
  warmupOf({ phase, run }: BegunRun, side: Side): SideWarmup {
    return new SideWarmup(this.#rule.inRun(`${phase} ${run} ${side}`, 1), this.#rule.rule.combine);
  }

  /** Number of first iterations of each side that are warm-up; all where a side ended before it was warm. */
  classify(begun: BegunRun, iterations: MeasuredRun['iterations']): Readonly<Record<Side, number>> {
    const [A, B] = [this.#lengthOf(begun, 'A', iterations), this.#lengthOf(begun, 'B', iterations)];
    if (!this.#isTogether) return { A: A ?? iterations.A.length, B: B ?? iterations.B.length };
    if (A === null || B === null) return { A: iterations.A.length, B: iterations.B.length };
    const warmNs = Math.max(iterations.A.endsNs[A - 1]!, iterations.B.endsNs[B - 1]!);
    const begunBefore = ({ startsNs }: MeasuredRun['iterations']['A']): number => {
      const row = startsNs.findIndex((start) => start >= warmNs);
      return row === -1 ? startsNs.length : row;
    };
    return { A: begunBefore(iterations.A), B: begunBefore(iterations.B) };
  }

  /** Takes a run that is over, whose iterations are marked as they were classified. */
  take(begun: BegunRun, iterations: MeasuredRun['iterations']): void {
    if (begun.phase !== 'measure') return;
    const measured = { A: measuredTimes(iterations.A), B: measuredTimes(iterations.B) };
    const fewest = Math.min(measured.A.length, measured.B.length);
    if (fewest < this.measured) {
      this.#short.push(fewest);
      return;
    }
    const { checks: ofA, ...A } = this.#judge(begun, 'A', iterations.A);
    const { checks: ofB, ...B } = this.#judge(begun, 'B', iterations.B);
    this.#runs.push({
      run: begun.run,
      warmup: Math.max(A.decidedAfter, B.decidedAfter),
      stable: A.stable && B.stable,
      checks: [...ofA, ...ofB],
      apart: { A, B },
    });
    if (this.#overRuns !== null && !this.isEnough) {
      this.#overRuns.beginFork();
      for (let i = 0; i < this.measured; i++) this.#overRuns.observe(measured.A[i]!, measured.B[i]!);
    }
    this.#level = levelWith(this.#level, [...measured.A, ...measured.B]);
  }

  /** Summary for the report. */
  get result(): Stability {
    return {
      ...reportedRule(this.#rule.rule),
      runs: this.#runs.map(({ run, warmup, stable, checks, apart }) => ({
        run,
        warmup: Math.max(apart.A.warmup, apart.B.warmup),
        decidedAfter: warmup,
        stable: stable ?? false,
        checks: toReportedChecks(checks),
        apart,
      })),
      overRuns: reportedOverRuns(this.#overRuns),
    };
  }

  /** Criteria not reached when a cap, or the program itself, ended it. */
  get warnings(): Warning[] {
    return [
      ...warningsOfRuns(this.#runs, {
        rule: this.#rule,
        overRuns: this.#overRuns,
        isConstant: this.#level !== null && !Number.isNaN(this.#level),
      }),
      ...this.#shortWarning(),
    ];
  }

  #shortWarning(): Warning[] {
    if (this.#short.length === 0) return [];
    const all = this.#short.length + this.#runs.length;
    return [
      {
        code: 'FEW_MEASUREMENTS',
        message:
          `in ${this.#short.length} of ${all} runs a program ended by itself before ${this.measured} iterations were measured ` +
          `(${Math.min(...this.#short)} at the fewest), and stability does not count these runs; have it make ` +
          `${this.iterationsAtMost} iterations or more, and a faster side so many times more as it is faster`,
      },
    ];
  }

  #lengthOf(begun: BegunRun, side: Side, iterations: MeasuredRun['iterations']): number | null {
    const warmup = this.warmupOf(begun, side);
    const timeOf = invocationTimes(iterations[side]);
    for (let row = 0; row < iterations[side].length && warmup.length === null; row++) warmup.take(timeOf(row));
    return warmup.length;
  }

  /** Decision on a side's warm-up, by the iterations marked as warm-up. */
  #judge(
    begun: BegunRun,
    side: Side,
    iterations: MeasuredRun['iterations']['A'],
  ): Apart['A'] & Pick<ReconfiguredFork, 'checks'> {
    const warmup = this.warmupOf(begun, side);
    const timeOf = invocationTimes(iterations);
    let made = 0;
    for (let row = 0; row < iterations.length && iterations.isWarmup(row); row++) {
      warmup.take(timeOf(row));
      made++;
    }
    const checks = warmup.checks.map((check) => ({ ...check, side: sides.indexOf(side) }));
    return { warmup: made, decidedAfter: warmup.length ?? made, stable: warmup.stable, checks };
  }
}

function measuredTimes(iterations: MeasuredRun['iterations']['A']): readonly IterationSample[] {
  const timeOf = invocationTimes(iterations);
  return Array.from({ length: iterations.length }, (_, row) => row)
    .filter((row) => !iterations.isWarmup(row))
    .map(timeOf);
}

/** Where the warm-up of one side of a run ends, iteration by iteration, whatever the other side does. */
export class SideWarmup {
  readonly #reconfiguration: DynamicReconfiguration;
  readonly #combine: StoppingOptions['combine'];
  #taken = 0;
  #length: number | null = null;
  #checks: readonly StabilityCheck[] = [];

  /** @param reconfiguration of one side that warms up; its fork is begun here. */
  constructor(reconfiguration: DynamicReconfiguration, combine: StoppingOptions['combine']) {
    this.#reconfiguration = reconfiguration;
    this.#combine = combine;
    reconfiguration.beginFork();
  }

  /** Iterations that it took; `null` while it goes on. */
  get length(): number | null {
    return this.#length;
  }

  /** Last checks of the criteria, on the only side. */
  get checks(): readonly StabilityCheck[] {
    return this.#checks;
  }

  /** True if the last check was stable; `false` at its end: the cap was reached. */
  get stable(): boolean {
    if (this.#checks.length === 0) return false;
    const isStable = ({ stable }: StabilityCheck): boolean => stable;
    return this.#combine === 'any' ? this.#checks.some(isStable) : this.#checks.every(isStable);
  }

  /**
   * Takes the times of invocations in the next iteration, ns; what comes after the end is not looked at.
   *
   * @throws RangeError as `drawInvocations`.
   */
  take(times: IterationSample): void {
    if (this.#length !== null) return;
    const { next, checks } = this.#reconfiguration.observe(times);
    this.#taken++;
    this.#checks = checks;
    if (next !== 'warmup') this.#length = this.#taken;
  }
}
