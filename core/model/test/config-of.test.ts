import { describe, expect, it } from 'vitest';
import {
  benchmarkDefaults,
  configOf,
  defaultSettings,
  experimentSchema,
  experimentDefaults,
  type Benchmark,
  type Command,
  type ExperimentConfig,
} from '../src/index.ts';

const command: Command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };

function benchmarkOf(changes: Partial<Benchmark> = {}): Benchmark {
  return {
    ...benchmarkDefaults,
    name: 'a benchmark',
    commands: { A: command, B: command },
    ...changes,
  };
}

const config: ExperimentConfig = {
  name: 'test',
  benchmarks: [benchmarkOf()],
  ...defaultSettings('auto'),
  ...experimentDefaults,
  cpus: [0, 1],
  tandemCpus: [0, 1],
  sequentialCpus: [0, 1],
  lanes: 1,
  seed: 's',
};

describe('the configuration as it counts for a benchmark', () => {
  const chosen = { method: 'sync-duet', metric: 'time', reason: 'a side waits', aloneNs: null } as const;

  it('is that of the experiment, with what is its own', () => {
    expect(configOf(config, benchmarkOf())).toEqual(config);
    expect(configOf(config, { own: { margin: 0.02 } })).toEqual({ ...config, margin: 0.02 });
  });

  it('has the method that pilot runs chose, before the one that it began with', () => {
    expect(configOf(config, benchmarkOf({ chosen }))).toEqual({ ...config, method: 'sync-duet', metric: 'time' });
    const own = { method: 'tandem', pilotRuns: 3, margin: 0.02 } as const;
    expect(configOf(config, benchmarkOf({ own, chosen }))).toMatchObject({ method: 'sync-duet', margin: 0.02 });
    expect(configOf(config, benchmarkOf({ own, chosen: null }))).toMatchObject({ method: 'tandem' });
  });

  it('has the metric that the user named before the one that fits the method', () => {
    expect(configOf({ ...config, metric: 'cpu' }, benchmarkOf({ chosen })).metric).toBe('cpu');
    expect(configOf(config, benchmarkOf({ own: { metric: 'cpu' }, chosen })).metric).toBe('cpu');
  });

  it('is valid with what was chosen, and without', () => {
    for (const one of [null, chosen]) {
      const whole = { ...config, benchmarks: [benchmarkOf({ chosen: one })] };
      expect(experimentSchema.shape.config.parse(whole)).toEqual(whole);
    }
  });
});

describe('the defaults of a method', () => {
  it('are those of a tandem until pilot runs have chosen, which are three', () => {
    expect(defaultSettings('auto')).toEqual({ ...defaultSettings('tandem'), pilotRuns: 3 });
    for (const method of ['tandem', 'sync-duet', 'async-duet', 'sequential'] as const) {
      expect(defaultSettings(method)).toMatchObject({ method, pilotRuns: 0, unpaired: false });
    }
  });

  it('of programs that print are those of an asynchronous duet: they cannot meet', () => {
    expect(defaultSettings('auto', 'lines')).toEqual(defaultSettings('async-duet', 'lines'));
  });
});
