import type { ApartStability } from '@deadheat/analysis';
import { pilotIterations } from './fit-iterations.ts';
import {
  inLayout,
  layoutOfRun,
  workloadFacts,
  methodFacts,
  sides,
  type Benchmark,
  type Failure,
  type Method,
  type Noise,
  type Params,
  type RunPhase,
  type Side,
  type StableRule,
  type Warning,
  type ExperimentConfig,
  type WarmupRule,
  type Trial,
} from '@deadheat/model';
import { longestTimerMs, monotonicNowNs } from '@deadheat/sync';
import { endByTime, steerByTime, endWhenMeasured } from './end-run.ts';
import type { NoiseProbe, NoiseProbes } from '../host/noise-probe.ts';
import { isAlonePilot, occupiedCpus, planTrial, type PlannedTrial } from '../plan/plan-trial.ts';
import type { TrialRecords, RecordedSides } from '@deadheat/recording';
import type { Ending, Executor, HooksAround, RunOutcome, RunRequest, Steering, SelfTimed } from '../run/executor.ts';
import { ObservedRuns } from './observed-runs.ts';
import type { Stabilities } from './stabilities.ts';
import { steerRun } from './steer-run.ts';
import { programNumber } from './executors.ts';
import { countingRequest, uncounted } from './counting-runs.ts';
import { namedFiles, type OutputChecks } from './output-checks.ts';
import { noRecords, takeRecords, type Classifier, type TakenRecords } from './take-records.ts';
import { toTrial } from './to-trial.ts';
import type { BenchmarkState } from './benchmark-state.ts';
import { judgePrinted, printsSoon, watchOutput, watchPrinted, type OutputWatch } from './watch-output.ts';

/** True if only its time limit kept a run from its end, and the settings let its iterations so far count. */
export function isCutByLimit({ containers }: Pick<Benchmark, 'containers'>, { failures }: RunOutcome): boolean {
  return containers?.countsCut === true && failures.length > 0 && failures.every(({ code }) => code === 'TIMEOUT');
}

/**
 * The warning that runs were ended by their limit. It is the same for every such run of a benchmark, so that it is reported
 * once.
 *
 * @param options.isRead whether iterations were found in what such a run had recorded
 */
function cutWarning(
  { name, workload }: Pick<Benchmark, 'name' | 'workload'>,
  { isRead }: { readonly isRead: boolean },
): Warning {
  const what = isRead
    ? 'the iterations until then count'
    : workloadFacts[workload].timesItself
      ? 'no iterations were found in what they had written, so that they do not count'
      : 'they are timed as a whole and do not count';
  return {
    code: 'RUNS_CUT',
    message: `${name}: runs were ended by their time limit; ${what}. Raise timeout, or have them do less.`,
  };
}

export interface TrialRunnerOptions {
  readonly executor: Executor;
  readonly files: TrialRecords;
  readonly stabilities: Stabilities;
  /** Id of this machine in an experiment over several; else `null`. */
  readonly host: string | null;
  /** Shared by the trialRunners of an experiment. */
  readonly setUps: SetUpGroups;
  readonly outputs: OutputChecks;
  readonly probes: NoiseProbes;
  /** `true` = failures may quote the output of the programs. */
  readonly quotesOutput: boolean;
  /** Moves this process away from the CPUs that a run occupies; gives what moves it back. */
  readonly stepAside?: (occupied: readonly number[]) => () => void;
}

/** An entry of the configuration, prepared for its runs. */
export type RunEntry = Pick<BenchmarkState, 'index' | 'group' | 'benchmark' | 'config'>;

/** An entry with the builds of one run, and the number by which executors know its programs. */
interface BuiltEntry extends RunEntry {
  readonly program: number;
}

export interface TrialRequest {
  readonly phase: RunPhase;
  readonly run: number;
  /** Present where the work of the sides is to be counted. */
  readonly counting?: true;
  /** Number of the trial in the recording. */
  readonly number: number;
  /** Ends it: the executor is to be aborted at the same time. */
  readonly signal: AbortSignal;
  /** Longest time with hooks, after which a result is no longer waited for; `null` = no limit. */
  readonly patienceNs: number | null;
}

