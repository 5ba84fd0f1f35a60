import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Command,
  type EngineEvent,
  type Experiment,
  type ExperimentConfig,
  type Failure,
  type Trial,
} from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { readMachine } from '../../src/host/read-machine.ts';
import { createRecording, openRecording, readRecording, RecordError, type RecordingWriter } from '@deadheat/recording';
import { FakeExecutor } from '../fake-executor.ts';
import type { RunOutcome, RunRequest } from '../../src/run/executor.ts';
import { runSession } from '../../src/experiment/start-experiment.ts';
import type { SessionResult } from '../../src/experiment/experiment-state.ts';

const command = (name: string): Command => ({ name, commandLine: name, argv: [`/bin/${name}`], executedBy: 'direct' });
const machine = await readMachine({ usableCpus: [0, 1], cpus: [0, 1] });

/** 30 tandems on three cores, three at a time. */
function configOf(changes: Partial<ExperimentConfig> = {}): ExperimentConfig {
  return {
    name: 'test',
    benchmarks: [{ ...benchmarkDefaults, name: 'a benchmark', commands: { A: command('old'), B: command('new') } }],
    ...defaultSettings('tandem'),
    ...experimentDefaults,
    replicates: 2000,
    stop: { kind: 'runs', runs: 30 },
    maxTimeNs: null,
    cpus: [0, 1],
    tandemCpus: [0, 1, 2],
    sequentialCpus: [0, 1, 2],
    lanes: 3,
    seed: 'lanes',
    ...changes,
  };
}

/** What the lanes of a session have in flight, all together. */
class Stage {
  readonly inFlight = new Set<RunRequest>();
  readonly executors: readonly SlowExecutor[];
  most = 0;

  constructor(lanes: number, behave: ConstructorParameters<typeof FakeExecutor>[0]) {
    this.executors = Array.from({ length: lanes }, (_, lane) => new SlowExecutor(this, { lane, behave }));
  }

  get requests(): readonly RunRequest[] {
    return this.executors.flatMap(({ requests }) => requests);
  }

  get hooks(): readonly string[] {
    return this.executors.flatMap(({ hooks }) => hooks);
  }

  begin(request: RunRequest): void {
    // No core is shared, and a run that is no tandem is alone.
    const taken = [...this.inFlight].flatMap(({ cpus }) => cpus.A);
    for (const cpu of request.cpus.A) expect(taken).not.toContain(cpu);
    if (request.method !== 'tandem') expect(taken).toEqual([]);
    this.inFlight.add(request);
    this.most = Math.max(this.most, this.inFlight.size);
  }
}

/** A fake whose runs take some turns of the event loop, as many as are drawn, or end at once when it is aborted. */
class SlowExecutor extends FakeExecutor {
  readonly #stage: Stage;
  readonly #random: ReturnType<typeof createRandom>;
  isBusy = false;
  isClosed = false;
  /** Number of a run that does not end by itself. */
  hangsIn: number | null = null;

  constructor(
    stage: Stage,
    { lane, behave }: { readonly lane: number; readonly behave: ConstructorParameters<typeof FakeExecutor>[0] },
  ) {
    super(behave);
    this.#stage = stage;
    this.#random = createRandom(`lane ${lane}`);
  }

  override async run(request: RunRequest): Promise<RunOutcome> {
    expect(this.isBusy).toBe(false);
    this.isBusy = true;
    this.#stage.begin(request);
    try {
      let turns = request.run === this.hangsIn ? Infinity : 1 + this.#random.int(8);
      for (; turns > 0 && !this.aborted; turns--) await turn();
      return await super.run(request);
    } finally {
      this.isBusy = false;
      this.#stage.inFlight.delete(request);
    }
  }

  override async close(): Promise<void> {
    expect(this.isBusy).toBe(false);
    this.isClosed = true;
  }
}

/** B uses 10 % more CPU time, with a scatter that depends on the run alone; in a tandem wall time is that of both. */
const tenPercentMore: ConstructorParameters<typeof FakeExecutor>[0] = (side, { run, method }) => {
  const cpuNs = Math.round((side === 'A' ? 10 : 11) * 1e6 * (1 + ((run * 7) % 5) / 1000)) + 17;
  return { durationNs: method === 'tandem' ? 21_000_000 : cpuNs, cpuNs };
};

