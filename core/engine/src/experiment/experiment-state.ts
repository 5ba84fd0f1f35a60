import {
  analyseInterim,
  analyseRecording,
  chooseByPilot,
  comparesWaiting,
  relativeHalfWidth,
} from '@deadheat/analysis';
import {
  DeadheatError,
  configOf,
  stopRuleOf,
  type Benchmark,
  type BenchmarkPoints,
  type Comparison,
  type EngineEvent,
  type Experiment,
  type Failure,
  type Host,
  type InterimAnalysis,
  type Method,
  type ProgramFacts,
  type Progress,
  type Report,
  type Trial,
  type Warning,
  type ExperimentConfig,
} from '@deadheat/model';
import {
  benchmarksDiffer,
  measure,
  recordedNames,
  type MeasuredEntry,
  TrialRecords,
  type RecordedSides,
  type RecordingWriter,
} from '@deadheat/recording';
import { noiseWarnings } from '../host/machine-warnings.ts';
import { decideStop, shareDone, type StopInputs } from '../plan/stop.ts';
import {
  measuredHere,
  pointsOf,
  toNoisyRuns,
  today,
  warningsOfChosen,
  warningsOfObserved,
} from '../recorded/analyse-recorded.ts';
import { KeptTrials } from './kept-trials.ts';
import { Stabilities } from './stabilities.ts';
import { changeInvocations, fitInvocations, iterationTimes } from './fit-iterations.ts';
import { createBenchmarkStates, elapsedNsOf, longPilotNs, type BenchmarkState } from './benchmark-state.ts';

/** The way in which an experiment ended. */
export type Outcome =
  | { readonly kind: 'done' }
  /** A workload or a hook failed; the runs before it are kept. */
  | { readonly kind: 'failed'; readonly failures: readonly Failure[] }
  | { readonly kind: 'interrupted' }
  /** The time limit passed without a result for every benchmark. */
  | { readonly kind: 'time-limit' };

export interface SessionResult {
  readonly directory: string;
  /** The experiment as recorded at the end, with the methods that were chosen. */
  readonly experiment: Experiment;
  readonly report: Report;
  readonly outcome: Outcome;
  /** The measurements, as a report draws them; computed at the first call. */
  readonly points: () => readonly BenchmarkPoints[];
}

export interface ExperimentStateOptions {
  readonly experiment: Experiment;
  readonly recording: RecordingWriter;
  /** Trials that were recorded before. */
  readonly recorded: readonly Trial[];
  /** `elsewhere`: by a process that followed them with what it knew, so that they are followed again here. */
  readonly executed?: 'here' | 'elsewhere';
  readonly onEvent: (event: EngineEvent) => void;
}

/** Number of pilot runs that are added where the first ones suggest that the sides wait for each other. */
const morePilots = 2;

/** A run as the state of the experiment takes it. */
export interface FinishedRun {
  readonly trial: Trial;
  readonly recorded: RecordedSides | null;
  readonly isCut: boolean;
  /** `true` = it only confirms measurements of others: stop rules do not count it. */
  readonly confirms?: boolean;
  readonly warnings: readonly Warning[];
}

/**
 * Keeps the runs of an experiment, wherever they were made: journals them, decides by the stop rule which benchmarks need
 * more, and judges in the end.
 */
export class ExperimentState {
  readonly benchmarkStates: readonly BenchmarkState[];
  readonly stabilities: Stabilities;
  readonly files: TrialRecords;
  readonly #options: ExperimentStateOptions;
  #experiment: Experiment;
  readonly #trials: KeptTrials;
  /** Ids of the machines that brought runs. */
  readonly #hosts: Set<string>;
  #nextNumber: number;
  readonly #warnings: Warning[] = [];
  /** Records that programs wrote themselves, by trial. */
  readonly #records = new Map<number, RecordedSides>();

  constructor(options: ExperimentStateOptions) {
    const { experiment, recording, recorded } = options;
    this.#options = options;
    this.#experiment = experiment;
    this.#trials = new KeptTrials(recording, { recorded });
    this.#hosts = new Set((experiment.hosts ?? []).map(({ id }) => id));
    this.#nextNumber = recorded.reduce((most, { trial }) => Math.max(most, trial), -1) + 1;
    const counted = countedIn(experiment);
    this.benchmarkStates = createBenchmarkStates(experiment.config, recorded.filter(counted), experiment.parts);
    this.stabilities = new Stabilities(experiment.config);
    this.files = new TrialRecords(recording.directory);
  }

