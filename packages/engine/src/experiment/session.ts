import type { EngineEvent, Experiment, ExperimentConfig, Failure, Trial } from '@deadheat/model';
import { monotonicNowNs } from '@deadheat/sync';
import { NoiseProbes } from '../host/index.ts';
import { keepArtifacts } from './keep-artifacts.ts';
import { Ledger } from './experiment-state.ts';
import { hopelessAfterNs } from '../plan/index.ts';
import type { RecordingWriter } from '../record/index.ts';
import type { Executor } from '../run/index.ts';
import { RunMaker, SetUps } from './trial-runner.ts';
import { Schedule } from './schedule.ts';
import type { Outcome, SessionResult } from './session-result.ts';
import { elapsedNsOf, type RunPlace, type Track } from './benchmark-state.ts';

export interface SessionOptions {
  readonly experiment: Experiment;
  readonly recording: RecordingWriter;
  /** Trials that were recorded before; empty unless the experiment is resumed. */
  readonly recorded: readonly Trial[];
  /** As many as runs may be in flight at the same time, at least one; each makes one run at a time. */
  readonly executors: readonly Executor[];
  /** Ends the experiment in order; what is recorded stays and is analysed. */
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
  readonly #ledger: Ledger;
  /** Ends the runs in flight after one that failed. */
  readonly #halt = new AbortController();
  #outOfTime = false;
  readonly #beganNs = monotonicNowNs();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#config = options.experiment.config;
    this.#ledger = new Ledger(options);
  }

  async run(): Promise<SessionResult> {
    const { experiment, recording, executors, signal, recorded } = this.#options;
    const abort = (): void => {
      for (const executor of executors) executor.abort();
    };
    const ended = AbortSignal.any([signal, this.#halt.signal]);
    ended.addEventListener('abort', abort);
    const probes = new NoiseProbes();
    const { files, stabilities } = this.#ledger;
    const setUps = new SetUps();
    const makers = executors.map(
      (executor) =>
        new RunMaker({ executor, files, stabilities, setUps, probes, host: experiment.hosts?.[0]?.id ?? null }),
    );
    let failures: readonly Failure[];
    try {
      await this.#ledger.begin();
      for (const [index, benchmark] of this.#config.benchmarks.entries()) {
        await Promise.all(executors.map(async (executor) => executor.define(index, benchmark)));
      }
      if (recorded.length === 0) this.#ledger.warn(await keepArtifacts(this.#config, recording.directory));
      failures = await this.#rounds(makers, ended);
      const uncleaned = (await makers[0]?.cleanUp(signal)) ?? [];
      if (failures.length === 0) failures = uncleaned;
    } finally {
      probes.close();
      ended.removeEventListener('abort', abort);
      await Promise.all(executors.map(async (executor) => executor.close()));
    }
    return this.#ledger.finish(this.#outcome(failures));
  }

  /**
   * Begins runs as lanes get free, until nothing needs one, or a run fails: then those in flight are ended and leave no trace.
   *
   * @throws what `Ledger.take` throws, when no run is in flight any longer
   */
  async #rounds(makers: readonly RunMaker[], ended: AbortSignal): Promise<readonly Failure[]> {
    const schedule = new Schedule(this.#config, this.#ledger.tracks);
    const free = [...makers];
    const flights = new Set<Promise<void>>();
    const failures: Failure[] = [];
    const errors: unknown[] = [];
    for (;;) {
      while (!ended.aborted && !this.#isOutOfTime()) {
        const next = schedule.next();
        const maker = next === null ? undefined : free.pop();
        if (next === null || maker === undefined) break;
        const flight = this.#trial(next, { maker, ended })
          .then((why) => failures.push(...why))
          .catch((error: unknown) => errors.push(error))
          .then(() => {
            next.end();
            free.push(maker);
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
    const recordedNs = this.#options.recorded.reduce((sum, trial) => sum + elapsedNsOf(trial, this.#config), 0);
    this.#outOfTime ||= monotonicNowNs() - this.#beganNs + recordedNs >= experimentTimeoutNs;
    return this.#outOfTime;
  }

  /** One run with its hooks. Returns why it failed; an interrupted run leaves no trace. */
  async #trial(
    { track, place: { phase, run } }: { readonly track: Track; readonly place: RunPlace },
    { maker, ended }: { readonly maker: RunMaker; readonly ended: AbortSignal },
  ): Promise<readonly Failure[]> {
    const { config, runs, elapsedNs } = track;
    const lastNs = runs >= config.leastRuns ? null : hopelessAfterNs(config);
    const made = await maker.make(track, {
      phase,
      run,
      number: this.#ledger.takeNumber(),
      signal: ended,
      patienceNs: lastNs === null ? null : lastNs - elapsedNs,
    });
    switch (made.kind) {
      case 'none':
        return made.failures;
      case 'hopeless':
        // Other lanes may have brought a result meanwhile.
        if (track.decision.kind === 'go-on') track.decision = { kind: 'hopeless' };
        return [];
      case 'made':
        return this.#ledger.take(made);
    }
  }

  #outcome(failures: readonly Failure[]): Outcome {
    if (this.#options.signal.aborted) return { kind: 'interrupted' };
    if (failures.length > 0) return { kind: 'failed', failures };
    const { tracks } = this.#ledger;
    const isWithoutResult = tracks.some(({ runs }) => runs < 2);
    if (tracks.some(({ decision }) => decision.kind === 'hopeless') || (this.#outOfTime && isWithoutResult)) {
      return { kind: 'time-limit' };
    }
    return { kind: 'done' };
  }
}