/** A finished run, as its records are taken. */
interface RecordedRun extends Pick<Parameters<typeof takeRecords>[1], 'seen'> {
  readonly number: number;
  readonly outcome: RunOutcome;
  readonly planned: PlannedTrial;
}

/** All cleanup hooks get this time after an interruption before they go on in the background. */
const cleanUpMs = 500;

/** Groups of entries whose hooks `build` and `setup` were executed. */
export class SetUpGroups extends Set<number> {}

/** Makes single runs of an experiment on this machine, each with its hooks; one at a time. */
export class TrialRunner {
  readonly #options: TrialRunnerOptions;
  readonly #observed = new ObservedRuns();
  /** Commands whose output was read. */
  readonly #read = new Set<number>();
  /** The watch of the run in flight. */
  #watch: OutputWatch | null = null;

  constructor(options: TrialRunnerOptions) {
    this.#options = options;
  }

  /** Makes a run, and before the first one of a group of entries what that needs. */
  async make(
    asked: RunEntry,
    { phase, run, counting, number, signal, patienceNs }: TrialRequest,
  ): Promise<TrialResult> {
    const { executor, files, setUps, outputs, probes, host, stepAside } = this.#options;
    const beganNs = monotonicNowNs();
    const layout = layoutOfRun(asked.benchmark, run);
    const entry: BuiltEntry = {
      ...asked,
      benchmark: layout === null ? asked.benchmark : inLayout(asked.benchmark, layout),
      program: programNumber(asked.index, layout),
    };
    const group = programNumber(entry.group, layout);
    if (!setUps.has(group)) {
      setUps.add(group);
      for (const name of ['build', 'setup'] as const) {
        const failures = await this.#hooks(name, entry, signal);
        if (failures.length > 0) return { kind: 'not-run', failures };
      }
    }
    const planned: PlannedTrial = planTrial(entry.config, {
      benchmark: entry.index,
      phase,
      run,
      ...(counting === true
        ? { counting }
        : { alone: phase === 'pilot' && isAlonePilot(entry.config, { run, benchmark: entry.benchmark }) }),
    });
    const isAround = hasHooksAround(entry.benchmark, planned.method);
    const unprepared = isAround ? [] : await this.#hooks('prepare', entry, signal);
    if (unprepared.length > 0 || signal.aborted) return { kind: 'not-run', failures: unprepared };
    const whole = counting === true ? countingRequest(entry, planned) : await this.#request(entry, { planned, number });
    if (signal.aborted) {
      if (whole.selfTimed !== null) await files.drop(number);
      return { kind: 'not-run', failures: [] };
    }
    const limit = this.#limit(patienceNs === null ? null : patienceNs - (monotonicNowNs() - beganNs));
    const watch = toOutputWatch(entry.benchmark, whole);
    const checked =
      phase === 'pilot' && counting !== true && entry.config.sameOutput === true && whole.printed !== undefined
        ? { printed: whole.printed, named: namedFiles(entry, run, (side) => executor.folderOf(entry.program, side)) }
        : undefined;
    const printed =
      whole.printed === undefined ? null : watchPrinted(whole.printed, { keepsAll: checked !== undefined });
    this.#watch = watch;
    const occupied = occupiedCpus(planned);
    const stepBack = stepAside?.(occupied);
    const probe = probes.of(occupied);
    const around = isAround ? this.#hooksAround(entry, { signal, limit, probe }) : null;
    const request = around === null ? whole : { ...whole, around };
    probe.start();
    let noise: Noise;
    let outcome: RunOutcome;
    const warnings: Warning[] = [];
    try {
      outcome = await executor.run(request);
    } finally {
      noise = around?.noise() ?? probe.stop();
      stepBack?.();
      // A timer that is left would keep the process alive after an error.
      limit.clear();
      printed?.stop();
    }
    const texts = printed?.take(outcome) ?? [];
    const compared =
      checked === undefined || outcome.failures.length > 0
        ? null
        : await outputs.judge(entry, checked, outcome, signal);
    if (printed !== null) await files.drop(number);
    if (counting === true && outcome.failures.length > 0 && !signal.aborted) {
      warnings.push(uncounted(entry.benchmark, outcome));
      outcome = { ...outcome, failures: [] };
    }
    const seen = (await watch?.stop((side) => request.selfTimed?.ending?.readUntil(side) ?? null)) ?? null;
    if (signal.aborted || limit.isOver()) {
      if (request.selfTimed !== null) await files.drop(number);
      return limit.isOver() ? { kind: 'given-up' } : { kind: 'not-run', failures: [] };
    }
    if (around !== null && around.unprepared.length > 0) return { kind: 'not-run', failures: around.unprepared };
    if (phase === 'measure' && request.observes) this.#observed.take(entry.index, outcome);
    const isCut = isCutByLimit(entry.benchmark, outcome);
    warnings.push(...outcomeWarnings(outcome));
    const taken = isCut
      ? await this.#takeCutRecords(entry, { number, outcome, seen, planned }, warnings)
      : await this.#takeRecords(entry, { number, outcome, seen, planned });
    const judged = judgePrinted(texts, entry, outcome);
    warnings.push(...judged.warnings, ...(compared?.warnings ?? []));
    const concluded =
      taken.failures.length > 0 || isAround ? taken.failures : await this.#hooks('conclude', entry, signal);
    const differing = judged.failures.length > 0 ? judged.failures : (compared?.failures ?? []);
    const failures = concluded.length > 0 ? concluded : differing;
    const trial = toTrial({
      trial: number,
      host,
      planned,
      layout,
      outcome: { ...outcome, failures },
      records: taken.records,
      selfTimed: request.selfTimed !== null,
      counting: counting === true,
      noise,
      wallNs: monotonicNowNs() - beganNs,
    });
    return { kind: 'finished', trial, recorded: taken.recorded, isCut, warnings };
  }

