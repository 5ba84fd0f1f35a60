import { describe, expect, it } from 'vitest';
import type { RunRequest } from '../../src/run/executor.ts';
import { protocolVariables, sideEnvironment } from '../../src/run/environment.ts';

const request: RunRequest = {
  benchmark: 0,
  method: 'tandem',
  run: 0,
  phase: 'measure',
  order: 'AB',
  cpus: { A: [1], B: [1] },
  padBytes: { A: 0, B: 0 },
  executions: 1,
  selfTimed: {
    files: { A: '/a.jsonl', B: '/b.jsonl' },
    iterations: null,
    warmup: null,
    fill: false,
    tradeEvery: null,
    calibration: '/calibration',
    steering: null,
    ending: null,
  },
  timeoutNs: null,
  runTimeoutNs: null,
  ignoreFailure: false,
  observes: false,
};

describe('the variables of the protocol', () => {
  const side = { side: 'A', record: true } as const;

  it('tell how to wait only where there is a barrier and it is not the usual way', () => {
    const told = protocolVariables(request, { ...side, page: '/page', wait: 'yield' });
    expect(told).toEqual({
      DEADHEAT_CALIBRATION: '/calibration',
      DEADHEAT_PAGE: '/page',
      DEADHEAT_WAIT: 'yield',
      DEADHEAT_RECORD: '/a.jsonl',
    });
    expect(protocolVariables(request, { ...side, page: '/page', wait: 'spin' })).not.toHaveProperty('DEADHEAT_WAIT');
    expect(protocolVariables(request, { ...side, page: null, wait: 'yield' })).not.toHaveProperty('DEADHEAT_WAIT');
  });

  it('have a side fill where each has a core and there is a page, and never on a core that both share', () => {
    const { selfTimed } = request;
    if (selfTimed === null) throw new TypeError('a program that times itself is expected');
    const filling: RunRequest = { ...request, selfTimed: { ...selfTimed, fill: true } };
    const duet: RunRequest = { ...filling, method: 'sync-duet', cpus: { A: [1], B: [2] } };
    expect(protocolVariables(duet, { ...side, page: '/page', wait: 'spin' })).toMatchObject({ DEADHEAT_FILL: '1' });
    expect(protocolVariables(duet, { ...side, page: null, wait: 'spin' })).not.toHaveProperty('DEADHEAT_FILL');
    expect(protocolVariables(filling, { ...side, page: '/page', wait: 'yield' })).not.toHaveProperty('DEADHEAT_FILL');
  });

  it('ask for times of invocations where they are needed', () => {
    const { selfTimed } = request;
    if (selfTimed === null) throw new TypeError('a program that times itself is expected');
    const asked = { ...request, selfTimed: { ...selfTimed, samples: 1000 } };
    const place = { ...side, page: '/page', wait: 'spin' } as const;
    expect(protocolVariables(asked, place)).toMatchObject({ DEADHEAT_SAMPLES: '1000' });
    expect(protocolVariables(request, place)).not.toHaveProperty('DEADHEAT_SAMPLES');
  });

  it('tell a pilot run the iterations of those for which invocations are agreed on', () => {
    const { selfTimed } = request;
    if (selfTimed === null) throw new TypeError('a program that times itself is expected');
    const place = { ...side, page: null, wait: 'yield' } as const;
    const pilot = { ...request, selfTimed: { ...selfTimed, iterations: 3, laterIterations: 40 } };
    expect(protocolVariables(pilot, place)).toMatchObject({
      DEADHEAT_ITERATIONS: '3',
      DEADHEAT_LATER_ITERATIONS: '40',
    });
    expect(protocolVariables(request, place)).not.toHaveProperty('DEADHEAT_LATER_ITERATIONS');
  });

  it('are none for a command', () => {
    const command = { ...request, selfTimed: null };
    expect(protocolVariables(command, { ...side, page: '/page', wait: 'yield' })).toEqual({});
  });
});

describe('the environment of a side', () => {
  it('preloads what lets Node take part, after options that are there, in programs that time themselves alone', () => {
    const environment = { A: { NODE_OPTIONS: '--no-warnings' }, B: {} };
    const preload = `--import=${import.meta.resolve('@deadheat/harness/register')}`;
    expect(sideEnvironment('A', { environment, workload: 'harness' }, {})).toMatchObject({
      NODE_OPTIONS: `--no-warnings ${preload}`,
      DEADHEAT_SIDE: 'A',
    });
    expect(sideEnvironment('A', { environment, workload: 'command' }, { PATH: '/bin', DEADHEAT_RUN: '3' })).toEqual({
      PATH: '/bin',
      NODE_OPTIONS: '--no-warnings',
      DEADHEAT_SIDE: 'A',
    });
  });
});
