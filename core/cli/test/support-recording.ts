import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Iteration,
  type Method,
  type Recording,
  type SideResult,
  type Trial,
} from '@deadheat/model';
import { aReport, machine } from '../../report/test/support-report.ts';

const command = (name: string): Recording['experiment']['config']['benchmarks'][number]['commands']['A'] => ({
  name,
  commandLine: name,
  argv: [`/bin/${name}`],
  executedBy: 'direct',
});

const side = (cpu: number, iteration: Iteration): SideResult => ({
  cpu,
  padBytes: 17,
  exitCode: 0,
  signal: null,
  userNs: 1_000_000,
  systemNs: 500_000,
  maxRssBytes: 1_800_000,
  voluntarySwitches: 1,
  involuntarySwitches: 0,
  record: null,
  iterations: [iteration],
});

/** A takes 1 ms and 1 us more each run, B twice as long. */
function trial(number: number, changes: Pick<Trial, 'benchmark' | 'method' | 'run'> & Partial<Trial>): Trial {
  const start = 1_000_000_000 + number * 10_000_000;
  const took = 1_000_000 + changes.run * 1000;
  return {
    trial: number,
    phase: 'measure',
    order: number % 2 === 0 ? 'AB' : 'BA',
    status: 'ok',
    failures: [],
    wallNs: 3_000_000,
    sides: {
      A: side(0, { i: 0, s: start, e: start + took, c: 900_000, misses: 12 }),
      B: side(1, { i: 0, s: start, e: start + 2 * took, c: 1_900_000 }),
    },
    noise: { stealNs: 0, throttledNs: null, contextSwitches: 42 },
    ...changes,
  };
}

/** A recording of `sort size=5` by two methods: a warm-up run, two measured ones of each, and one that failed. */
export function aRecording(): Recording {
  const { tool } = aReport([]);
  const entry = (method: Method): Recording['experiment']['config']['benchmarks'][number] => ({
    ...benchmarkDefaults,
    name: 'sort, quickly',
    params: { size: '5' },
    commands: { A: command('old'), B: command('new') },
    own: { method },
  });
  return {
    directory: '.deadheat/a-recording',
    experiment: {
      schema: 'deadheat.experiment/1',
      id: 'experiment-1',
      startedAt: '2026-01-02T03:04:05.000Z',
      tool,
      config: {
        name: 'sorting',
        benchmarks: [entry('async-duet'), entry('sequential')],
        ...defaultSettings('async-duet'),
        ...experimentDefaults,
        cpus: [0, 1],
        tandemCpus: [],
        sequentialCpus: [],
        lanes: 1,
        seed: 'seed',
      },
      machine,
      warnings: [],
    },
    trials: [
      trial(0, { benchmark: 0, method: 'async-duet', run: 0, phase: 'warmup' }),
      trial(1, { benchmark: 0, method: 'async-duet', run: 0 }),
      trial(2, { benchmark: 1, method: 'sequential', run: 0 }),
      trial(3, { benchmark: 0, method: 'async-duet', run: 1 }),
      trial(4, { benchmark: 1, method: 'sequential', run: 1, status: 'failed' }),
      trial(5, { benchmark: 1, method: 'sequential', run: 1 }),
    ],
  };
}

/** As `aRecording`, but by a tandem that two pilot runs chose: CPU time is 0.9 ms and 1.9 ms. */
export function aTandemRecording(): Recording {
  const recording = aRecording();
  const { config } = recording.experiment;
  const [entry] = config.benchmarks;
  if (entry === undefined) throw new TypeError('there is a benchmark');
  const chosen = { method: 'tandem', metric: 'cpu', reason: 'both sides keep one core busy', aloneNs: null } as const;
  const benchmarks = [{ ...entry, own: {}, chosen }];
  return {
    ...recording,
    experiment: { ...recording.experiment, config: { ...config, ...defaultSettings('auto'), benchmarks } },
    trials: [
      trial(0, { benchmark: 0, method: 'sync-duet', run: 0, phase: 'pilot' }),
      trial(1, { benchmark: 0, method: 'sync-duet', run: 1, phase: 'pilot' }),
      trial(2, { benchmark: 0, method: 'tandem', run: 0, phase: 'warmup' }),
      trial(3, { benchmark: 0, method: 'tandem', run: 0 }),
      trial(4, { benchmark: 0, method: 'tandem', run: 1 }),
    ],
  };
}
