import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Benchmark,
  type Command,
  type Experiment,
  type ExperimentConfig,
  type Side,
  unknownMachine,
} from '@deadheat/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pilotLeaders } from '../../src/plan/choose-method.ts';
import { createRecording, readRecording } from '@deadheat/recording';
import { type FakeExecution, FakeExecutor } from '../fake-executor.ts';
import type { RunRequest } from '../../src/run/executor.ts';
import { runSession } from '../../src/experiment/start-experiment.ts';

const command = (name: string): Command => ({ name, commandLine: name, argv: [`/bin/${name}`], executedBy: 'direct' });

const benchmark = (name: string, changes: Partial<Benchmark> = {}): Benchmark => ({
  ...benchmarkDefaults,
  name,
  commands: { A: command('old'), B: command('new') },
  ...changes,
});

const configOf = (benchmarks: readonly Benchmark[]): ExperimentConfig => ({
  name: 'test',
  benchmarks: [...benchmarks],
  ...defaultSettings('auto'),
  ...experimentDefaults,
  replicates: 500,
  stop: { kind: 'runs', runs: 4 },
  maxTimeNs: null,
  cpus: [0, 1],
  tandemCpus: [0, 1],
  sequentialCpus: [0, 1],
  lanes: 1,
  seed: 'pilot',
});

const long = benchmark('one', { params: { length: 'long' }, own: { iterations: null } });
const short = benchmark('one', { params: { length: 'short' }, own: { iterations: 1 } });
const control = benchmark('one (control)', {
  params: { length: 'long' },
  controlOf: 'one',
  commands: { A: command('old'), B: command('old') },
});
const other = benchmark('other', { commands: { A: command('x'), B: command('y') } });

describe('pilot runs', () => {
  it('are made once for entries with the same programs, by the shortest; a control is measured as what it is beside', () => {
    expect(pilotLeaders(configOf([long, short, control, other]))).toEqual([1, 1, 1, 3]);
    // Another environment may make another program of it, and another metric another choice.
    const elsewhere = { ...short, environment: { A: { X: '1' }, B: {} } };
    expect(pilotLeaders(configOf([long, elsewhere, control]))).toEqual([0, 1, 0]);
    expect(pilotLeaders(configOf([long, { ...short, own: { iterations: 1, metric: 'cpu' } }]))).toEqual([0, 1]);
  });

  describe('in a session', () => {
    let directory: string;
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'pilot-test-'));
    });
    afterEach(() => rmSync(directory, { recursive: true }));

    const run = async (
      config: ExperimentConfig,
      behave?: ConstructorParameters<typeof FakeExecutor>[0],
    ): Promise<readonly string[]> => {
      const experiment: Experiment = {
        schema: 'deadheat.experiment/1',
        id: 'pilots',
        startedAt: '2026-01-02T03:04:05.000Z',
        tool: { name: 'deadheat', version: '0.0.0' },
        config,
        machine: unknownMachine,
        warnings: [],
      };
      const folder = join(directory, 'recording');
      const recording = await createRecording({
        directory: folder,
        name: 'test',
        startedAt: experiment.startedAt,
        experiment,
      });
      // The program `other` waits for half of its time.
      const halfWaiting = (_: Side, request: RunRequest): FakeExecution => ({
        durationNs: 10_000_123 + request.run,
        cpuNs: request.benchmark === 2 ? 5_000_123 : 10_000_123,
      });
      const executor = new FakeExecutor(behave ?? halfWaiting);
      const { outcome } = await runSession({
        experiment,
        recording,
        recorded: [],
        executors: [executor],
        signal: new AbortController().signal,
        onEvent: () => {},
      });
      expect(outcome).toEqual({ kind: 'done' });
      const read = await readRecording(folder);
      const told = read.trials.map(({ benchmark: entry, phase, method }) => `${entry} ${phase} ${method}`);
      chosen = read.experiment.config.benchmarks.map((one) => one.chosen?.method);
      return told;
    };
    let chosen: readonly (string | undefined)[] = [];
    const usual = ['tandem', 'tandem', 'sync-duet'];

    it('choose for all that follow them, which wait for it', async () => {
      const told = await run(configOf([long, short, other]));
      expect(chosen).toEqual(usual);
      expect(told.slice(0, 6).toSorted()).toEqual([
        '1 pilot sequential',
        ...Array.from({ length: 2 }, () => '1 pilot sync-duet'),
        '2 pilot sequential',
        ...Array.from({ length: 2 }, () => '2 pilot sync-duet'),
      ]);
      const measured = told.slice(6).toSorted();
      expect(measured).toEqual([
        ...Array.from({ length: 4 }, () => '0 measure tandem'),
        ...Array.from({ length: 4 }, () => '1 measure tandem'),
        ...Array.from({ length: 4 }, () => '2 measure sync-duet'),
      ]);
    });

    it('are two more where the sides seem to wait for each other, which they then do not do one after the other', async () => {
      // Waiting for 2 x 20 % more together: too little to be sure at once.
      const told = await run(configOf([other]), (_, request) => ({
        durationNs: request.method === 'sequential' ? 100_000_123 : 120_000_123,
        cpuNs: 1_100_123,
      }));
      expect(told.slice(0, 5)).toEqual([
        '0 pilot sync-duet',
        '0 pilot sync-duet',
        '0 pilot sequential',
        '0 pilot sequential',
        '0 pilot sequential',
      ]);
      expect(told.slice(5)).toEqual(Array.from({ length: 4 }, () => '0 measure sequential'));
      expect(chosen).toEqual(['sequential']);
    });

    it('are not made where a method was chosen before', async () => {
      const earlier = { method: 'tandem', metric: 'cpu', reason: 'earlier', aloneNs: null } as const;
      const told = await run(configOf([{ ...long, chosen: earlier }, { ...short, chosen: earlier }, other]));
      expect(chosen).toEqual(usual);
      expect(told.filter((text) => text.includes('pilot'))).toEqual([
        '2 pilot sync-duet',
        '2 pilot sync-duet',
        '2 pilot sequential',
      ]);
    });
  });
});
