import { analyseRecording, lookAtBenchmark, type ApartStability } from '@deadheat/analysis';
import {
  sides,
  type Benchmark,
  type BenchmarkPoints,
  type Comparison,
  type EngineEvent,
  type Experiment,
  type ExperimentConfig,
  type Failure,
  type Params,
  type Progress,
  type Report,
  type Side,
  type Trial,
  type Warning,
} from '@deadheat/model';
import { longestTimerMs, monotonicNowNs } from '@deadheat/sync';
import { createNoiseProbe, noiseWarnings } from './host/index.ts';
import {
  decideStop,
  expectedRuns,
  hopelessAfterNs,
  planTrial,
  roundOrder,
  shareDone,
  type PlannedTrial,
  type Prospect,
  type Standing,
} from './plan/index.ts';
import { benchmarksDiffer } from './benchmarks-differ.ts';
import { cutWarning, isCutByLimit } from './cut-runs.ts';
import { keepArtifacts } from './keep-artifacts.ts';
import { limitWarning } from './limit-warnings.ts';
import { measure } from './measure.ts';
import { TrialRecords, type RecordedSides, type RecordingWriter } from './record/index.ts';
import { pointsOf } from './points-of.ts';
import { outcomeWarnings } from './outcome-warnings.ts';
import type { Ending, Executor, RunOutcome, RunRequest, Steering } from './run/index.ts';
import { toNoisyRun } from './to-noisy-run.ts';
import { endWhenMeasured } from './end-when-measured.ts';
import { noRecords, takeRecords, type Classifier, type TakenRecords } from './take-records.ts';
import { toSelfTimed } from './self-timed.ts';
import { Stabilities } from './stabilities.ts';
import { steerRun } from './steer-run.ts';
import { today } from './today.ts';
import { toTrial } from './to-trial.ts';
import { watchOutput, type OutputWatch } from './watch-output.ts';
import { createTracks, type Track } from './track.ts';

/** How an experiment ended. */
export type Outcome =
  | { readonly kind: 'done' }
  /** A workload or a hook failed; the runs before it are kept. */
  | { readonly kind: 'failed'; readonly failures: readonly Failure[] }
  | { readonly kind: 'interrupted' }
  /** The time limit passed without a result for every benchmark. */
  | { readonly kind: 'time-limit' };

export interface SessionResult {
  readonly directory: string;
  readonly report: Report;
  readonly outcome: Outcome;
  /** What was measured, as a report draws it; made when it is asked for. */
  readonly points: () => readonly BenchmarkPoints[];
}

export interface SessionOptions {
  readonly experiment: Experiment;
  readonly recording: RecordingWriter;
  /** Trials that were recorded before; empty unless the experiment is resumed. */
  readonly recorded: readonly Trial[];
  readonly executor: Executor;
  /** Ends the experiment in order; what is recorded stays and is analysed. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
}

/**
 * Runs an experiment to its end: trials in randomised rounds over all benchmarks that still need runs, each journalled
 * before the next begins; then the analysis. The only place where plan, run, record, host and analysis meet.
 */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const session = new Session(options);
  return session.run();
}

/** A finished run, as its records are taken. */
interface RecordedRun extends Pick<Parameters<typeof takeRecords>[1], 'seen'> {
  readonly number: number;
  readonly outcome: RunOutcome;
  readonly planned: PlannedTrial;
}

