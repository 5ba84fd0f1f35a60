import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Command,
  type Experiment,
  type Iteration,
  type Report,
  type SideResult,
  type Trial,
} from '@deadheat/model';
import { onTestFinished } from 'vitest';

/** A new folder that is removed when the test ends. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const command = (name: string): Command => ({
  name,
  commandLine: name,
  argv: [`/bin/${name}`],
  executedBy: 'direct',
});

export const experiment: Experiment = {
  schema: 'deadheat.experiment/1',
  id: 'experiment-1',
  startedAt: '2026-11-21T09:30:15.250Z',
  tool: { name: 'deadheat', version: '0.1.0' },
  config: {
    name: 'true against false',
    benchmarks: [
      {
        ...benchmarkDefaults,
        name: 'größe 5',
        params: { size: '5' },
        commands: { A: command('true'), B: command('false') },
      },
    ],
    ...defaultSettings('sync-duet'),
    ...experimentDefaults,
    stop: { kind: 'runs', runs: 20 },
    cpus: [0, 1],
    tandemCpus: [],
    sequentialCpus: [],
    lanes: 1,
    seed: 'seed',
  },
  machine: {
    hostname: 'host',
    platform: 'linux',
    kernel: '6.1',
    node: 'v20.20.0',
    cpuModel: null,
    onlineCpus: 2,
    usableCpus: [0, 1],
    smtSiblings: { '0': [0], '1': [1] },
    smtActive: null,
    governor: null,
    turbo: null,
    aslr: 2,
    clockSource: 'tsc',
    virtualization: null,
    memoryTotalBytes: 4e9,
    memoryAvailableBytes: null,
    cpuQuota: null,
    cgroupVersion: 'v2',
    load1: 0.1,
  },
  warnings: [],
};

export const report: Report = {
  schema: 'deadheat.report/1',
  tool: experiment.tool,
  experiment: {
    id: experiment.id,
    name: experiment.config.name,
    startedAt: experiment.startedAt,
    seed: 'seed',
    method: 'sync-duet',
    confidence: 0.99,
    margin: 0,
    recording: 'somewhere',
    complete: true,
  },
  gate: { outcome: 'passed', against: 'slower', correction: 'holm', level: 0.005, benchmarks: [], control: null },
  machine: experiment.machine,
  comparisons: [],
  results: [],
  warnings: [],
};

const sideResult = (cpu: number, iterations: readonly Iteration[]): SideResult => ({
  cpu,
  padBytes: 17 + cpu,
  exitCode: 0,
  signal: null,
  userNs: 1_000_000,
  systemNs: 500_000,
  maxRssBytes: 1_800_000,
  voluntarySwitches: 1,
  involuntarySwitches: 0,
  record: null,
  iterations: [...iterations],
});

/** Trial number `trial` with one iteration a side: A takes 1 ms, B 2 ms; changes by `change`. */
export const makeTrial = (trial: number, change: Partial<Trial> = {}): Trial => {
  const start = 1_000_000_000 + trial * 10_000_000;
  return {
    trial,
    benchmark: 0,
    method: 'sync-duet',
    run: trial,
    phase: 'measure',
    order: trial % 2 === 0 ? 'AB' : 'BA',
    status: 'ok',
    failures: [],
    wallNs: 3_000_000,
    sides: {
      A: sideResult(0, [{ i: 0, s: start, e: start + 1_000_000, c: 900_000, v: 0 }]),
      B: sideResult(1, [{ i: 0, s: start, e: start + 2_000_000, c: 1_900_000, v: 2 }]),
    },
    noise: { stealNs: 0, throttledNs: null, contextSwitches: 42 },
    ...change,
  };
};

/** The trial with these iterations on both sides. */
export const withIterations = (trial: Trial, iterations: readonly Iteration[]): Trial => ({
  ...trial,
  sides: {
    A: { ...trial.sides.A, iterations: [...iterations] },
    B: { ...trial.sides.B, iterations: [...iterations] },
  },
});

/** Options of a recording of {@link experiment} below `parent`. */
export const below = (parent: string): { parent: string; name: string; startedAt: string; experiment: Experiment } => ({
  parent,
  name: experiment.config.name,
  startedAt: experiment.startedAt,
  experiment,
});

/** What a promise or call is rejected with. */
export const failureOf = async (action: () => unknown): Promise<unknown> => {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error('expected a failure');
};