  /** A number for a trial that no other has. */
  takeNumber(): number {
    return this.#nextNumber++;
  }

  get experiment(): Experiment {
    return this.#experiment;
  }

  /**
   * Reads the earlier runs of the recording and emits the first event.
   *
   * @throws RecordError like `readRecording`
   */
  async begin(): Promise<void> {
    const { recorded, recording, onEvent } = this.#options;
    const resumedTrials = recorded.length;
    onEvent({
      kind: 'experiment-started',
      directory: recording.directory,
      experiment: this.#experiment,
      resumedTrials,
    });
    for (const [trial, sides] of await this.files.read(recorded)) this.#records.set(trial, sides);
    this.stabilities.replay(recorded, this.#records);
    for (const state of this.benchmarkStates) await this.#choose(state);
    for (const state of this.benchmarkStates) this.decide(state);
  }

  /**
   * Makes machines known that bring runs, each once.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async addHosts(hosts: readonly Host[]): Promise<void> {
    const unknown = new Map(hosts.filter(({ id }) => !this.#hosts.has(id)).map((host) => [host.id, host]));
    if (unknown.size === 0) return;
    for (const id of unknown.keys()) this.#hosts.add(id);
    this.#experiment = { ...this.#experiment, hosts: [...(this.#experiment.hosts ?? []), ...unknown.values()] };
    await this.#options.recording.writeExperiment(this.#experiment);
  }

  /**
   * Keeps what is known of the programs.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async describe(programs: ProgramFacts): Promise<void> {
    this.#experiment = { ...this.#experiment, programs };
    await this.#options.recording.writeExperiment(this.#experiment);
  }

  /** Adds warnings for the reader of the report, each once. */
  warn(warnings: readonly Warning[]): void {
    for (const warning of warnings) {
      if (!this.#warnings.some(({ code, message }) => code === warning.code && message === warning.message)) {
        this.#warnings.push(warning);
      }
    }
  }

  /**
   * Puts a finished run into the journal; a run that its limit cut counts as made.
   *
   * @returns why the experiment cannot go on; empty when it can
   * @throws RecordError as `RecordingWriter.append`
   */
  async take({ trial, recorded, isCut, confirms = false, warnings }: FinishedRun): Promise<readonly Failure[]> {
    const { recording, onEvent } = this.#options;
    const state = this.benchmarkStates[trial.benchmark];
    if (state === undefined) throw new RangeError(`there is no benchmark ${trial.benchmark}`);
    const { failures } = trial;
    this.warn(warnings);
    if (recorded !== null) this.#records.set(trial.trial, recorded);
    recording.append(trial);
    this.#trials.push(trial);
    if (failures.length > 0 && !isCut) return failures;
    if (confirms) {
      onEvent({ kind: 'trial-finished', trial, progress: this.#progress(state) });
      return [];
    }
    if (trial.counting === true) {
      state.countingTrials.push(trial);
      onEvent({ kind: 'trial-finished', trial, progress: this.#progress(state) });
      return [];
    }
    state.elapsedNs += elapsedNsOf(trial, state.config);
    if (failures.length === 0) {
      state.last = trial;
      if (trial.phase === 'pilot') state.pilotTrials.push(trial);
      // Programs that meet at a page were followed while they ran, unless that was elsewhere.
      if (this.#options.executed === 'elsewhere' || this.stabilities.followsApart(state.index)) {
        this.stabilities.replay([trial], this.#records);
      }
    }
    if (trial.phase === 'measure') {
      state.runs++;
      state.finishedRuns.add(trial.run);
    } else if (trial.phase === 'warmup') state.warmups++;
    else {
      state.pilots++;
      const failure = await this.#choose(state).then(() => null, limitFailure);
      if (failure !== null) return [failure];
    }
    this.decide(state);
    onEvent({ kind: 'trial-finished', trial, progress: this.#progress(state) });
    return [];
  }

  /** The entries of which a benchmark is slower by the runs so far. */
  slower(): readonly BenchmarkState[] {
    const measured = measure(this.#trials.packed(), { config: this.#experiment.config, records: this.#records });
    return this.benchmarkStates.filter(({ index }) => {
      const own = measured.filter(({ entry }) => entry === index);
      return this.#judge(own, { complete: true, warnings: [] }).comparisons.some(({ verdict }) => verdict === 'slower');
    });
  }

  decide(state: BenchmarkState): void {
    if (state.decision.kind === 'given-up') return;
    state.decision = decideStop(state.config, this.#stopInputs(state));
  }

  /**
   * Analyses the runs so far and closes the recording.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async finish(outcome: Outcome): Promise<SessionResult> {
    const { recording, onEvent } = this.#options;
    const { config } = this.#experiment;
    if (outcome.kind === 'interrupted') {
      this.#warnings.push({
        code: 'INTERRUPTED',
        message: `The experiment was interrupted; finish it with: deadheat --resume '${recording.directory}'`,
      });
    }
    const source = { config, records: this.#records };
    const trials = this.#trials.packed();
    this.#warnings.push(
      ...recording.warnings,
      ...warningsOfChosen(this.#experiment),
      ...warningsOfObserved(this.#experiment, trials),
      ...noiseWarnings(toNoisyRuns(trials)),
      ...benchmarksDiffer(trials, source),
    );
    const measured = measure(trials, source);
    const report = this.#judge(measured, { complete: outcome.kind === 'done', warnings: this.#warnings });
    for (const comparison of report.comparisons) {
      const limited = this.benchmarkStates.find(
        ({ decision, benchmark, config: { method } }) =>
          decision.kind === 'time-limit' && method === comparison.method && isOf(comparison, benchmark),
      );
      const warning = limited === undefined ? null : limitWarning(comparison, limited.config.stop);
      if (warning !== null) comparison.warnings.push(warning);
    }
    for (const warning of report.warnings) onEvent({ kind: 'warning', warning });
    const experiment = this.#experiment;
    await recording.writeIterations({ trials, experiment, records: this.#records });
    await recording.writeReport(report);
    recording.close();
    onEvent({ kind: 'experiment-finished', directory: recording.directory, report });
    function points(): readonly BenchmarkPoints[] {
      return pointsOf(measured, { config, segments: 'auto' });
    }
    return { directory: recording.directory, experiment, report, outcome, points };
  }

  #judge(
    all: readonly MeasuredEntry[],
    facts: { readonly complete: boolean; readonly warnings: readonly Warning[] },
  ): Report {
    const { directory } = this.#options.recording;
    const measured = measuredHere(all, this.#experiment);
    return analyseRecording({ experiment: this.#experiment, measured, directory, today: today(), ...facts });
  }

  #stopInputs(state: BenchmarkState): StopInputs {
    const { runs, elapsedNs } = state;
    const family = this.#familyOf(state);
    return {
      runs,
      elapsedNs,
      stable: this.stabilities.areEnough(state.index),
      family,
      analyse: (facts) => this.#analyse(state, { ...facts, family }),
    };
  }

  /** Chooses the method of a benchmark, and of those that follow it, once its pilot runs are over. */
  async #choose(state: BenchmarkState): Promise<void> {
    const { benchmark, config, index, pilots, elapsedNs, pilotTrials: trials } = state;
    if (benchmark.chosen !== null || config.pilotRuns === 0 || pilots === 0) return;
    if (pilots < config.pilotRuns && elapsedNs < longPilotNs) return;
    if (pilots < config.pilotRuns + morePilots && elapsedNs < longPilotNs && comparesWaiting(trials) === 'perhaps') {
      state.wantedPilots = pilots + 1;
      return;
    }
    const measured = measure(trials, { config: this.#experiment.config, records: this.#records });
    const runs = measured.filter(({ entry }) => entry === index).map((entry) => entry.runs);
    const chosen = chooseByPilot(runs, { benchmark, config });
    const own = measured.filter(({ entry }) => entry === index);
    await this.#fitInvocations(state, { measured: own, method: chosen.method });
    for (const other of this.benchmarkStates.filter(
      ({ leader, benchmark: own }) => leader === index && own.chosen === null,
    )) {
      other.benchmark = { ...other.benchmark, chosen };
      other.config = configOf(other.config, { own: {}, chosen });
    }
    const whole = this.#experiment.config;
    const benchmarks = this.benchmarkStates.map((other) => other.benchmark);
    this.#experiment = { ...this.#experiment, config: { ...whole, benchmarks } };
    this.stabilities.use(this.#experiment.config, index);
    await this.#options.recording.writeExperiment(this.#experiment);
  }

  /** Has the sides do as many invocations in an iteration as fit the time limit, unless the user fixed the iterations. */
  async #fitInvocations(
    { config, group, elapsedNs }: BenchmarkState,
    { measured, method }: { readonly measured: readonly MeasuredEntry[]; readonly method: Method },
  ): Promise<void> {
    const { fitIterations: isFitted = false, maxTimeNs, iterations } = config;
    if (!isFitted || maxTimeNs === null || iterations === null) return;
    const timed = measured.flatMap(({ benchmark, runs }) => {
      const times = iterationTimes({ runs });
      return times === null ? [] : [{ benchmark, times }];
    });
    if (timed.length === 0) return;
    const leftNs = maxTimeNs - elapsedNs;
    const factors = fitInvocations(
      timed.map(({ times }) => times),
      { iterations, leftNs, method },
    );
    const changes = timed.map(({ benchmark: { name, params } }, k) => ({
      benchmark: name,
      params,
      factor: factors[k] ?? 1,
    }));
    changeInvocations(await this.files.calibration(group), changes);
  }

  /** Comparisons, or controls, that the gate corrects together with those of this benchmark. */
  #familyOf({ benchmark }: BenchmarkState): number {
    const isControl = benchmark.controlOf !== null;
    if (!isControl && this.#experiment.config.correction === 'none') return 1;
    return this.benchmarkStates
      .filter((state) => (state.benchmark.controlOf !== null) === isControl)
      .reduce(
        (sum, { last }) => sum + Math.max(1, recordedNames(last === undefined ? [] : [last], this.#records).length),
        0,
      );
  }

  /** The interim analysis of all benchmarks together that the program of an entry holds. */
  #analyse({ index, config }: BenchmarkState, facts: Parameters<typeof analyseInterim>[1]): InterimAnalysis {
    const isCounted = countedIn(this.#experiment);
    const trials = [...this.#trials.of(index)].filter((trial) => trial.status === 'ok' && isCounted(trial));
    const measured = measure(trials, { config: this.#experiment.config, records: this.#records });
    const found = measured
      .filter(({ entry }) => entry === index)
      .map(({ benchmark, runs }) => analyseInterim({ runs, benchmark, config }, facts));
    if (found.length === 0) return { halfWidth: Infinity, decided: false, futile: false };
    return {
      halfWidth: Math.max(...found.map(({ halfWidth }) => halfWidth)),
      decided: found.every(({ decided }) => decided),
      futile: found.every(({ decided, futile }) => decided || futile),
    };
  }

  #progress(state: BenchmarkState): Progress {
    return {
      benchmark: state.index,
      runs: state.runs,
      expectedRuns: stopRuleOf(state.config.stop).fixedRuns,
      elapsedNs: state.elapsedNs,
      share: shareDone(state.config, this.#stopInputs(state)),
      done: state.decision.kind !== 'go-on',
    };
  }
}

/** Separates the runs that stop rules count from those that only confirm measurements of others. */
function countedIn({ hosts = [] }: Experiment): (trial: Trial) => boolean {
  const confirming = new Set(hosts.filter(({ confirms }) => confirms === true).map(({ id }) => id));
  return ({ host }) => host === undefined || !confirming.has(host);
}

function isOf(comparison: Comparison, benchmark: Benchmark): boolean {
  if (benchmark.name !== comparison.benchmark) return false;
  return Object.entries(benchmark.params).every(([name, value]) => comparison.params[name] === value);
}

/** The warning for a benchmark that was ended by its time limit: its missing precision, and the effect of more time. */
export function limitWarning(comparison: Comparison, stop: ExperimentConfig['stop']): Warning | null {
  const { benchmark, runs, time } = comparison;
  return stopRuleOf(stop).limitWarning({
    benchmark,
    runs,
    halfWidth: relativeHalfWidth(comparison.interval),
    nsPerRun: time.wallNs / runs,
  });
}

/** The failure of a time limit that holds no two runs; other errors are thrown again. */
function limitFailure(error: unknown): Failure {
  if (!(error instanceof DeadheatError) || error.code !== 'TIME_LIMIT_TOO_SHORT') throw error;
  return { side: 'A', code: 'TIME_LIMIT_TOO_SHORT', message: error.message };
}