  /**
   * Runs the cleanup hooks, also after a failure. After an interruption a hook that takes longer than a moment goes on in the
   * background; an interruption of the cleaning up itself ends that.
   */
  async cleanUp(signal: AbortSignal): Promise<readonly Failure[]> {
    const { executor, setUps } = this.#options;
    const wasAborted = signal.aborted;
    const end = performance.now() + cleanUpMs;
    const failures: Failure[] = [];
    for (const benchmark of setUps) {
      for (const side of sides) {
        if (signal.aborted && !wasAborted) return failures;
        const leave = wasAborted ? { leaveAfterMs: Math.max(0, end - performance.now()) } : {};
        const failure = await executor.hook('cleanup', { benchmark, side, ...leave });
        if (failure !== null) failures.push(failure);
      }
    }
    return failures;
  }

  async #request(
    { index, program, group, benchmark, config }: BuiltEntry,
    { planned, number }: { readonly planned: PlannedTrial; readonly number: number },
  ): Promise<RunRequest> {
    const { files } = this.#options;
    const { timeoutNs, runTimeoutNs, ignoreFailure, iterations } = config;
    const observes = this.#observed.observes(index, {
      phase: planned.phase,
      method: planned.method,
      workload: benchmark.workload,
      metric: config.metric,
      hasPilots: benchmark.chosen !== null,
    });
    const common = { ...planned, benchmark: program, timeoutNs, runTimeoutNs, ignoreFailure, observes };
    if (!workloadFacts[benchmark.workload].timesItself) {
      const reads = !this.#read.has(index) && printsSoon(benchmark, planned.phase);
      if (reads) this.#read.add(index);
      const checks = planned.phase === 'pilot' && config.sameOutput === true;
      const printed = reads || checks ? { printed: await files.prepare(number, benchmark) } : {};
      return { ...common, executions: iterations ?? 1, selfTimed: null, ...printed };
    }
    const paths = await files.prepare(number, benchmark);
    const calibration = await files.calibration(group);
    const steering = this.#steering(index, { benchmark, config, planned });
    const ending = this.#ending(index, { benchmark, config, planned, files: paths });
    return {
      ...common,
      executions: 1,
      selfTimed: toSelfTimed(iterationsAs(config, planned.phase), {
        files: paths,
        calibration,
        steering,
        ending,
        laterIterations: config.iterations,
      }),
    };
  }

  /** `null` where iterations are counted beforehand. */
  #steering(
    entry: number,
    facts: Pick<RunEntry, 'benchmark' | 'config'> & { readonly planned: PlannedTrial },
  ): Steering | null {
    const { stabilities } = this.#options;
    const { benchmark, config, planned } = facts;
    // Decisions do not reach sides without a shared page, as in pilot runs on a single CPU.
    if (!methodFacts[planned.method].barrier) return null;
    const { run, phase } = planned;
    const { stable, lengthNs = null } = config;
    // Processes that a container engine starts must not inherit the CPU affinity of this thread.
    const cpus = benchmark.containers === null ? planned.cpus : null;
    if (stable === null && lengthNs !== null) return steerByTime({ lengthNs, cpus });
    if (!stabilities.follows(entry)) return null;
    const warmsUp = (stable?.mostWarmup ?? 0) > 0;
    return steerRun({ run, phase, cpus, warmsUp, stabilityOf: (name) => stabilities.of(entry, name) });
  }

  /** `null` where programs end by themselves. */
  #ending(
    entry: number,
    {
      benchmark: { parser, workload, containers },
      config: { stable, lengthNs = null },
      planned: { run, phase, cpus, method },
      files,
    }: Pick<RunEntry, 'benchmark' | 'config'> & {
      readonly planned: PlannedTrial;
      readonly files: Readonly<Record<Side, string>>;
    },
  ): Ending | null {
    const { stabilities } = this.#options;
    if (stable === null && lengthNs !== null && containers === null && !methodFacts[method].barrier) {
      return endByTime({ lengthNs, cpus, files, printed: workloadFacts[workload].printed });
    }
    if (parser?.kind !== 'built-in' || !stabilities.followsApart(entry)) return null;
    function stabilityOf(params: Params): ApartStability {
      return stabilities.lookApart(entry, params);
    }
    const onRead = (): void => this.#watch?.look();
    return endWhenMeasured({ run, phase, cpus, files, parser: parser.name, onRead, stabilityOf });
  }

  /** Reads the records that the sides wrote themselves; a malformed record makes the run a failed one. */
  async #takeRecords(
    { index, benchmark, config }: RunEntry,
    { number, outcome, seen, planned }: RecordedRun,
  ): Promise<TakenRecords> {
    if (!workloadFacts[benchmark.workload].timesItself || outcome.failures.length > 0) {
      return { records: noRecords, recorded: null, failures: outcome.failures };
    }
    const { files, stabilities, quotesOutput } = this.#options;
    const classify: Classifier | null = stabilities.followsApart(index)
      ? {
          warmupOf: (recorded) => stabilities.classify(index, planned, recorded),
          iterationsAtMost: stabilities.lookApart(index, {}).iterationsAtMost,
        }
      : null;
    return takeRecords(files, {
      trial: number,
      benchmark,
      method: planned.method,
      seen,
      classify,
      strict: config.strict,
      needsInvocations: methodFacts[planned.method].barrier && config.stable?.criteria.includes('kld') === true,
      quotesOutput,
    });
  }

  /** Takes the records of a run that its limit ended: unreadable ones are no failure of their own. */
  async #takeCutRecords(entry: RunEntry, run: RecordedRun, warnings: Warning[]): Promise<TakenRecords> {
    const { benchmark } = entry;
    const { outcome } = run;
    const taken = workloadFacts[benchmark.workload].timesItself
      ? await this.#takeRecords(entry, { ...run, outcome: { ...outcome, failures: [] } })
      : null;
    const isRead = taken !== null && taken.failures.length === 0;
    warnings.push(cutWarning(benchmark, { isRead }));
    return isRead ? taken : { records: noRecords, recorded: null, failures: outcome.failures };
  }

  /** Ends the run in flight when its time is over; a hook is not ended. */
  #limit(leftNs: number | null): Limit {
    let over = false;
    let isHeld = false;
    const timer =
      leftNs === null
        ? undefined
        : setTimeout(
            () => {
              over = true;
              if (!isHeld) this.#options.executor.abort();
            },
            Math.min(Math.max(0, leftNs / 1e6), longestTimerMs),
          );
    return {
      clear: () => clearTimeout(timer),
      isOver: () => over,
      hold: () => (isHeld = true),
      release: () => (isHeld = false),
    };
  }

  /** Hooks of sides that take turns, each directly before and after its own, where neither the limit nor the noise of the run sees them. */
  #hooksAround(
    entry: BuiltEntry,
    { signal, limit, probe }: { readonly signal: AbortSignal; readonly limit: Limit; readonly probe: NoiseProbe },
  ): HooksAround & { readonly unprepared: Failure[]; noise(): Noise | null } {
    const unprepared: Failure[] = [];
    const noises: Noise[] = [];
    const hook = async (name: 'prepare' | 'conclude', side: Side): Promise<Failure | null> => {
      limit.hold();
      const [failure = null] = await this.#hooks(name, entry, signal, [side]);
      limit.release();
      return failure;
    };
    return {
      unprepared,
      noise: () => sumOfNoise(noises),
      goesOn: () => !signal.aborted && !limit.isOver(),
      before: async (side) => {
        const failure = await hook('prepare', side);
        if (failure !== null) unprepared.push(failure);
        probe.start();
        return failure;
      },
      after: async (side) => {
        noises.push(probe.stop());
        // Both sides were measured, and what follows is waited for.
        if (noises.length === sides.length) limit.clear();
        return hook('conclude', side);
      },
    };
  }

  async #hooks(
    name: 'build' | 'setup' | 'prepare' | 'conclude',
    { program }: BuiltEntry,
    signal: AbortSignal,
    of: readonly Side[] = sides,
  ): Promise<readonly Failure[]> {
    for (const side of of) {
      if (signal.aborted) return [];
      const failure = await this.#options.executor.hook(name, { benchmark: program, side });
      if (failure !== null && !signal.aborted) return [failure];
    }
    return [];
  }
}

