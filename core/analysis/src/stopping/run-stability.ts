import {
  workloadFacts,
  methodFacts,
  sides,
  stopRuleOf,
  type Benchmark,
  type ExperimentConfig,
  type MeasuredRun,
  type Method,
  type Metric,
  type Phase,
  type Side,
  type Stability,
  type StableRule,
  type Trial,
  type Warning,
} from '@deadheat/model';
import { DynamicReconfiguration } from './dynamic-reconfiguration.ts';
import { invocationTimes, levelWith, type IterationSample } from './prepared-iteration.ts';
import {
  resolveStoppingOptions,
  type ReconfiguredFork,
  type StabilityCheck,
  type StoppingOptions,
  stoppingWarnings,
} from './stopping-options.ts';

/** Run that begins: its number, and its phase; nothing of a warm-up run is kept. */
type BegunRun = Pick<Trial, 'run' | 'phase'>;

/** Benchmark whose stability is followed, by its reported name and parameters, and its configuration (`configOf`). */
interface FollowedBenchmark {
  readonly benchmark: Pick<Benchmark, 'name' | 'params' | 'workload'>;
  readonly config: Pick<ExperimentConfig, 'seed' | 'stop' | 'stable' | 'method'>;
}

/** Seed and stop rule of what is followed. */
interface StabilitySource {
  readonly benchmark: Pick<Benchmark, 'name' | 'params'>;
  readonly config: Pick<ExperimentConfig, 'seed' | 'stop'>;
}

/** Decides anew what was decided while these runs were made; they may stand in any order. `null` where nothing was. */
export function stabilityOfRuns(
  runs: readonly MeasuredRun[],
  followed: FollowedBenchmark,
): Pick<RunStability, 'result' | 'warnings'> | null {
  const together = RunStability.of(followed);
  const apart = ApartStability.of(followed);
  if (together === null && apart === null) return null;
  for (const { trial, iterations } of runs.toSorted((one, other) => one.trial.trial - other.trial.trial)) {
    if (trial.status !== 'ok') continue;
    apart?.take(trial, iterations);
    together?.follow(iterations, { from: 0, step: together.begin(trial) });
  }
  return together ?? apart;
}

/** At least this share of the error is left to an interval of runs that stopped early. */
const leastShare = 0.2;

/**
 * The confidence of an interval of runs that ended since they were stable: their spread is small because it was waited for, or because all runs of A so far
 * met one and all runs of B the other of two modes of performance, as 2 / 4^n of all pairs of n runs do where modes are equally frequent. Twice that is taken from
 * the error, of which a fifth stays: with fewer than four runs and 95 % it is 99 %.
 *
 * @param confidence that was asked for, in (0, 1).
 * @param overRuns of the report; `null` where the number of runs did not depend on their stability.
 * @returns in (0, 1), no smaller; its error rates are simulated (docs/methods/procedures/stopping.md).
 */
export function confidenceOfStable(confidence: number, overRuns: Stability['overRuns']): number {
  if (overRuns === null || !overRuns.stable) return confidence;
  const error = 1 - confidence;
  const left = Math.max(leastShare * error, error - 4 * 4 ** -overRuns.runs);
  // Three digits of the error, so that the level can be read.
  return 1 - Number(left.toPrecision(3));
}

/** More runs than anybody makes: as the smallest number of runs it means that the criteria are not applied to runs. */
const never = 1_000_000_000;

type ReportedRun = Stability['runs'][number];

interface FinishedRun extends ReconfiguredFork {
  readonly run: number;
  /** Warm-up iterations that were recorded. */
  readonly made: number;
  readonly apart: ReportedRun['apart'];
}

/** Runs of a benchmark that Algorithm 1 follows, with a random stream of the benchmark's own. */
abstract class FollowedRuns {
  protected readonly rule: StableRule;
  /** Criteria over runs of both sides; `null` where the stop rule does not ask. */
  protected readonly overRuns: DynamicReconfiguration | null;
  protected readonly runs: FinishedRun[] = [];
  readonly #stop: ExperimentConfig['stop'];
  readonly #seed: string;
  /** Time of every measured iteration so far; `null` when they differ, NaN before the first. */
  #level: number | null = Number.NaN;

