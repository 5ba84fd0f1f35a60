import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type ChosenMethod,
  type Experiment,
  type Method,
  unknownMachine,
} from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { warningsOfChosen } from '../../src/recorded/analyse-recorded.ts';

const command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' } as const;
const chosen = (method: Method): ChosenMethod => ({ method, metric: 'time', reason: 'pilot runs', aloneNs: null });

/** On a machine whose two CPUs are threads of one core, with a quota for one and a half of them. */
function experiment(method: Method | null, changes: Partial<Experiment> = {}): Experiment {
  const benchmark = {
    ...benchmarkDefaults,
    name: 'x',
    commands: { A: { ...command, argv: ['/bin/x'] }, B: { ...command, argv: ['/bin/x'] } },
  };
  const machine = {
    ...unknownMachine,
    usableCpus: [0, 1],
    smtSiblings: { 0: [0, 1], 1: [0, 1] },
    cpuQuota: 1.5,
    load1: 4,
  };
  return {
    schema: 'deadheat.experiment/1',
    id: 'one',
    startedAt: '2026-01-02T03:04:05.000Z',
    tool: { name: 'deadheat', version: '0.0.0' },
    config: {
      name: 'x',
      benchmarks: [{ ...benchmark, chosen: method === null ? null : chosen(method) }],
      ...defaultSettings('auto'),
      ...experimentDefaults,
      cpus: [0, 1],
      tandemCpus: [0],
      sequentialCpus: [0, 1],
      lanes: 1,
      seed: 'x',
    },
    machine,
    warnings: [{ code: 'LOAD', message: 'told before the first run' }],
    ...changes,
  };
}

const codesOf = (one: Experiment): readonly string[] => warningsOfChosen(one).map(({ code }) => code);

describe('warnings about duets', () => {
  it('come when pilot runs have chosen one, beside what was told before', () => {
    expect(codesOf(experiment('sync-duet'))).toEqual(['SMT_SIBLINGS', 'CPU_QUOTA']);
    for (const method of ['tandem', 'sequential', null] as const) expect(codesOf(experiment(method))).toEqual([]);
  });

  it('are not made of a machine on which nothing was measured', () => {
    expect(codesOf(experiment('sync-duet', { hosts: [] }))).toEqual([]);
    const parts = { count: 2, taken: [1], folder: '/x' };
    expect(codesOf(experiment('sync-duet', { hosts: [], parts }))).toEqual(['SMT_SIBLINGS', 'CPU_QUOTA']);
  });
});