const upTo = (count: number): number[] => Array.from({ length: count }, (_, run) => run);
const numbersOf = (trials: readonly { readonly run: number }[]): number[] =>
  trials.map(({ run }) => run).toSorted((a, b) => a - b);

/** Requests by run, but for whether threads are observed: of the first runs that end, which in lanes are not those that begin first. */
function plannedOf(requests: readonly RunRequest[]): readonly unknown[] {
  return requests.toSorted((a, b) => a.run - b.run).map((request) => ({ ...request, observes: null }));
}

describe('a session of several lanes', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lanes-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  interface Run {
    readonly signal?: AbortSignal;
    readonly onEvent?: (event: EngineEvent) => void;
    readonly change?: (recording: RecordingWriter) => void;
    readonly name?: string;
  }

  async function begin(config: ExperimentConfig, stage: Stage, options: Run = {}): Promise<SessionResult> {
    const { signal = new AbortController().signal, onEvent = () => {}, change, name = 'recording' } = options;
    const experiment: Experiment = {
      schema: 'deadheat.experiment/1',
      id: 'id',
      startedAt: '2026-01-02T03:04:05.000Z',
      tool: { name: 'deadheat', version: '0.0.0' },
      config,
      machine,
      warnings: [],
    };
    const { startedAt } = experiment;
    const recording = await createRecording({ directory: join(directory, name), name, startedAt, experiment });
    change?.(recording);
    const { executors } = stage;
    try {
      return await runSession({ experiment, recording, recorded: [], executors, signal, onEvent });
    } finally {
      recording.close();
    }
  }

  async function resume(stage: Stage, name = 'recording'): Promise<SessionResult> {
    const { recording, writer } = await openRecording(join(directory, name));
    const { experiment, trials: recorded } = recording;
    const { signal } = new AbortController();
    return runSession({
      experiment,
      recording: writer,
      recorded,
      executors: stage.executors,
      signal,
      onEvent: () => {},
    });
  }

  const trialsOf = async (name = 'recording'): Promise<readonly Trial[]> =>
    (await readRecording(join(directory, name))).trials;

  it('makes every run once, several at a time, none on the core of another, and judges them by CPU time', async () => {
    const stage = new Stage(3, tenPercentMore);
    const { report, outcome } = await begin(configOf(), stage);
    expect(outcome).toEqual({ kind: 'done' });
    expect(stage.most).toBe(3);
    expect(report.comparisons).toMatchObject([
      {
        method: 'tandem',
        metric: 'cpu',
        verdict: 'slower',
        runs: 30,
        pairs: 30,
        resampled: { unit: 'run', count: 30 },
      },
    ]);
    expect(report.comparisons[0]?.interval.estimate).toBeCloseTo(1.1, 5);
    const trials = await trialsOf();
    expect(numbersOf(trials)).toEqual(upTo(30));
    expect(numbersOf(trials.map(({ trial }) => ({ run: trial })))).toEqual(upTo(30));
    for (const core of [0, 1, 2]) expect(trials.filter(({ sides }) => sides.A.cpu === core)).toHaveLength(10);
    for (const { sides } of trials) expect(sides.B.cpu).toBe(sides.A.cpu);
    for (const executor of stage.executors) expect(executor.isClosed).toBe(true);
  });

  it('makes one run at a time where a side writes the same file again', async () => {
    const written = (path: (run: number) => string) => {
      const behave: typeof tenPercentMore = (side, request, iteration) => ({
        ...tenPercentMore(side, request, iteration),
        ...(request.phase === 'pilot'
          ? { observed: { samples: 10, runnable: 1, tasks: 1, written: [path(request.run)] } }
          : {}),
      });
      return behave;
    };
    const most = async (name: string, path: (run: number) => string): Promise<number> => {
      const stage = new Stage(3, written(path));
      await begin(configOf({ pilotRuns: 3 }), stage, { name });
      return stage.most;
    };
    expect(await most('same', () => '/folder/out')).toBe(1);
    expect(await most('own', (run) => `/folder/out-${run}`)).toBe(3);
  });

  it('draws and finds what a single lane does', async () => {
    const lanes = new Stage(3, tenPercentMore);
    const one = new Stage(1, tenPercentMore);
    const several = await begin(configOf(), lanes);
    const single = await begin(configOf({ lanes: 1 }), one, { name: 'single' });
    expect(plannedOf(lanes.requests)).toEqual(plannedOf(one.requests));
    expect(several.report.comparisons[0]?.interval).toEqual(single.report.comparisons[0]?.interval);
    expect((await trialsOf()).map(({ run }) => run)).not.toEqual(upTo(30));
    expect((await trialsOf('single')).map(({ run }) => run)).toEqual(upTo(30));
  });

  it('sets up and cleans up once, and has the hooks of a run beside each', async () => {
    const stage = new Stage(3, tenPercentMore);
    await begin(configOf(), stage);
    const times = (name: string): number => stage.hooks.filter((hook) => hook === `${name} 0 A`).length;
    expect(['build', 'setup', 'cleanup'].map(times)).toEqual([1, 1, 1]);
    expect(['prepare', 'conclude'].map(times)).toEqual([30, 30]);
  });

  it('tells of every run that has ended, with the number of those so far', async () => {
    const told: number[] = [];
    await begin(configOf(), new Stage(3, tenPercentMore), {
      onEvent: (event) => {
        if (event.kind === 'trial-finished') told.push(event.progress.runs);
      },
    });
    expect(told).toEqual(upTo(30).map((run) => run + 1));
  });

  describe('of which one fails', () => {
    const failure: Failure = { side: 'B', code: 'EXIT_STATUS', message: 'B exited with status 3 in run 10: new' };
    const failing = (): Stage =>
      new Stage(3, (side, request, iteration) => ({
        ...tenPercentMore(side, request, iteration),
        ...(side === 'B' && request.run === 9 ? { failure } : {}),
      }));

    it('ends the runs in flight, which leave no trace, and says which side failed', async () => {
      const stage = failing();
      const { outcome, report } = await begin(configOf(), stage);
      expect(outcome).toEqual({ kind: 'failed', failures: [failure] });
      expect(report.experiment.complete).toBe(false);
      for (const { aborted, isClosed } of stage.executors)
        expect({ aborted, isClosed }).toEqual({ aborted: true, isClosed: true });
      const trials = await trialsOf();
      expect(trials.filter(({ status }) => status === 'failed')).toMatchObject([{ run: 9, failures: [failure] }]);
      // Two others were in flight.
      expect(stage.requests.length - trials.length).toBe(2);
      expect(stage.executors[0]?.hooks.slice(-2)).toEqual(['cleanup 0 A', 'cleanup 0 B']);
    });

    it('is gone on with: what failed and what was in flight are made again', async () => {
      await begin(configOf(), failing());
      const before = await trialsOf();
      const { outcome } = await resume(new Stage(3, tenPercentMore));
      expect(outcome).toEqual({ kind: 'done' });
      const trials = await trialsOf();
      expect(trials.slice(0, before.length)).toEqual(before);
      expect(numbersOf(trials.filter(({ status }) => status === 'ok'))).toEqual(upTo(30));
      expect(new Set(trials.map(({ trial }) => trial)).size).toBe(31);
    });
  });

  it('that is interrupted leaves no trace of the runs in flight, and makes exactly those that are missing when resumed', async () => {
    const controller = new AbortController();
    const first = new Stage(3, tenPercentMore);
    const interrupted = await begin(configOf(), first, {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.kind === 'trial-finished' && event.progress.runs === 11) controller.abort();
      },
    });
    expect(interrupted.outcome).toEqual({ kind: 'interrupted' });
    expect(interrupted.report.comparisons).toMatchObject([{ runs: 11 }]);
    for (const { aborted } of first.executors) expect(aborted).toBe(true);
    const before = await trialsOf();
    expect(before).toHaveLength(11);
    expect(first.requests).toHaveLength(13);

    const second = new Stage(3, tenPercentMore);
    const { outcome, report } = await resume(second);
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons).toMatchObject([{ runs: 30 }]);
    const trials = await trialsOf();
    expect(numbersOf(trials)).toEqual(upTo(30));
    expect(new Set(trials.map(({ trial }) => trial)).size).toBe(30);
    // Together they are what an experiment is made of that nobody interrupts.
    const whole = new Stage(3, tenPercentMore);
    const { report: uninterrupted } = await begin(configOf(), whole, { name: 'whole' });
    expect(report.comparisons[0]?.interval).toEqual(uninterrupted.comparisons[0]?.interval);
    const counted = [
      ...first.requests.filter(({ run }) => before.some((trial) => trial.run === run)),
      ...second.requests,
    ];
    expect(plannedOf(counted)).toEqual(plannedOf(whole.requests));
  });

  it('whose disk is full ends every lane before it says so, and keeps what was written', async () => {
    const stage = new Stage(3, tenPercentMore);
    const full = new RecordError('DISK_FULL', 'no space is left', { path: 'trials.jsonl' });
    let asked = 0;
    const change = (recording: RecordingWriter): void => {
      const append = recording.append.bind(recording);
      recording.append = (trial) => {
        asked++;
        if (recording.trialsOnDisk >= 7) throw full;
        append(trial);
      };
    };
    await expect(begin(configOf(), stage, { change })).rejects.toBe(full);
    expect(stage.inFlight.size).toBe(0);
    for (const { aborted, isClosed } of stage.executors)
      expect({ aborted, isClosed }).toEqual({ aborted: true, isClosed: true });
    expect(await trialsOf()).toHaveLength(7);
    // What was in flight was not brought to the journal any more.
    expect(asked).toBe(8);
    expect(stage.requests).toHaveLength(10);
    await resume(new Stage(3, tenPercentMore));
    expect(numbersOf(await trialsOf())).toEqual(upTo(30));
  });

  it('with an executor that breaks ends every lane before it says so', async () => {
    const broken = new Error('a defect');
    const stage = new Stage(3, (side, request, iteration) => {
      if (request.run === 9) throw broken;
      return tenPercentMore(side, request, iteration);
    });
    await expect(begin(configOf(), stage)).rejects.toBe(broken);
    expect(stage.inFlight.size).toBe(0);
    for (const { aborted, isClosed } of stage.executors)
      expect({ aborted, isClosed }).toEqual({ aborted: true, isClosed: true });
  });

  describe('with two benchmarks', () => {
    it('has a tandem of one and of the other in flight together', async () => {
      const [benchmark] = configOf().benchmarks;
      if (benchmark === undefined) throw new Error('no benchmark');
      const stage = new Stage(3, tenPercentMore);
      const config = configOf({ benchmarks: [benchmark, { ...benchmark, name: 'another' }] });
      const { report } = await begin(config, stage);
      expect(report.comparisons.map(({ runs }) => runs)).toEqual([30, 30]);
      expect(stage.most).toBe(3);
      const trials = await trialsOf();
      for (const index of [0, 1]) {
        expect(numbersOf(trials.filter((trial) => trial.benchmark === index))).toEqual(upTo(30));
      }
    });
  });

  describe('whose method pilot runs choose', () => {
    const { method, pilotRuns } = defaultSettings('auto');
    const auto = configOf({ method, pilotRuns });

    it('has them alone, says what they chose and why, and does not judge them', async () => {
      const stage = new Stage(3, tenPercentMore);
      const { report } = await begin(auto, stage);
      const [comparison] = report.comparisons;
      expect(comparison).toMatchObject({ method: 'tandem', metric: 'cpu', runs: 30, discarded: { warmup: 0 } });
      expect(comparison?.methodReason).toContain('both sides keep one core busy');
      // A takes 10 ms in the first duet and 0.2 % more in the second; the third pilot run is none.
      expect(comparison?.sides.A).toMatchObject({ metric: 'cpu', alone: 0.010_010_017 });
      const trials = await trialsOf();
      expect(trials.slice(0, 3).map(({ phase, method: of, run }) => `${phase} ${of} ${run}`)).toEqual([
        'pilot sync-duet 0',
        'pilot sync-duet 1',
        'pilot sequential 2',
      ]);
      expect(trials.slice(3).every(({ phase }) => phase === 'measure')).toBe(true);
      const { experiment } = await readRecording(join(directory, 'recording'));
      expect(experiment.config.benchmarks[0]?.chosen).toMatchObject({
        method: 'tandem',
        reason: comparison?.methodReason,
      });
    });

    it('has only one run in flight where they choose a method that needs the machine', async () => {
      // It computes for a twentieth of its time.
      const stage = new Stage(3, (side) => ({ durationNs: 30_000_000, cpuNs: side === 'A' ? 1_500_017 : 1_500_029 }));
      const { report } = await begin(auto, stage);
      expect(report.comparisons).toMatchObject([{ method: 'sync-duet', metric: 'undelayed', runs: 30 }]);
      expect(stage.most).toBe(1);
    });

    it('keeps the choice when it is resumed, and makes it where it was killed just before', async () => {
      const controller = new AbortController();
      await begin(auto, new Stage(3, tenPercentMore), {
        signal: controller.signal,
        onEvent: (event) => {
          if (event.kind === 'trial-finished' && event.trial.phase === 'pilot' && event.trial.run === 2)
            controller.abort();
        },
      });
      const path = join(directory, 'recording', 'experiment.json');
      const { config } = JSON.parse(readFileSync(path, 'utf8')) as Experiment;
      expect(config.benchmarks[0]?.chosen).toMatchObject({ method: 'tandem' });
      for (const isChosen of [true, false]) {
        const { recording, writer } = await openRecording(join(directory, 'recording'));
        writer.close();
        const benchmarks = recording.experiment.config.benchmarks.map((benchmark) =>
          isChosen ? benchmark : { ...benchmark, chosen: null },
        );
        const experiment = { ...recording.experiment, config: { ...recording.experiment.config, benchmarks } };
        const copy = await createRecording({
          directory: join(directory, `again-${isChosen}`),
          name: 'again',
          startedAt: experiment.startedAt,
          experiment,
        });
        for (const trial of recording.trials) copy.append(trial);
        const stage = new Stage(3, tenPercentMore);
        const { report } = await runSession({
          experiment,
          recording: copy,
          recorded: recording.trials,
          executors: stage.executors,
          signal: new AbortController().signal,
          onEvent: () => {},
        });
        expect(report.comparisons).toMatchObject([{ method: 'tandem', runs: 30 }]);
        expect(report.comparisons[0]?.methodReason).toBe(config.benchmarks[0]?.chosen?.reason);
        expect(stage.requests.every(({ phase }) => phase === 'measure')).toBe(true);
      }
    });
  });

  it('keeps a result that other lanes brought while one of them waited for a run that does not end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stage = new Stage(3, tenPercentMore);
    // Run 4 ends when it is aborted.
    for (const executor of stage.executors) executor.hangsIn = 4;
    const stop = { kind: 'enough', minRuns: 5, minTimeNs: 0, maxRuns: null } as const;
    const { outcome, report } = await begin(configOf({ stop, maxTimeNs: 60e9 }), stage, {
      onEvent: (event) => {
        // Five time limits pass.
        if (event.kind === 'trial-finished' && event.progress.done) vi.advanceTimersByTime(301_000);
      },
    });
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]?.runs).toBeGreaterThanOrEqual(5);
    expect(numbersOf(await trialsOf())).not.toContain(4);
  });

  it('counts the time of runs that were in flight together once, where an experiment has a time limit', async () => {
    const controller = new AbortController();
    await begin(configOf({ lanes: 2, tandemCpus: [0, 1] }), new Stage(2, tenPercentMore), {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.kind === 'trial-finished' && event.progress.runs === 10) controller.abort();
      },
    });
    const { recording, writer } = await openRecording(join(directory, 'recording'));
    const { experiment, trials } = recording;
    // Ten runs of two minutes, two at a time, are ten minutes.
    const recorded = trials.map((trial) => ({ ...trial, wallNs: 120e9 }));
    const config = { ...experiment.config, experimentTimeoutNs: 11 * 60e9 };
    const { outcome, report } = await runSession({
      experiment: { ...experiment, config },
      recording: writer,
      recorded,
      executors: new Stage(2, tenPercentMore).executors,
      signal: new AbortController().signal,
      onEvent: () => {},
    });
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons).toMatchObject([{ runs: 30 }]);
  });
});
