import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  stableDefaults,
  type Benchmark,
  type Command,
  type ExperimentConfig,
  type Method,
} from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { Stabilities } from '../../src/experiment/stabilities.ts';

const command: Command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };
const name = { benchmark: 'one', params: {} };

function configOf(chosen: readonly (Method | null)[]): ExperimentConfig {
  const benchmarks = chosen.map((method, index): Benchmark => ({
    ...benchmarkDefaults,
    name: `program ${index}`,
    workload: 'harness',
    commands: { A: command, B: command },
    chosen: method === null ? null : { method, metric: 'cpu', reason: 'by pilot runs', aloneNs: null },
  }));
  return {
    name: 'test',
    benchmarks,
    ...defaultSettings('auto', 'harness'),
    ...experimentDefaults,
    stable: { criteria: ['cv'], ...stableDefaults },
    stop: { kind: 'stable', minRuns: 2, maxRuns: 5 },
    cpus: [0, 1],
    tandemCpus: [0, 1],
    sequentialCpus: [0, 1],
    lanes: 1,
    seed: 'stabilities',
  };
}

describe('the stability of what harnesses hold', () => {
  it('is that of CPU times in a tandem, and of wall times in a duet', () => {
    expect(new Stabilities(configOf(['tandem'])).of(0, name).metric).toBe('cpu');
    expect(new Stabilities(configOf(['sync-duet'])).of(0, name).metric).toBe('time');
  });

  it('is followed anew once pilot runs have chosen the method, as by an experiment that is resumed then', () => {
    const stabilities = new Stabilities(configOf([null, null]));
    const pilot = stabilities.of(0, name);
    expect(pilot.metric).toBe('cpu');
    const other = stabilities.of(1, name);
    stabilities.use(configOf(['sync-duet', null]), 0);
    expect(stabilities.of(0, name).metric).toBe('time');
    expect(stabilities.of(0, name)).not.toBe(pilot);
    expect(stabilities.of(1, name)).toBe(other);
  });

  it('is not followed where the sides do not meet', () => {
    const stabilities = new Stabilities(configOf([null]));
    expect(stabilities.follows(0)).toBe(true);
    stabilities.use(configOf(['sequential']), 0);
    expect(stabilities.follows(0)).toBe(false);
    expect(stabilities.areEnough(0)).toBe(false);
  });

  it('says that the runs are enough when each benchmark of a program is stable', () => {
    const stabilities = new Stabilities(configOf(['sync-duet']));
    const settle = (benchmark: string, runs: number): void => {
      const one = stabilities.of(0, { benchmark, params: {} });
      for (let run = 0; run < runs; run++) {
        let step = one.begin({ run, phase: 'measure' });
        for (let i = 0; step !== 'stop'; i++) {
          const time = 1e6 + (i % 3);
          step = one.take({ A: time, B: time }, step);
        }
      }
    };
    settle('one', 2);
    expect(stabilities.areEnough(0)).toBe(true);
    settle('two', 1);
    expect(stabilities.areEnough(0)).toBe(false);
    settle('two', 1);
    expect(stabilities.areEnough(0)).toBe(true);
  });
});