/** The time that is left for a run. */
interface Limit {
  clear(): void;
  isOver(): boolean;
  /** While it is held, nothing is ended. */
  hold(): void;
  release(): void;
}

/** True for commands that take turns on this machine: each side has its hooks around it. What programs wrote is read before they are concluded. */
function hasHooksAround({ hooks, workload, containers }: Benchmark, method: Method): boolean {
  if (methodFacts[method].together || workloadFacts[workload].timesItself || containers !== null) return false;
  return sides.some((side) => hooks[side].prepare !== null || hooks[side].conclude !== null);
}

/** The noise of both parts of a run; `null` without any. */
function sumOfNoise(parts: readonly Noise[]): Noise | null {
  function total(key: keyof Noise): number | null {
    return parts.reduce<number | null>((sum, part) => (sum === null || part[key] === null ? null : sum + part[key]), 0);
  }
  if (parts.length === 0) return null;
  return {
    stealNs: total('stealNs'),
    throttledNs: total('throttledNs'),
    contextSwitches: total('contextSwitches'),
  };
}

/** `null` for a program that no parser reads. */
function toOutputWatch(benchmark: Benchmark, { selfTimed, run }: RunRequest): OutputWatch | null {
  return selfTimed === null || benchmark.parser === null
    ? null
    : watchOutput(benchmark, { files: selfTimed.files, run });
}

