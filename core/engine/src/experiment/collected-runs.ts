import {
  stopRuleOf,
  sides,
  type EngineEvent,
  type Experiment,
  type Failure,
  type Host,
  type Side,
  type Trial,
} from '@deadheat/model';
import { ExperimentState, type Outcome, type SessionResult } from './experiment-state.ts';
import { roundOrder } from '../plan/plan-trial.ts';
import { createRecording, openRecording, type RecordedSides, type RecordingWriter } from '@deadheat/recording';
import type { ForeignRun, WantedRun } from './runner.ts';
import { awaitsPilot, needsPilot, RunNumbers, type RunPlace, type BenchmarkState } from './benchmark-state.ts';

/** A run of another machine, as received. */
export interface CollectedRun extends Pick<ForeignRun, 'trial' | 'records' | 'isCut' | 'warnings'> {
  readonly host: Host;
}

interface BeginOptions {
  readonly experiment: Experiment;
  /** Folder for the recording; `null` = a new one below `parent`. */
  readonly directory: string | null;
  readonly parent: string;
  readonly onEvent: (event: EngineEvent) => void;
}

/**
 * The recording of an experiment whose runs are executed by other machines: says which runs are wanted, takes them in any order,
 * and judges in the end. What was taken is on disk before the next is.
 */
export class CollectedRuns {
  readonly directory: string;
  readonly #experimentState: ExperimentState;
  readonly #recording: RecordingWriter;
  /** Numbers of the runs that are in, by benchmark and phase. */
  readonly #has = new Map<string, RunNumbers>();
  /** Runs of each benchmark that each host made. */
  readonly #madeBy = new Map<string, number[]>();
  /** Runs that confirm, by benchmark: the number of the first, how many are wanted and how many are in; `null` = not yet. */
  #confirmation: Map<number, { readonly first: number; readonly wanted: number; made: number }> | null = null;

  private constructor(recording: RecordingWriter, experimentState: ExperimentState, recorded: readonly Trial[]) {
    this.directory = recording.directory;
    this.#recording = recording;
    this.#experimentState = experimentState;
    for (const trial of recorded) this.#count(trial);
  }

  /**
   * Makes the recording.
   *
   * @throws RecordError as `createRecording`
   */
  static async begin({ experiment, directory, parent, onEvent }: BeginOptions): Promise<CollectedRuns> {
    const recording = await createRecording({
      ...(directory === null ? { parent } : { directory }),
      name: experiment.config.name,
      startedAt: experiment.startedAt,
      experiment,
    });
    return CollectedRuns.#open(recording, { experiment, recorded: [], onEvent });
  }

  /**
   * Goes on with a recording.
   *
   * @throws RecordError as `openRecording`
   */
  static async resume(directory: string, onEvent: (event: EngineEvent) => void): Promise<CollectedRuns> {
    const { recording, writer } = await openRecording(directory, { packed: true });
    return CollectedRuns.#open(writer, { experiment: recording.experiment, recorded: recording.trials, onEvent });
  }

