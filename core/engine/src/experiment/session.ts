import { join } from 'node:path';
import type { EngineEvent, Experiment, ExperimentConfig, Failure, Trial, Warning } from '@deadheat/model';
import { monotonicNowNs } from '@deadheat/sync';
import { NoiseProbes } from '../host/index.ts';
import { ExperimentState, type Outcome, type SessionResult } from './experiment-state.ts';
import { giveUpAfterNs } from '../plan/index.ts';
import { type RecordingWriter, makeArtifactFolder } from '@deadheat/recording';
import { type Executor, runArtifact } from '../run/index.ts';
import { TrialRunner, SetUpGroups } from './trial-runner.ts';
import { Schedule } from './schedule.ts';
import { elapsedNsOf, type RunPlace, type BenchmarkState } from './benchmark-state.ts';

export interface SessionOptions {
  readonly experiment: Experiment;
  readonly recording: RecordingWriter;
  /** Trials that were recorded before; empty unless the experiment is resumed. */
  readonly recorded: readonly Trial[];
  /** One executor for each run that may be in flight at the same time, at least one; each executes one run at a time. */
  readonly executors: readonly Executor[];
  /** Ends the experiment in order; recorded runs stay and are analysed. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
}

/**
 * Runs an experiment to its end: trials in randomised rounds over all benchmarks that still need runs, each journalled
 * before its lane begins the next; then the analysis. Here plan, run, record, host and analysis meet.
 */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const session = new Session(options);
  return session.run();
}