/** Pilot runs are short where the iterations of the other runs will be fitted to them. */
function iterationsAs(config: ExperimentConfig, phase: RunPhase): ExperimentConfig {
  if (phase !== 'pilot' || config.fitIterations !== true || config.maxTimeNs === null) return config;
  return { ...config, iterations: Math.min(pilotIterations, config.iterations ?? pilotIterations) };
}

/** More iterations than a run makes: the runner ends it. The most that the protocol's clients read. */
const untilStop = 999_999_999;

/**
 * The settings that a program which times itself gets in a run. Where warm-up cannot be followed it is as
 * long as it may be.
 */
function toSelfTimed(
  { iterations: asked, lengthNs, warmup, stable, fill, tradeEvery }: ExperimentConfig,
  given: Pick<SelfTimed, 'files' | 'calibration' | 'steering' | 'ending'> & { readonly laterIterations: number | null },
): SelfTimed {
  const { laterIterations, ...places } = given;
  const makesFewer = laterIterations !== null && laterIterations !== asked;
  const common = { ...places, fill, tradeEvery, ...(makesFewer ? { laterIterations } : {}) };
  const iterations = asked ?? (lengthNs == null ? null : untilStop);
  if (stable === null)
    return { ...common, iterations, warmup: warmupIterations(warmup, lengthNs == null ? asked : null) };
  if (places.ending !== null) return { ...common, iterations: null, warmup: null };
  if (places.steering !== null) {
    const asked = judgesInvocations(stable) ? { samples: mostSamples } : {};
    return { ...common, ...asked, iterations: untilStop, warmup: 0 };
  }
  const most = Math.floor(stable.mostWarmup * stable.liftCaps);
  return { ...common, iterations: most + stable.measured, warmup: most };
}

