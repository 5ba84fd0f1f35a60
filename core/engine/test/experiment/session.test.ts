import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Command,
  type EngineEvent,
  type Experiment,
  type ExperimentConfig,
  type Failure,
} from '@deadheat/model';
import { analyseRecorded } from '../../src/recorded/analyse-recorded.ts';
import { readMachine } from '../../src/host/read-machine.ts';
import { createRecording, openRecording, readRecording } from '@deadheat/recording';
import { readRows } from '../../../recording/test/read-rows.ts';
import { FakeExecutor } from '../fake-executor.ts';
import { runSession } from '../../src/experiment/start-experiment.ts';
import type { SessionResult } from '../../src/experiment/experiment-state.ts';

const millisecond = 1e6;
const command = (name: string): Command => ({ name, commandLine: name, argv: [`/bin/${name}`], executedBy: 'direct' });

function configOf(changes: Partial<ExperimentConfig> = {}): ExperimentConfig {
  const benchmark = {
    ...benchmarkDefaults,
    name: 'a benchmark',
    commands: { A: command('old'), B: command('new') },
  };
  return {
    name: 'test',
    benchmarks: [benchmark],
    ...defaultSettings('sync-duet'),
    ...experimentDefaults,
    replicates: 2000,
    metric: 'time',
    stop: { kind: 'runs', runs: 12 },
    maxTimeNs: null,
    cpus: [0, 1],
    tandemCpus: [],
    sequentialCpus: [],
    lanes: 1,
    seed: 'session',
    ...changes,
  };
}

/** B takes 10 % longer, with a little deterministic scatter. */
function tenPercentSlower(): FakeExecutor {
  return new FakeExecutor((side, { run }) => ({
    durationNs: Math.round((side === 'A' ? 10 : 11) * millisecond * (1 + ((run * 7) % 5) / 1000)),
  }));
}

