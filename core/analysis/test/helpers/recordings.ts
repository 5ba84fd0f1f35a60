import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Benchmark,
  type Command,
  type Experiment,
  type ExperimentConfig,
  type Iteration,
  type SideResult,
  type Trial,
} from '@deadheat/model';
import { measuredRuns } from '../../src/columns/measured-runs.ts';
import { selectRuns, type Selection, type SelectionOptions } from '../../src/pairing/select-runs.ts';
import { at } from '../../src/internal/lists.ts';

const command = (name: string): Command => ({
  name,
  commandLine: `/bin/${name} --work`,
  argv: [`/bin/${name}`, '--work'],
  executedBy: 'direct',
});

export const aBenchmark = (changes: Partial<Benchmark> = {}): Benchmark => ({
  ...benchmarkDefaults,
  name: 'loop',
  commands: { A: command('old'), B: command('new') },
  ...changes,
});

export const aConfig = (changes: Partial<ExperimentConfig> = {}): ExperimentConfig => ({
  name: 'example',
  benchmarks: [aBenchmark()],
  ...defaultSettings('sync-duet'),
  ...experimentDefaults,
  metric: 'time',
  stop: { kind: 'runs', runs: 20 },
  cpus: [0, 1],
  tandemCpus: [],
  sequentialCpus: [],
  lanes: 1,
  seed: '1',
  ...changes,
});

/** Executions one after the other: each starts 1 ms after the one before ended. `cpu` is the share of CPU time. */
export const iterationsOf = (
  timesNs: readonly number[],
  options: { readonly startNs?: number; readonly cpu?: number | null } = {},
): Iteration[] => {
  let s = options.startNs ?? 1_000_000_000;
  return timesNs.map((time, i) => {
    const e = s + Math.round(time);
    const cpu = options.cpu ?? null;
    const iteration: Iteration = cpu === null ? { i, s, e } : { i, s, e, c: (e - s) * cpu };
    s = e + 1_000_000;
    return iteration;
  });
};

export const aSide = (iterations: readonly Iteration[], changes: Partial<SideResult> = {}): SideResult => ({
  cpu: 0,
  padBytes: 0,
  exitCode: 0,
  signal: null,
  userNs: null,
  systemNs: null,
  maxRssBytes: null,
  voluntarySwitches: null,
  involuntarySwitches: null,
  record: null,
  iterations: [...iterations],
  ...changes,
});

export const aTrial = (changes: Partial<Trial> & Pick<Trial, 'sides'>): Trial => ({
  trial: changes.run ?? 0,
  benchmark: 0,
  method: 'sync-duet',
  run: 0,
  phase: 'measure',
  order: 'AB',
  status: 'ok',
  failures: [],
  wallNs: 50_000_000,
  noise: { stealNs: null, throttledNs: null, contextSwitches: null },
  ...changes,
});

/** Runs of times in ns; the sides trade cores at every run: A on CPU 0 in even runs. */
export const trialsOf = (
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  options: { readonly changes?: Partial<Trial>; readonly cpu?: { readonly A: number; readonly B: number } } = {},
): Trial[] =>
  A.map((times, run) =>
    aTrial({
      run,
      sides: {
        A: aSide(iterationsOf(times, { cpu: options.cpu?.A ?? null }), { cpu: run % 2 }),
        B: aSide(iterationsOf(at(B, run), { cpu: options.cpu?.B ?? null }), { cpu: 1 - (run % 2) }),
      },
      ...options.changes,
    }),
  );

/** The selection from trials as `aConfig` has it. */
export const selectedRuns = (trials: readonly Trial[], changes: Partial<SelectionOptions> = {}): Selection =>
  selectRuns(measuredRuns(trials), { ...aConfig(), workload: 'command', ...changes });

export const anExperiment = (config: ExperimentConfig): Experiment => ({
  schema: 'deadheat.experiment/1',
  id: '20260101T000000Z-example',
  startedAt: '2026-01-01T00:00:00.000Z',
  tool: { name: 'deadheat', version: '0.1.0' },
  config,
  machine: {
    hostname: 'host',
    platform: 'linux',
    kernel: '6.1',
    node: 'v20.20.0',
    cpuModel: null,
    onlineCpus: 2,
    usableCpus: [0, 1],
    smtSiblings: {},
    smtActive: null,
    governor: null,
    turbo: null,
    aslr: null,
    clockSource: null,
    virtualization: null,
    memoryTotalBytes: 1,
    memoryAvailableBytes: null,
    cpuQuota: null,
    cgroupVersion: 'none',
    load1: 0,
  },
  warnings: [],
});