class Session {
  readonly #options: SessionOptions;
  readonly #config: ExperimentConfig;
  readonly #experimentState: ExperimentState;
  /** Ends the runs in flight after one that failed. */
  readonly #halt = new AbortController();
  #outOfTime = false;
  readonly #beganNs = monotonicNowNs();
  /** Time of the runs that were recorded before, ns. */
  readonly #recordedNs: number;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#config = options.experiment.config;
    this.#experimentState = new ExperimentState(options);
    this.#recordedNs = options.recorded.reduce((sum, trial) => sum + elapsedNsOf(trial, this.#config), 0);
  }

  async run(): Promise<SessionResult> {
    const { experiment, recording, executors, signal, recorded } = this.#options;
    function abort(): void {
      for (const executor of executors) executor.abort();
    }
    const ended = AbortSignal.any([signal, this.#halt.signal]);
    ended.addEventListener('abort', abort);
    const probes = new NoiseProbes();
    const { files, stabilities } = this.#experimentState;
    const setUps = new SetUpGroups();
    const trialRunners = executors.map(
      (executor) =>
        new TrialRunner({
          executor,
          files,
          stabilities,
          setUps,
          probes,
          host: experiment.hosts?.[0]?.id ?? null,
          quotesOutput: true,
        }),
    );
    let failures: readonly Failure[];
    try {
      await this.#experimentState.begin();
      for (const [index, benchmark] of this.#config.benchmarks.entries()) {
        await Promise.all(executors.map(async (executor) => executor.define(index, benchmark)));
      }
      if (recorded.length === 0)
        this.#experimentState.warn(await keepArtifacts(this.#config, { directory: recording.directory, signal }));
      failures = await this.#rounds(trialRunners, ended);
      const uncleaned = (await trialRunners[0]?.cleanUp(signal)) ?? [];
      if (failures.length === 0) failures = uncleaned;
      if (signal.aborted) {
        this.#experimentState.warn(uncleaned.map(({ message }) => ({ code: 'INTERRUPTED', message })));
      }
    } finally {
      probes.close();
      ended.removeEventListener('abort', abort);
      await Promise.all(executors.map(async (executor) => executor.close()));
    }
    return this.#experimentState.finish(this.#outcome(failures));
  }

  /**
   * Begins runs as lanes get free, until nothing needs one, or a run fails: then those in flight are ended and leave no trace.
   *
   * @throws what `ExperimentState.take` throws, when no run is in flight any longer
   */
  async #rounds(trialRunners: readonly TrialRunner[], ended: AbortSignal): Promise<readonly Failure[]> {
    const schedule = new Schedule(this.#config, this.#experimentState.benchmarkStates);
    const free = [...trialRunners];
    const flights = new Set<Promise<void>>();
    const failures: Failure[] = [];
    const errors: unknown[] = [];
    for (;;) {
      while (!ended.aborted && !this.#isOutOfTime()) {
        const next = schedule.next();
        const trialRunner = next === null ? undefined : free.pop();
        if (next === null || trialRunner === undefined) break;
        const flight = this.#trial(next, { trialRunner, ended })
          .then((why) => failures.push(...why))
          .catch((error: unknown) => errors.push(error))
          .then(() => {
            next.end();
            free.push(trialRunner);
            flights.delete(flight);
            if (failures.length + errors.length > 0) this.#halt.abort();
          });
        flights.add(flight);
      }
      if (flights.size === 0) break;
      await Promise.race(flights);
    }
    if (errors.length > 0) throw errors[0];
    return failures;
  }

  #isOutOfTime(): boolean {
    const { experimentTimeoutNs } = this.#config;
    if (experimentTimeoutNs === null) return false;
    this.#outOfTime ||= monotonicNowNs() - this.#beganNs + this.#recordedNs >= experimentTimeoutNs;
    return this.#outOfTime;
  }

  /** One run with its hooks. Returns why it failed; an interrupted run leaves no trace. */
  async #trial(
    { state, place: { phase, run } }: { readonly state: BenchmarkState; readonly place: RunPlace },
    { trialRunner, ended }: { readonly trialRunner: TrialRunner; readonly ended: AbortSignal },
  ): Promise<readonly Failure[]> {
    const { config, runs, elapsedNs } = state;
    const lastNs = runs >= config.leastRuns ? null : giveUpAfterNs(config);
    const result = await trialRunner.make(state, {
      phase,
      run,
      number: this.#experimentState.takeNumber(),
      signal: ended,
      patienceNs: lastNs === null ? null : lastNs - elapsedNs,
    });
    switch (result.kind) {
      case 'not-run':
        return result.failures;
      case 'given-up':
        // Other lanes may have brought a result meanwhile.
        if (state.decision.kind === 'go-on') state.decision = { kind: 'given-up' };
        return [];
      case 'finished':
        return this.#experimentState.take(result);
    }
  }

  #outcome(failures: readonly Failure[]): Outcome {
    if (this.#options.signal.aborted) return { kind: 'interrupted' };
    if (failures.length > 0) return { kind: 'failed', failures };
    const { benchmarkStates } = this.#experimentState;
    const isWithoutResult = benchmarkStates.some(({ runs }) => runs < 2);
    if (benchmarkStates.some(({ decision }) => decision.kind === 'given-up') || (this.#outOfTime && isWithoutResult)) {
      return { kind: 'time-limit' };
    }
    return { kind: 'done' };
  }
}

/** Keeps the output of the experiment's artifact commands: `artifacts/<name>.txt` in the recording. */
async function keepArtifacts(
  { artifacts }: Pick<ExperimentConfig, 'artifacts'>,
  { directory, signal }: { readonly directory: string; readonly signal: AbortSignal },
): Promise<readonly Warning[]> {
  const commands = Object.entries(artifacts);
  if (commands.length === 0) return [];
  const folder = await makeArtifactFolder(directory);
  const warnings: Warning[] = [];
  for (const [name, commandLine] of commands) {
    if (signal.aborted) break;
    const why = await runArtifact(commandLine, { file: join(folder, `${name}.txt`), signal });
    if (why === null) continue;
    const message = `The artifact '${name}' is not complete (${why}); try it by hand: ${commandLine}`;
    warnings.push({ code: 'ARTIFACT_FAILED', message });
  }
  return warnings;
}