describe('a session', () => {
  let directory: string;
  const events: EngineEvent[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'session-test-'));
    events.length = 0;
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  async function experimentOf(config: ExperimentConfig): Promise<Experiment> {
    return {
      schema: 'deadheat.experiment/1',
      id: 'id',
      startedAt: '2026-01-02T03:04:05.000Z',
      tool: { name: 'deadheat', version: '0.0.0' },
      config,
      machine: await readMachine({ usableCpus: [0, 1], cpus: [0, 1] }),
      warnings: [],
    };
  }

  async function run(
    config: ExperimentConfig,
    executor: FakeExecutor,
    onEvent: (event: EngineEvent) => void = () => {},
    signal = new AbortController().signal,
  ): Promise<SessionResult> {
    const experiment = await experimentOf(config);
    const path = join(directory, 'recording');
    const recording = await createRecording({
      directory: path,
      name: 'test',
      startedAt: experiment.startedAt,
      experiment,
    });
    return runSession({
      experiment,
      recording,
      recorded: [],
      executors: [executor],
      signal,
      onEvent: (event) => {
        events.push(event);
        onEvent(event);
      },
    });
  }

  it('measures, records and judges', async () => {
    const { report, outcome } = await run(configOf(), tenPercentSlower());
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons).toHaveLength(1);
    const [comparison] = report.comparisons;
    expect(comparison?.verdict).toBe('slower');
    expect(comparison?.interval.estimate).toBeCloseTo(1.1, 3);
    expect(comparison?.runs).toBe(12);
    const { trials } = await readRecording(join(directory, 'recording'));
    expect(trials.map((trial) => trial.run)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    // a row a side and run
    expect(await readRows(join(directory, 'recording', 'iterations.parquet'))).toHaveLength(24);
  });

  it('tells every run that has ended, and only then', async () => {
    await run(configOf(), tenPercentSlower());
    const kinds = events.map(({ kind }) => kind);
    expect(kinds[0]).toBe('experiment-started');
    expect(kinds.filter((kind) => kind === 'trial-finished')).toHaveLength(12);
    expect(kinds.at(-1)).toBe('experiment-finished');
  });

  it('interleaves the benchmarks in rounds of random order', async () => {
    const [benchmark] = configOf().benchmarks;
    if (benchmark === undefined) throw new Error('no benchmark');
    const executor = tenPercentSlower();
    await run(configOf({ benchmarks: [benchmark, benchmark, benchmark] }), executor);
    const order = executor.requests.map((request) => request.benchmark);
    expect(order).toHaveLength(36);
    const rounds = Array.from({ length: 12 }, (_, round) => order.slice(round * 3, round * 3 + 3));
    for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(1);
  });

  it('runs the hooks around what they belong to, A before B', async () => {
    const executor = tenPercentSlower();
    await run(configOf({ stop: { kind: 'runs', runs: 2 } }), executor);
    const around = ['prepare 0 A', 'prepare 0 B', 'conclude 0 A', 'conclude 0 B'];
    expect(executor.hooks).toEqual([
      'build 0 A',
      'build 0 B',
      'setup 0 A',
      'setup 0 B',
      ...around,
      ...around,
      'cleanup 0 A',
      'cleanup 0 B',
    ]);
  });

  it('records warm-up runs and does not judge them', async () => {
    const { report } = await run(configOf({ warmupRuns: 3 }), tenPercentSlower());
    expect(report.comparisons[0]).toMatchObject({ runs: 12, discarded: { warmup: 3 } });
    const { trials } = await readRecording(join(directory, 'recording'));
    expect(trials.filter(({ phase }) => phase === 'warmup')).toHaveLength(3);
  });

  it('stops at a failure, keeps the runs before it, and says which side failed', async () => {
    const failure = { side: 'B', code: 'EXIT_STATUS', message: 'B exited with status 3 in run 7: new' } as const;
    const executor = new FakeExecutor((side, { run }) => ({
      durationNs: 10 * millisecond,
      ...(side === 'B' && run === 6 ? { failure } : {}),
    }));
    const { outcome, report } = await run(configOf(), executor);
    expect(outcome).toEqual({ kind: 'failed', failures: [failure] });
    expect(report.experiment.complete).toBe(false);
    const { trials } = await readRecording(join(directory, 'recording'));
    expect(trials.map(({ status }) => status)).toEqual([...Array<string>(6).fill('ok'), 'failed']);
  });

  it('ends in order when it is interrupted, and goes on where it stopped when resumed', async () => {
    const controller = new AbortController();
    const first = tenPercentSlower();
    const interrupted = await run(
      configOf(),
      first,
      (event) => {
        if (event.kind === 'trial-finished' && event.trial.run === 4) controller.abort();
      },
      controller.signal,
    );
    expect(interrupted.outcome).toEqual({ kind: 'interrupted' });
    expect(interrupted.report.warnings.map(({ code }) => code)).toContain('INTERRUPTED');
    expect(first.aborted).toBe(true);

    const second = tenPercentSlower();
    const { recording, writer } = await openRecording(interrupted.directory);
    const resumed = await runSession({
      experiment: recording.experiment,
      recording: writer,
      recorded: recording.trials,
      executors: [second],
      signal: new AbortController().signal,
      onEvent: () => {},
    });
    expect(resumed.outcome).toEqual({ kind: 'done' });
    expect(resumed.report.comparisons[0]?.runs).toBe(12);

    const whole = tenPercentSlower();
    rmSync(join(directory, 'recording'), { recursive: true });
    await run(configOf(), whole);
    // The two parts together plan exactly what an uninterrupted experiment plans.
    expect([...first.requests, ...second.requests]).toEqual(whole.requests);
  });

  it('fills the gap that a removed line left in the journal, with numbers of its own', async () => {
    const { directory: path } = await run(configOf(), tenPercentSlower());
    const { recording, writer } = await openRecording(path);
    const executor = tenPercentSlower();
    const recorded = recording.trials.filter(({ run: number }) => number !== 4);
    const { experiment } = recording;
    const { signal } = new AbortController();
    await runSession({ experiment, recording: writer, recorded, executors: [executor], signal, onEvent: () => {} });
    expect(executor.requests.map(({ run: number }) => number)).toEqual([4]);
    const { trials } = await readRecording(path);
    expect(trials.at(-1)).toMatchObject({ trial: 12, run: 4 });
  });

  it('cleans up what it set up, also after a failure', async () => {
    const failure = { side: 'A', code: 'EXIT_STATUS', message: 'A exited with status 1 in run 1: old' } as const;
    const executor = new FakeExecutor(() => ({ durationNs: millisecond, failure }));
    await run(configOf(), executor);
    expect(executor.hooks.slice(-2)).toEqual(['cleanup 0 A', 'cleanup 0 B']);
  });

  it('leaves no timer behind when a run throws, which would keep the process alive', async () => {
    const broken = new FakeExecutor(() => {
      throw new RangeError('not to be expected');
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await expect(run(configOf({ maxTimeNs: 60e9 }), broken)).rejects.toThrow('not to be expected');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['cleans up after an interruption', 'prepare 0 A', ['cleanup 0 A', 'cleanup 0 B']],
    ['ends the cleaning up when that is what is interrupted', 'cleanup 0 A', ['cleanup 0 A']],
  ])('%s', async (_, interrupted, cleanups) => {
    const controller = new AbortController();
    const patience: (number | undefined)[] = [];
    class InterruptedExecutor extends FakeExecutor {
      override async hook(...request: Parameters<FakeExecutor['hook']>): Promise<Failure | null> {
        const failure = await super.hook(...request);
        if (request[0] === 'cleanup') patience.push(request[1].leaveAfterMs);
        if (this.hooks.at(-1) === interrupted) controller.abort();
        return failure;
      }
    }
    const executor = new InterruptedExecutor(() => ({ durationNs: millisecond }));
    const { outcome } = await run(configOf(), executor, () => {}, controller.signal);
    expect(outcome).toEqual({ kind: 'interrupted' });
    expect(executor.hooks.filter((name) => name.startsWith('cleanup'))).toEqual(cleanups);
    // Who interrupts waits for no hook; who does not, for each as long as it takes.
    expect(patience.map((ms) => ms !== undefined)).toEqual(cleanups.map(() => interrupted.startsWith('prepare')));
  });

  it('goes on until the wanted precision is reached at a look', async () => {
    const scattered = new FakeExecutor((side, { run }) => ({
      durationNs: Math.round(10 * millisecond * (1 + (side === 'B' ? ((run * 37) % 11) - 5 : 0) / 100)),
    }));
    const { report } = await run(
      configOf({ stop: { kind: 'precision', precision: 0.012, minRuns: 10, maxRuns: null } }),
      scattered,
    );
    const [comparison] = report.comparisons;
    const { interval, fixedInterval, interim } = comparison ?? {};
    const runs = comparison?.runs ?? 0;
    expect(interval?.kind).toBe('anytime-t');
    // looks at 14, 16, 18, … up to 200
    expect(runs % 2).toBe(0);
    expect(interim).toEqual({ analyses: runs / 2 - 6, reached: true });
    expect((interval?.high ?? 9) - (interval?.estimate ?? 0)).toBeLessThanOrEqual(0.012);
    // An interval that holds at every look is wider than one for a number of runs fixed beforehand.
    expect((interval?.high ?? 0) - (interval?.low ?? 9)).toBeGreaterThan(
      (fixedInterval?.high ?? 9) - (fixedInterval?.low ?? 0),
    );
  });

  describe('until decided', () => {
    const untilDecided = (changes: Partial<ExperimentConfig> = {}): ExperimentConfig =>
      configOf({ stop: { kind: 'decided', minRuns: 5, maxRuns: 60 }, ...changes });
    /** B scatters by some percent around `ratio` times A. */
    const around = (ratio: number): FakeExecutor =>
      new FakeExecutor((side, { run: number }) => ({
        durationNs: Math.round(10 * millisecond * (side === 'A' ? 1 : ratio + (((number * 37) % 11) - 5) / 200)),
      }));

    it('stops at the first look that is safe, and says that the interval of every look decided', async () => {
      const { report, outcome } = await run(untilDecided(), tenPercentSlower());
      expect(outcome).toEqual({ kind: 'done' });
      expect(report.comparisons[0]).toMatchObject({
        runs: 14,
        verdict: 'slower',
        interval: { kind: 'anytime-t', level: 0.99 },
        interim: { analyses: 1, reached: true },
      });
    });

    it('calls a dead heat as soon as the interval lies inside the margin', async () => {
      const { report } = await run(untilDecided({ margin: 0.02 }), around(1));
      const [comparison] = report.comparisons;
      expect(comparison).toMatchObject({ verdict: 'dead-heat', interim: { reached: true }, warnings: [] });
      expect(comparison?.runs).toBeLessThan(60);
    });

    it('gives up when the limit would hardly do, says so, and when it would be decided', async () => {
      const { report } = await run(untilDecided({ margin: 0.001 }), around(1.002));
      const [comparison] = report.comparisons;
      expect(comparison?.runs).toBeLessThan(60);
      expect(comparison).toMatchObject({ verdict: 'undecided', interim: { reached: false } });
      expect(comparison?.warnings.map(({ code }) => code)).toEqual(['NOT_DECIDED']);
      expect(comparison?.warnings[0]?.message).toContain('cannot be decided within --max-runs 60');
      expect(comparison?.warnings[0]?.message).toMatch(/about \d+ runs .* would decide it/);
    });

    it('is judged once, as a fixed number of runs, when the limit is below the first look', async () => {
      const few = untilDecided({ stop: { kind: 'decided', minRuns: 5, maxRuns: 6 } });
      const clear = await run(few, around(1.5));
      expect(clear.report.comparisons[0]).toMatchObject({
        runs: 6,
        verdict: 'slower',
        interval: { kind: 't' },
        fixedInterval: null,
        interim: { analyses: 0, reached: true },
      });
      expect(clear.report.comparisons[0]?.warnings.map(({ code }) => code)).toEqual(['FEW_RUNS']);
      rmSync(clear.directory, { recursive: true });
      const { report } = await run({ ...few, margin: 0.002 }, around(1.002));
      expect(report.comparisons[0]).toMatchObject({ verdict: 'undecided', interim: { analyses: 0, reached: false } });
      expect(report.comparisons[0]?.warnings.find(({ code }) => code === 'NOT_DECIDED')?.message).toContain(
        'cannot be decided within --max-runs 6: at 99 % the first interim analysis is after 14 runs',
      );
    });

    it('looks at the same runs after an interruption, and analysed again says the same', async () => {
      const config = untilDecided({ margin: 0.02 });
      const whole = await run(config, around(1));
      const again = await analyseRecorded(whole.directory);
      expect(again.comparisons).toEqual(whole.report.comparisons);
      rmSync(whole.directory, { recursive: true });

      const controller = new AbortController();
      const interrupted = await run(
        config,
        around(1),
        (event) => {
          if (event.kind === 'trial-finished' && event.trial.run === 11) controller.abort();
        },
        controller.signal,
      );
      expect(interrupted.report.comparisons[0]).toMatchObject({ verdict: 'undecided', interim: { reached: false } });
      const { recording, writer } = await openRecording(interrupted.directory);
      const resumed = await runSession({
        experiment: recording.experiment,
        recording: writer,
        recorded: recording.trials,
        executors: [around(1)],
        signal: new AbortController().signal,
        onEvent: () => {},
      });
      const [one, other] = [whole.report.comparisons[0], resumed.report.comparisons[0]];
      expect(other?.runs).toBe(one?.runs);
      expect(other?.interval).toEqual(one?.interval);
    });
  });
});