/** Number of invocations of an iteration that the criteria draw (FSE'20, section 5.3.2). */
const mostSamples = 1000;

/** True if a criterion needs the distribution of invocations; `cv` needs no more than their mean. */
function judgesInvocations({ criteria }: StableRule): boolean {
  return criteria.some((criterion) => criterion !== 'cv');
}

/** `null` = unknown before the run is over. */
function warmupIterations(rule: WarmupRule, iterations: number | null): number | null {
  if (rule.kind === 'none') return 0;
  if (rule.kind === 'fixed') return rule.iterations;
  if (rule.kind === 'time') return null;
  return iterations === null ? null : Math.floor(iterations / 2);
}

/** The result of one planned run. */
export type TrialResult =
  /** A hook before it failed, or it was interrupted (no failures then); it leaves no trace. */
  | { readonly kind: 'not-run'; readonly failures: readonly Failure[] }
  /** It was ended because a result is no longer waited for. */
  | { readonly kind: 'given-up' }
  | {
      readonly kind: 'finished';
      readonly trial: Trial;
      /** Records that its programs wrote themselves, where they can be used. */
      readonly recorded: RecordedSides | null;
      /** `true` = its limit ended it, which is no failure of the experiment. */
      readonly isCut: boolean;
      /** Warnings for the reader of the report. */
      readonly warnings: readonly Warning[];
    };

/** Standard error is kept in memory while a program runs; from here on that is worth knowing. */
const largeBytes = 16 * 1024 * 1024;

/** The warnings about side effects of a run that counts. They are the same for every run that has them, so that each is reported once. */
export function outcomeWarnings({ sides: outcomes, failures }: RunOutcome): readonly Warning[] {
  if (failures.length > 0) return [];
  const warnings: Warning[] = [];
  for (const side of sides) {
    const { strays, stderrBytes } = outcomes[side];
    if (strays > 0) {
      warnings.push({
        code: 'STRAY_PROCESSES',
        message:
          `${side} left processes running behind it, which were ended (--ignore-failure let the run count). While they ` +
          'lived they took time from the sides; have the command wait for them.',
      });
    }
    if (stderrBytes > largeBytes) {
      warnings.push({
        code: 'STDERR_LARGE',
        message:
          `${side} writes more than 16 MiB to standard error in an execution, which is kept in memory until it ends and is ` +
          'part of its time. Redirect it if that is not meant to be measured: 2> /dev/null.',
      });
    }
  }
  return warnings;
}