  /** @param options.hasWarmup false: the criteria over runs are given measured iterations alone. @throws RangeError for settings out of range. */
  protected constructor(
    rule: StableRule,
    { benchmark, config }: StabilitySource,
    { hasWarmup }: { readonly hasWarmup: boolean },
  ) {
    this.rule = rule;
    this.#stop = config.stop;
    this.#seed = JSON.stringify([config.seed, benchmark.name, Object.entries(benchmark.params)]);
    const limits = { ...this.#options.config, ...(hasWarmup ? {} : { wiMin: 0, wiMax: 0 }) };
    this.overRuns = stopRuleOf(config.stop).stableRuns === null ? null : this.#create('runs', limits, sides.length);
  }

  /** True if there are enough runs by the criteria; `false` where the stop rule does not ask them. */
  get isEnough(): boolean {
    return this.overRuns?.next === 'stop';
  }

  /** Summary for the report. */
  get result(): Stability {
    const { criteria, combine, like, liftCaps } = this.rule;
    const over = this.overRuns?.summary;
    return {
      criteria: [...criteria],
      combine,
      like,
      liftCaps,
      runs: this.runs.map(({ run, made, warmup, stable, checks, apart }) => ({
        run,
        warmup: made,
        decidedAfter: warmup,
        stable: stable ?? false,
        checks: toReportedChecks(checks),
        apart,
      })),
      overRuns:
        over === undefined
          ? null
          : { runs: over.forks.length, stable: over.stable, checks: toReportedChecks(over.checks) },
    };
  }

  /** Criteria that complete runs did not reach when a cap, or the program itself, ended them, inside them and over them. */
  get warnings(): Warning[] {
    if (this.runs.length === 0) return [];
    const options = resolveStoppingOptions(this.#options);
    const ofRuns = this.overRuns?.summary.warnings ?? [];
    return [
      ...stoppingWarnings(
        { forks: this.runs, warmupForks: [], stable: false, checks: [] },
        { options, isDone: false, isConstant: this.isConstant(this.#level) },
      ),
      ...ofRuns.filter(({ code }) => code === 'RUNS_NOT_STABLE' || code === 'FEW_RUNS'),
    ];
  }

  /** True if all measurements are equal, by the level of {@link levelWith}. */
  protected abstract isConstant(level: number | null): boolean;

  /** Algorithm 1 inside one run: nothing is asked over runs. `purpose` names its random streams. */
  protected inRun(purpose: string, sideCount: number): DynamicReconfiguration {
    return this.#create(purpose, { ...this.#options.config, fMin: never, fMax: never }, sideCount);
  }

  protected addMeasured(samples: readonly IterationSample[]): void {
    this.#level = levelWith(this.#level, samples);
  }

  /** Options with the configuration of the rule, and its caps of runs. */
  get #options(): StoppingOptions {
    const { criteria, combine, like, thresholds, liftCaps } = this.rule;
    const { leastWarmup: wiMin, mostWarmup: wiMax, measured: mi } = this.rule;
    const { stableRuns } = stopRuleOf(this.#stop);
    const runs = stableRuns === null ? {} : { fMin: stableRuns.least, fMax: stableRuns.most };
    return { criteria, combine, like, thresholds, liftCaps, seed: this.#seed, config: { wiMin, wiMax, mi, ...runs } };
  }

  #create(purpose: string, config: NonNullable<StoppingOptions['config']>, sideCount: number): DynamicReconfiguration {
    return new DynamicReconfiguration(
      { ...this.#options, seed: JSON.stringify([this.#seed, purpose]), config },
      { sides: sideCount },
    );
  }
}

function toReportedChecks(checks: readonly StabilityCheck[]): ReportedRun['checks'] {
  return checks.map(({ side, criterion, stable, value, threshold }) => ({
    side: sides[side]!,
    criterion,
    stable,
    value,
    threshold,
  }));
}

/** Next step of a run of a duet. */
type RunStep = 'warmup' | 'measure' | 'stop';

/**
 * Follows one benchmark of a duet whose warm-up ends when it is stable, run after run: live, iteration by iteration, or over what was
 * recorded. Both give the same, as what an iteration counts as is taken from its record: the sides go on in warm-up until they hear
 * of the decision, and make an iteration or two more than is asked for.
 *
 * An iteration is the times of its invocations as far as they are recorded, else their mean. The same iterations, settings and seed give the same decisions on every machine.
 */
export class RunStability extends FollowedRuns {
  /** Metric of its times; in a tandem wall time is that of both sides. */
  readonly metric: Metric;
  #begun: BegunRun | null = null;
  #current: DynamicReconfiguration | null = null;
  #made = 0;

  /** Follows a benchmark whose programs meet at a page; `null` where the number of iterations is fixed, and for programs that know nothing of it. */
  static of({ benchmark, config }: FollowedBenchmark): RunStability | null {
    const { barrier, ownTime } = methodFacts[config.method];
    return config.stable === null || !barrier || !workloadFacts[benchmark.workload].protocol
      ? null
      : new RunStability(config.stable, { benchmark, config }, ownTime);
  }

  /** @param source.config as it counts for the benchmark (`configOf`), with a rule `stable`. @throws RangeError for settings out of range. */
  constructor(rule: StableRule, source: StabilitySource, metric: Metric = 'time') {
    super(rule, source, { hasWarmup: true });
    this.metric = metric;
  }

  /** Begins a run. One that was not complete is forgotten. */
  begin(begun: BegunRun): RunStep {
    const asked = begun.phase === 'measure' && this.overRuns?.next !== 'stop' ? this.overRuns : null;
    this.#current = asked ?? this.inRun(`${begun.phase} ${begun.run}`, sides.length);
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
    if (this.#begun.phase === 'measure' && decision.phase === 'measure') this.addMeasured([times.A, times.B]);
    const step = toStep(decision.next);
    if (step === 'stop' && this.#begun.phase === 'measure') {
      const fork = current.summary.forks.at(-1)!;
      this.runs.push({ ...fork, run: this.#begun.run, made: this.#made, apart: null });
    }
    return step;
  }

  /**
   * Takes the rows of a run, from `from` on, that both sides have.
   *
   * @returns the first row that was not there yet, and the next step of the run.
   */
  follow(
    { A, B }: MeasuredRun['iterations'],
    state: { readonly from: number; readonly step: RunStep },
  ): { readonly from: number; readonly step: RunStep } {
    const rows = Math.min(A.length, B.length);
    if (rows <= state.from) return state;
    const times = { A: invocationTimes(A, this.metric), B: invocationTimes(B, this.metric) };
    let { step } = state;
    for (let row = state.from; row < rows; row++) {
      step = this.take({ A: times.A(row), B: times.B(row) }, A.isWarmup(row) ? 'warmup' : 'measure');
    }
    return { from: rows, step };
  }

  protected override isConstant(level: number | null): boolean {
    return level !== null;
  }
}

function toStep(next: DynamicReconfiguration['next']): RunStep {
  return next === 'fork' || next === 'stop' ? 'stop' : next;
}

type Apart = NonNullable<ReportedRun['apart']>;

/**
 * Follows one benchmark whose programs know of nothing: each side makes iterations at its own pace, and these are called warm-up or
 * measured from outside. A side is warm when it is stable by itself (Algorithm 1). Of sides that run together (`async-duet`) neither is
 * measured before both are warm, so that no iteration is paired with warm-up; what began before that moment is warm-up. Sides that
 * run one after the other (`sequential`) have nothing to do with each other.
 *
 * The criteria over runs are those of a duet, by the first iterations that the rule asks for on each side. The same
 * iterations, settings and seed give the same decisions on every machine.
 */
export class ApartStability extends FollowedRuns {
  readonly #isTogether: boolean;
  /** Fewest iterations that a side measured, of each run that ended by itself. */
  readonly #short: number[] = [];

  /** Follows a benchmark whose programs know nothing of it and print their iterations; `null` for any other. */
  static of({ benchmark, config }: FollowedBenchmark): ApartStability | null {
    const { method, stable } = config;
    return stable === null || methodFacts[method].barrier || !workloadFacts[benchmark.workload].printed
      ? null
      : new ApartStability(stable, { benchmark, config, method });
  }

  /** @param method `sequential`, or one in which both sides run at a time. @throws RangeError for settings out of range. */
  constructor(rule: StableRule, { method, ...source }: StabilitySource & { readonly method: Method }) {
    super(rule, source, { hasWarmup: false });
    this.#isTogether = methodFacts[method].together;
  }

  /** Measured iterations of each side with which a run is complete. */
  get measured(): number {
    return this.rule.measured;
  }

  /** Most iterations that a side needs when it is no faster than the other. */
  get iterationsAtMost(): number {
    return this.inRun('', 1).iterationsAtMost;
  }

  /** True if neither side is measured before both are warm. */
  get isTogether(): boolean {
    return this.#isTogether;
  }

  /** Begins the warm-up of a side of a run. */
  warmupOf({ phase, run }: BegunRun, side: Side): SideWarmup {
    return new SideWarmup(this.inRun(`${phase} ${run} ${side}`, 1), this.rule.combine);
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
    this.runs.push({
      run: begun.run,
      made: Math.max(A.warmup, B.warmup),
      warmup: Math.max(A.decidedAfter, B.decidedAfter),
      stable: A.stable && B.stable,
      checks: [...ofA, ...ofB],
      apart: { A, B },
    });
    if (this.overRuns !== null && !this.isEnough) {
      this.overRuns.beginFork();
      for (let i = 0; i < this.measured; i++) this.overRuns.observe(measured.A[i]!, measured.B[i]!);
    }
    this.addMeasured([...measured.A, ...measured.B]);
  }

  override get warnings(): Warning[] {
    return [...super.warnings, ...this.#shortWarning()];
  }

  protected override isConstant(level: number | null): boolean {
    return level !== null && !Number.isNaN(level);
  }

  #shortWarning(): Warning[] {
    if (this.#short.length === 0) return [];
    const all = this.#short.length + this.runs.length;
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
class SideWarmup {
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
