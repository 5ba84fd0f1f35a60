import type { EngineEvent, Experiment, ExperimentConfig, Failure, Trial } from '@deadheat/model';
import { monotonicNowNs } from '@deadheat/sync';
import { createNoiseProbe } from './host/index.ts';
import { keepArtifacts } from './keep-artifacts.ts';
import { Ledger } from './ledger.ts';
import { hopelessAfterNs, roundOrder } from './plan/index.ts';
import type { RecordingWriter } from './record/index.ts';
import type { Executor } from './run/index.ts';
import { RunMaker } from './run-maker.ts';
import type { Outcome, SessionResult } from './session-result.ts';
import type { Track } from './track.ts';

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
 * before the next begins; then the analysis. Here plan, run, record, host and analysis meet.
 */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const session = new Session(options);
  return session.run();
}

class Session {
  readonly #options: SessionOptions;
  readonly #config: ExperimentConfig;
  readonly #ledger: Ledger;
  #outOfTime = false;
  readonly #beganNs = monotonicNowNs();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#config = options.experiment.config;
    this.#ledger = new Ledger(options);
  }

  async run(): Promise<SessionResult> {
    const { experiment, recording, executor, signal, recorded } = this.#options;
    const abort = (): void => executor.abort();
    signal.addEventListener('abort', abort);
    const probe = createNoiseProbe({ cpus: this.#config.cpus });
    const { files, stabilities } = this.#ledger;
    const maker = new RunMaker({ executor, files, stabilities, probe, host: experiment.hosts?.[0]?.id ?? null });
    let failures: readonly Failure[];
    try {
      await this.#ledger.begin();
      for (const [index, benchmark] of this.#config.benchmarks.entries()) await executor.define(index, benchmark);
      if (recorded.length === 0) this.#ledger.warn(await keepArtifacts(this.#config, recording.directory));
      failures = await this.#rounds(maker);
      const uncleaned = await maker.cleanUp(signal);
      if (failures.length === 0) failures = uncleaned;
    } finally {
      probe.close();
      signal.removeEventListener('abort', abort);
      await executor.close();
    }
    return this.#ledger.finish(this.#outcome(failures));
  }

  async #rounds(maker: RunMaker): Promise<readonly Failure[]> {
    const { signal } = this.#options;
    for (let round = 0; ; round++) {
      const open = this.#ledger.tracks.filter(({ decision }) => decision.kind === 'go-on').map(({ index }) => index);
      if (open.length === 0) return [];
      for (const index of this.#order(round, open)) {
        const track = this.#ledger.tracks[index];
        if (track === undefined) continue;
        if (signal.aborted || this.#isOutOfTime()) return [];
        const failures = await this.#trial(track, maker);
        if (failures.length > 0) return failures;
      }
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
  async #trial(track: Track, maker: RunMaker): Promise<readonly Failure[]> {
    const { config, warmups, runs, gaps, firstRun, elapsedNs } = track;
    const phase = warmups < config.warmupRuns ? 'warmup' : 'measure';
    const lastNs = runs >= config.leastRuns ? null : hopelessAfterNs(config);
    const made = await maker.make(track, {
      phase,
      run: phase === 'warmup' ? warmups : (gaps[0] ?? firstRun + runs),
      number: this.#ledger.nextTrial,
      signal: this.#options.signal,
      patienceNs: lastNs === null ? null : lastNs - elapsedNs,
    });
    switch (made.kind) {
      case 'none':
        return made.failures;
      case 'hopeless':
        track.decision = { kind: 'hopeless' };
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