  static async #open(
    recording: RecordingWriter,
    facts: Pick<BeginOptions, 'experiment' | 'onEvent'> & { readonly recorded: readonly Trial[] },
  ): Promise<CollectedRuns> {
    try {
      const experimentState = new ExperimentState({ ...facts, recording, executed: 'elsewhere' });
      await experimentState.begin();
      return new CollectedRuns(recording, experimentState, facts.recorded);
    } catch (error) {
      recording.close();
      throw error;
    }
  }

  get experiment(): Experiment {
    return this.#experimentState.experiment;
  }

  /** True once the stop rules want no more runs. */
  get isDone(): boolean {
    return this.#experimentState.benchmarkStates.every((state) => !this.#isOpen(state));
  }

  /** True once the method of every benchmark is known: none waits for pilot runs. */
  get isChosen(): boolean {
    return this.#experimentState.benchmarkStates.every((state) => !needsPilot(state) && !awaitsPilot(state));
  }

  /** Ids of the machines that brought runs which count by themselves. */
  get hosts(): readonly string[] {
    return (this.experiment.hosts ?? []).filter(({ confirms }) => confirms !== true).map(({ id }) => id);
  }

  /**
   * Asks for as many runs again, from other hosts, of every benchmark that came out slower: what comes in from now on confirms.
   *
   * @returns whether there is anything to confirm
   */
  beginConfirmation(): boolean {
    const first = new Set(this.hosts);
    const confirming = [...this.#madeBy].flatMap(([host, made]) => (first.has(host) ? [] : [made]));
    const slower = this.#experimentState
      .slower()
      .map(({ index, runs }): [number, { first: number; wanted: number; made: number }] => {
        const made = confirming.reduce((sum, counts) => sum + (counts[index] ?? 0), 0);
        return [index, { first: runs, wanted: runs, made }];
      });
    this.#confirmation = new Map(slower);
    return slower.length > 0;
  }

  get isEmpty(): boolean {
    return this.#has.size === 0;
  }

  /** True if every benchmark has enough runs for a result. */
  get hasResults(): boolean {
    return this.#experimentState.benchmarkStates.every(({ runs }) => runs >= 2);
  }

  /** True while a run is of use: its benchmark needs more runs; for a pilot run, the method is not chosen yet. */
  wants({ benchmark, phase }: RunPlace): boolean {
    const state = this.#experimentState.benchmarkStates[benchmark];
    return state !== undefined && this.#isOpen(state) && (phase !== 'pilot' || needsPilot(state));
  }

  /** Runs that a host brought. */
  runsOf(host: string): number {
    return (this.#madeBy.get(host) ?? []).reduce((sum, runs) => sum + runs, 0);
  }

  /**
   * The run that a host is to make next when others are under way: of the benchmark that it made least often, of several such of the one
   * that has the fewest runs in all, in the random order of its round, so that every host measures all benchmarks and a drift
   * hits all of them. A benchmark whose method is not chosen has one pilot run under way at a time, wherever that is made.
   * `null` = none while these are under way.
   */
  next(host: string, underWay: readonly (RunPlace & { readonly host: string })[]): WantedRun | null {
    const { schedule, seed } = this.experiment.config;
    const others = this.#experimentState.benchmarkStates.map(() => ({ all: 0, own: 0 }));
    // This is asked for every run that is given to one of thousands of hosts.
    for (const run of underWay) {
      const counts = others[run.benchmark];
      if (counts === undefined) continue;
      counts.all++;
      if (run.host === host) counts.own++;
    }
    const wanted = this.#experimentState.benchmarkStates
      .filter((state) => this.#isOpen(state) && !awaitsPilot(state))
      .map((state) => {
        const counts = others[state.index] ?? { all: 0, own: 0 };
        const isPilot = this.#confirmation === null && needsPilot(state);
        const made = this.#confirmation?.get(state.index)?.made ?? (isPilot ? state.pilots : state.runs);
        const own = this.#madeBy.get(host)?.[state.index] ?? 0;
        return {
          state,
          isPilot,
          isFree: counts.all === 0,
          all: made + counts.all,
          own: own + counts.own,
        };
      });
    const open = (schedule === 'sequential' ? wanted.slice(0, 1) : wanted).filter(({ state, isPilot, isFree, all }) =>
      isPilot ? isFree : all < (this.#confirmation?.get(state.index)?.wanted ?? stopRuleOf(state.config.stop).mostRuns),
    );
    const leastOwn = Math.min(...open.map(({ own }) => own));
    const fewest = open.filter(({ own }) => own === leastOwn);
    const round = Math.min(...fewest.map(({ all }) => all));
    const benchmarks = fewest.filter(({ all }) => all === round).map(({ state }) => state.index);
    const [benchmark] = benchmarks.length === 0 ? [] : roundOrder({ seed, round, benchmarks });
    const next = open.find(({ state }) => state.index === benchmark);
    return next === undefined ? null : this.#place(next, underWay);
  }

  #place(
    { state, isPilot }: { readonly state: BenchmarkState; readonly isPilot: boolean },
    underWay: readonly RunPlace[],
  ): WantedRun {
    const { index: benchmark, config } = state;
    const wanted = isPilot
      ? ({ benchmark, phase: 'pilot', method: null } as const)
      : ({ benchmark, phase: 'measure', method: config.method } as const);
    const taken = new Set<number>();
    for (const { benchmark: of, phase, run } of underWay)
      if (of === benchmark && phase === wanted.phase) taken.add(run);
    const first = isPilot ? 0 : (this.#confirmation?.get(benchmark)?.first ?? 0);
    for (let run = Math.max(first, this.#has.get(roomOf(wanted))?.firstOpen ?? 0); ; run++) {
      const place = { ...wanted, run };
      if (!taken.has(run) && !this.has(place)) return place;
    }
  }

  has(place: RunPlace): boolean {
    return this.#has.get(roomOf(place))?.has(place.run) === true;
  }

  /**
   * Makes the hosts of runs known that are about to be added. That writes the whole experiment, which costs much where there are
   * thousands and each of them is new with its first run.
   *
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
   */
  async expect(runs: readonly Pick<CollectedRun, 'trial' | 'host'>[]): Promise<void> {
    await this.#experimentState.addHosts(
      runs
        .filter(({ trial }) => !this.has(trial))
        .map(({ trial, host }) =>
          this.#confirmation?.has(trial.benchmark) === true ? { ...host, confirms: true } : host,
        ),
    );
  }

  /**
   * Takes a run; one that is there already is left out.
   *
   * @returns why the experiment cannot go on; empty when it can
   * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`, and as `readWorkloadRecord`, whereupon nothing of it is kept
   */
  async add({ trial: made, records, host, isCut, warnings }: CollectedRun): Promise<readonly Failure[]> {
    if (this.has(made)) return [];
    const confirmation = this.#confirmation?.get(made.benchmark);
    const confirms = confirmation !== undefined;
    const { files } = this.#experimentState;
    const number = this.#experimentState.takeNumber();
    await this.expect([{ trial: made, host }]);
    const own: Record<Side, string | null> = { A: null, B: null };
    for (const side of sides) {
      const text = records[side];
      if (text !== null) own[side] = await files.put(text, { trial: number, side });
    }
    const trial: Trial = {
      ...made,
      trial: number,
      host: host.id,
      sides: { A: { ...made.sides.A, record: own.A }, B: { ...made.sides.B, record: own.B } },
    };
    const recorded = await this.#readBack(trial);
    const failures = await this.#experimentState.take({ trial, recorded, isCut, confirms, warnings });
    this.#count(trial);
    if (confirmation !== undefined && failures.length === 0) confirmation.made++;
    return failures;
  }

  /** What a run recorded; nothing of it stays where that cannot be read. */
  async #readBack(trial: Trial): Promise<RecordedSides | null> {
    const { files } = this.#experimentState;
    try {
      return (await files.read([trial])).get(trial.trial) ?? null;
    } catch (error) {
      await files.drop(trial.trial);
      throw error;
    }
  }

  #isOpen(state: BenchmarkState): boolean {
    if (this.#confirmation === null) return state.decision.kind === 'go-on';
    const confirmation = this.#confirmation.get(state.index);
    return confirmation !== undefined && confirmation.made < confirmation.wanted;
  }

  #count(trial: Trial): void {
    const { host, benchmark, run } = trial;
    const numbers = this.#has.get(roomOf(trial)) ?? new RunNumbers();
    numbers.add(run);
    this.#has.set(roomOf(trial), numbers);
    if (host === undefined) return;
    const counts = this.#madeBy.get(host) ?? this.#experimentState.benchmarkStates.map(() => 0);
    counts[benchmark] = (counts[benchmark] ?? 0) + 1;
    this.#madeBy.set(host, counts);
  }

  /** Analyses the runs so far, and closes the recording. */
  async finish(outcome: Outcome): Promise<SessionResult> {
    return this.#experimentState.finish(outcome);
  }

  /** Gives the recording free without judging. */
  close(): void {
    this.#recording.close();
  }
}

function roomOf({ benchmark, phase }: Pick<RunPlace, 'benchmark' | 'phase'>): string {
  return `${benchmark}/${phase}`;
}