class Session {
  readonly #options: SessionOptions;
  readonly #config: ExperimentConfig;
  readonly #trials: Trial[];
  readonly #tracks: readonly Track[];
  readonly #warnings: Warning[] = [];
  readonly #files: TrialRecords;
  /** What programs recorded themselves, by trial. */
  readonly #records = new Map<number, RecordedSides>();
  /** Groups of tracks that are set up. */
  readonly #setUp = new Set<number>();
  readonly #stabilities: Stabilities;
  /** Id of this machine in an experiment over several; else `null`. */
  readonly #host: string | null;
  /** Of the run in flight. */
  #watch: OutputWatch | null = null;
  #outOfTime = false;
  readonly #beganNs = monotonicNowNs();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#config = options.experiment.config;
    this.#trials = [...options.recorded];
    this.#tracks = createTracks(this.#config, options.recorded, options.experiment.parts);
    this.#stabilities = new Stabilities(this.#config);
    this.#files = new TrialRecords(options.recording.directory);
    this.#host = options.experiment.hosts?.[0]?.id ?? null;
  }

  async run(): Promise<SessionResult> {
    const { experiment, recording, executor, signal, onEvent, recorded } = this.#options;
    onEvent({
      kind: 'experiment-started',
      directory: recording.directory,
      experiment,
      resumedTrials: recorded.length,
    });
    const abort = (): void => executor.abort();
    signal.addEventListener('abort', abort);
    let failures: readonly Failure[];
    try {
      for (const [trial, sides] of await this.#files.read(recorded)) this.#records.set(trial, sides);
      this.#stabilities.replay(recorded, this.#records);
      for (const [index, benchmark] of this.#config.benchmarks.entries()) await executor.define(index, benchmark);
      if (recorded.length === 0) this.#warnings.push(...(await keepArtifacts(this.#config, recording.directory)));
      failures = await this.#rounds();
      const uncleaned = await this.#cleanUp();
      if (failures.length === 0) failures = uncleaned;
    } finally {
      signal.removeEventListener('abort', abort);
      await executor.close();
    }
    return this.#finish(failures);
  }

  async #rounds(): Promise<readonly Failure[]> {
    const { signal } = this.#options;
    const probe = createNoiseProbe({ cpus: this.#config.cpus });
    try {
      for (const track of this.#tracks) this.#decide(track);
      for (let round = 0; ; round++) {
        const open = this.#tracks.filter(({ decision }) => decision.kind === 'go-on').map(({ index }) => index);
        if (open.length === 0) return [];
        for (const index of this.#order(round, open)) {
          const track = this.#tracks[index];
          if (track === undefined) continue;
          if (signal.aborted || this.#isOutOfTime()) return [];
          const failures = await this.#trial(track, probe);
          if (failures.length > 0) return failures;
        }
      }
    } finally {
      probe.close();
    }
  }

  /** Which of the open benchmarks have a run in this round, in their order. */
  #order(round: number, open: readonly number[]): readonly number[] {
    const { schedule, seed } = this.#config;
    return schedule === 'sequential' ? open.slice(0, 1) : roundOrder({ seed, round, benchmarks: open });
  }

  #isOutOfTime(): boolean {
    const { experimentTimeoutNs } = this.#config;
    if (experimentTimeoutNs === null) return false;
    const recordedNs = this.#options.recorded.reduce((sum, { wallNs }) => sum + wallNs, 0);
    this.#outOfTime ||= monotonicNowNs() - this.#beganNs + recordedNs >= experimentTimeoutNs;
    return this.#outOfTime;
  }

  /** One run with its hooks. Returns why it failed; an interrupted run leaves no trace. */
  async #trial(track: Track, probe: ReturnType<typeof createNoiseProbe>): Promise<readonly Failure[]> {
    const { executor, recording, signal, onEvent } = this.#options;
    const beganNs = monotonicNowNs();
    if (!this.#setUp.has(track.group)) {
      this.#setUp.add(track.group);
      for (const name of ['build', 'setup'] as const) {
        const failures = await this.#hooks(name, track);
        if (failures.length > 0) return failures;
      }
    }
    const phase = track.warmups < track.config.warmupRuns ? 'warmup' : 'measure';
    const planned: PlannedTrial = planTrial(track.config, {
      benchmark: track.index,
      phase,
      run: phase === 'warmup' ? track.warmups : (track.gaps[0] ?? track.firstRun + track.runs),
    });
    const unprepared = await this.#hooks('prepare', track);
    if (unprepared.length > 0 || signal.aborted) return unprepared;
    const number = (this.#trials.at(-1)?.trial ?? -1) + 1;
    const request = await this.#request(track, { planned, number });
    const limit = this.#limitHopeless(track, beganNs);
    const watch = toOutputWatch(track.benchmark, request);
    this.#watch = watch;
    probe.start();
    const outcome = await executor.run(request);
    const noise = probe.stop();
    limit.clear();
    const seen = (await watch?.stop((side) => request.selfTimed?.ending?.readUntil(side) ?? null)) ?? null;
    if (signal.aborted || track.decision.kind === 'hopeless') {
      if (request.selfTimed !== null) await this.#files.drop(number);
      return [];
    }
    this.#remark(outcome);
    const isCut = isCutByLimit(track.benchmark, outcome);
    const taken = isCut
      ? await this.#takeCutRecords(track, { number, outcome, seen, planned })
      : await this.#takeRecords(track, { number, outcome, seen, planned });
    const failures = taken.failures.length > 0 ? taken.failures : await this.#hooks('conclude', track);
    const trial = toTrial({
      trial: number,
      host: this.#host,
      planned,
      method: request.method,
      outcome: { ...outcome, failures },
      records: taken.records,
      selfTimed: request.selfTimed !== null,
      noise,
      wallNs: monotonicNowNs() - beganNs,
    });
    recording.append(trial);
    this.#trials.push(trial);
    track.elapsedNs += trial.wallNs;
    if (failures.length > 0 && !isCut) return failures;
    if (failures.length === 0) {
      track.trials.push(trial);
      // Programs that meet at a page were followed while they ran.
      if (this.#stabilities.followsApart(track.index)) this.#stabilities.replay([trial], this.#records);
    }
    if (phase === 'warmup') track.warmups++;
    else {
      track.runs++;
      track.gaps.shift();
    }
    this.#decide(track);
    onEvent({ kind: 'trial-finished', trial, progress: this.#progress(track) });
    return [];
  }

  async #request(
    { index, group, benchmark, config }: Track,
    { planned, number }: { readonly planned: PlannedTrial; readonly number: number },
  ): Promise<RunRequest> {
    const { method, timeoutNs, runTimeoutNs, ignoreFailure, iterations } = config;
    const common = { ...planned, benchmark: index, method, timeoutNs, runTimeoutNs, ignoreFailure };
    if (benchmark.workload === 'command') return { ...common, executions: iterations ?? 1, selfTimed: null };
    const files = await this.#files.prepare(number, benchmark);
    const calibration = await this.#files.calibration(group);
    const steering = this.#steering(index, { benchmark, config, planned });
    const ending = this.#ending(index, { benchmark, planned, files });
    return { ...common, executions: 1, selfTimed: toSelfTimed(config, { files, calibration, steering, ending }) };
  }

  /** `null` where iterations are counted beforehand. */
  #steering(
    entry: number,
    facts: Pick<Track, 'benchmark' | 'config'> & { readonly planned: PlannedTrial },
  ): Steering | null {
    if (!this.#stabilities.follows(entry)) return null;
    const { benchmark, config, planned } = facts;
    const { run, phase } = planned;
    const warmsUp = (config.stable?.mostWarmup ?? 0) > 0;
    // What an engine of containers starts is not to inherit where this thread may run.
    const cpus = benchmark.containers === null ? planned.cpus : null;
    return steerRun({ run, phase, cpus, warmsUp, stabilityOf: (name) => this.#stabilities.of(entry, name) });
  }

  /** `null` where programs end by themselves. */
  #ending(
    entry: number,
    {
      benchmark: { parser },
      planned: { run, phase, cpus },
      files,
    }: Pick<Track, 'benchmark'> & {
      readonly planned: PlannedTrial;
      readonly files: Readonly<Record<Side, string>>;
    },
  ): Ending | null {
    if (parser?.kind !== 'built-in' || !this.#stabilities.followsApart(entry)) return null;
    const stabilityOf = (params: Params): ApartStability => this.#stabilities.lookApart(entry, params);
    const onRead = (): void => this.#watch?.look();
    return endWhenMeasured({ run, phase, cpus, files, parser: parser.name, onRead, stabilityOf });
  }

  /** Reads what the sides recorded themselves; a record that is wrong makes the run a failed one. */
  async #takeRecords(
    { index, benchmark, config: { method } }: Track,
    { number, outcome, seen, planned }: RecordedRun,
  ): Promise<TakenRecords> {
    if (benchmark.workload === 'command' || outcome.failures.length > 0) {
      return { records: noRecords, recorded: null, failures: outcome.failures };
    }
    const classify: Classifier | null = this.#stabilities.followsApart(index)
      ? {
          warmupOf: (recorded) => this.#stabilities.classify(index, planned, recorded),
          iterationsAtMost: this.#stabilities.lookApart(index, {}).iterationsAtMost,
        }
      : null;
    const taken = await takeRecords(this.#files, { trial: number, benchmark, method, seen, classify });
    if (taken.recorded !== null) this.#records.set(number, taken.recorded);
    return taken;
  }

  /** As `#takeRecords` for a run that its limit ended: what cannot be read then is no failure of its own. */
  async #takeCutRecords(track: Track, run: RecordedRun): Promise<TakenRecords> {
    const { benchmark } = track;
    const { outcome } = run;
    const taken =
      benchmark.workload === 'command'
        ? null
        : await this.#takeRecords(track, { ...run, outcome: { ...outcome, failures: [] } });
    const isRead = taken !== null && taken.failures.length === 0;
    this.#warn([cutWarning(benchmark, { isRead })]);
    return isRead ? taken : { records: noRecords, recorded: null, failures: outcome.failures };
  }

  #warn(warnings: readonly Warning[]): void {
    for (const warning of warnings) {
      if (!this.#warnings.some(({ code, message }) => code === warning.code && message === warning.message)) {
        this.#warnings.push(warning);
      }
    }
  }

  /** Remembers, once for each side, what a run did that its reader should know. */
  #remark(outcome: RunOutcome): void {
    this.#warn(outcomeWarnings(outcome));
  }

  /** Ends the run in flight where even its end could not bring a result within the last of the patience. */
  #limitHopeless(track: Track, beganNs: number): { clear(): void } {
    const lastNs = hopelessAfterNs(track.config);
    if (lastNs === null || track.runs >= track.config.leastRuns) return { clear: () => {} };
    const leftNs = lastNs - track.elapsedNs - (monotonicNowNs() - beganNs);
    const timer = setTimeout(
      () => {
        track.decision = { kind: 'hopeless' };
        this.#options.executor.abort();
      },
      Math.min(Math.max(0, leftNs / 1e6), longestTimerMs),
    );
    return { clear: () => clearTimeout(timer) };
  }

  /**
   * What was set up is cleaned up, also after a failure and after an interruption; an interruption of the cleaning up
   * itself ends that too.
   */
  async #cleanUp(): Promise<readonly Failure[]> {
    const { executor, signal } = this.#options;
    const wasAborted = signal.aborted;
    const failures: Failure[] = [];
    for (const benchmark of this.#setUp) {
      for (const side of sides) {
        if (signal.aborted && !wasAborted) return failures;
        const failure = await executor.hook('cleanup', { benchmark, side });
        if (failure !== null) failures.push(failure);
      }
    }
    return failures;
  }

  async #hooks(name: 'build' | 'setup' | 'prepare' | 'conclude', track: Track): Promise<readonly Failure[]> {
    for (const side of sides) {
      if (this.#options.signal.aborted) return [];
      const failure = await this.#options.executor.hook(name, { benchmark: track.index, side });
      if (failure !== null && !this.#options.signal.aborted) return [failure];
    }
    return [];
  }

  #standing(track: Track): Standing {
    const { runs, elapsedNs } = track;
    return {
      runs,
      elapsedNs,
      stable: this.#stabilities.areEnough(track.index),
      look: (facts) => this.#look(track, facts),
    };
  }

  /** What is left to do for the benchmarks that a track's program holds, all of them together. */
  #look({ trials, index, config }: Track, { mostRuns }: { readonly mostRuns: number }): Prospect {
    const measured = measure(trials, { config: this.#config, records: this.#records });
    const looks = measured
      .filter(({ entry }) => entry === index)
      .map(({ benchmark, runs }) => lookAtBenchmark({ runs, benchmark, config }, { mostRuns }));
    if (looks.length === 0) return { halfWidth: Infinity, decided: false, futile: false };
    return {
      halfWidth: Math.max(...looks.map(({ halfWidth }) => halfWidth)),
      decided: looks.every(({ decided }) => decided),
      futile: looks.every(({ decided, futile }) => decided || futile),
    };
  }

  #decide(track: Track): void {
    track.decision = decideStop(track.config, this.#standing(track));
  }

  #progress(track: Track): Progress {
    return {
      benchmark: track.index,
      runs: track.runs,
      expectedRuns: expectedRuns(track.config.stop),
      elapsedNs: track.elapsedNs,
      share: shareDone(track.config, this.#standing(track)),
      done: track.decision.kind !== 'go-on',
    };
  }

  async #finish(failures: readonly Failure[]): Promise<SessionResult> {
    const { experiment, recording, onEvent } = this.#options;
    const outcome = this.#outcome(failures);
    if (outcome.kind === 'interrupted') {
      this.#warnings.push({
        code: 'INTERRUPTED',
        message: `The experiment was interrupted; finish it with: deadheat --resume '${recording.directory}'`,
      });
    }
    const source = { config: this.#config, records: this.#records };
    this.#warnings.push(...noiseWarnings(this.#trials.map(toNoisyRun)), ...benchmarksDiffer(this.#trials, source));
    const measured = measure(this.#trials, source);
    const report = analyseRecording({
      experiment,
      measured,
      directory: recording.directory,
      complete: outcome.kind === 'done',
      warnings: this.#warnings,
      today: today(),
    });
    for (const comparison of report.comparisons) {
      const limited = this.#tracks.find(
        ({ decision, benchmark, config }) =>
          decision.kind === 'time-limit' && config.method === comparison.method && isOf(comparison, benchmark),
      );
      const warning = limited === undefined ? null : limitWarning(comparison, limited.config.stop);
      if (warning !== null) comparison.warnings.push(warning);
    }
    for (const warning of report.warnings) onEvent({ kind: 'warning', warning });
    await recording.writeIterations({ trials: this.#trials, experiment, records: this.#records });
    await recording.writeReport(report);
    recording.close();
    onEvent({ kind: 'experiment-finished', directory: recording.directory, report });
    const points = (): readonly BenchmarkPoints[] => pointsOf(measured, { config: this.#config, segments: 'auto' });
    return { directory: recording.directory, report, outcome, points };
  }

  #outcome(failures: readonly Failure[]): Outcome {
    if (this.#options.signal.aborted) return { kind: 'interrupted' };
    if (failures.length > 0) return { kind: 'failed', failures };
    const isWithoutResult = this.#tracks.some(({ runs }) => runs < 2);
    if (this.#tracks.some(({ decision }) => decision.kind === 'hopeless') || (this.#outOfTime && isWithoutResult)) {
      return { kind: 'time-limit' };
    }
    return { kind: 'done' };
  }
}

/** `null` for a program that no parser reads. */
function toOutputWatch(benchmark: Benchmark, { selfTimed, run }: RunRequest): OutputWatch | null {
  return selfTimed === null || benchmark.parser === null
    ? null
    : watchOutput(benchmark, { files: selfTimed.files, run });
}

function isOf(comparison: Comparison, benchmark: Benchmark): boolean {
  if (benchmark.name !== comparison.benchmark) return false;
  return Object.entries(benchmark.params).every(([name, value]) => comparison.params[name] === value);
}
