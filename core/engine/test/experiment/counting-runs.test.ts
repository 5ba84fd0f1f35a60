import { benchmarkDefaults, defaultSettings, experimentDefaults, type SideResult, type Trial } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { countingRequest, isCountingDue } from '../../src/experiment/counting-runs.ts';
import { createBenchmarkStates, type BenchmarkState } from '../../src/experiment/benchmark-state.ts';
import { planTrial } from '../../src/plan/plan-trial.ts';
import { countsHere } from '../../src/run/native/counted-program.ts';

const command = { name: 'x', commandLine: 'x', argv: ['/bin/true'], executedBy: 'direct' as const };
const asked = { metric: 'auto' as const, also: ['allocations' as const] };
const canCount = countsHere(asked, { commands: { A: command, B: command } }).length > 0;

function aState(changes: Partial<BenchmarkState['benchmark']> = {}): BenchmarkState {
  const config = {
    name: 'test',
    benchmarks: [{ ...benchmarkDefaults, name: 'one', commands: { A: command, B: command }, ...changes }],
    ...defaultSettings('tandem'),
    ...experimentDefaults,
    also: ['allocations' as const],
    timeoutNs: 1e9,
    cpus: [0, 1] as [number, number],
    tandemCpus: [0, 1],
    sequentialCpus: [0, 1],
    lanes: 1,
    seed: 'counting',
  };
  const [state] = createBenchmarkStates(config, [], undefined);
  if (state === undefined) throw new Error('a state expected');
  return state;
}

function countingTrial(run: number, [A, B]: readonly [number | null, number]): Trial {
  const side = (allocations: number | null): SideResult => ({
    cpu: 0,
    padBytes: 0,
    exitCode: 0,
    signal: null,
    userNs: 1,
    systemNs: 1,
    maxRssBytes: null,
    voluntarySwitches: null,
    involuntarySwitches: null,
    iterations: [],
    record: null,
    ...(allocations === null ? {} : { counts: { allocations } }),
  });
  return {
    trial: run,
    benchmark: 0,
    method: 'sequential',
    run,
    phase: 'pilot',
    counting: true,
    order: 'AB',
    status: 'ok',
    failures: [],
    wallNs: 1e9,
    sides: { A: side(A), B: side(B) },
    noise: { stealNs: null, throttledNs: null, contextSwitches: null },
  };
}

describe.skipIf(!canCount)(`counting runs${canCount ? '' : ' (skipped: valgrind is not installed)'}`, () => {
  it.each([
    [
      'twice where the work repeats',
      [
        [5, 6],
        [5, 6],
      ],
      2,
    ],
    ['eight times where it does not', Array.from({ length: 8 }, (_, run) => [5 + run, 6] as const), 8],
    ['once where the program fails under valgrind', [[null, 6]], 1],
  ] as const)('are made %s', (_what, counts, expected) => {
    const state = aState();
    let made = 0;
    while (isCountingDue(state)) state.countingTrials.push(countingTrial(made, counts[made++] ?? [0, 0]));
    expect(made).toBe(expected);
  });

  it('are none of programs that time themselves, and none where only time is asked for', () => {
    expect(isCountingDue(aState({ workload: 'harness' }))).toBe(false);
    const state = aState();
    state.config = { ...state.config, also: ['rss'] };
    expect(isCountingDue(state)).toBe(false);
  });

  it('are none of the pilot runs that choose a method, and take no time from the others when they are resumed', () => {
    const { config } = aState();
    const [state] = createBenchmarkStates(config, [countingTrial(0, [5, 6])], undefined);
    expect(state).toMatchObject({ pilots: 0, pilotTrials: [], elapsedNs: 0, last: undefined });
    expect(state?.countingTrials).toHaveLength(1);
  });

  it('run the sides one after the other without padding, with a hundred times their limit', () => {
    const state = aState();
    const planned = planTrial(state.config, { benchmark: 0, phase: 'pilot', run: 3, counting: true });
    expect(planned).toMatchObject({ method: 'sequential', padBytes: { A: 0, B: 0 }, cpus: { A: [0, 1], B: [0, 1] } });
    expect(countingRequest({ ...state, program: 0 }, planned)).toMatchObject({
      timeoutNs: 1e11,
      counts: ['allocations'],
      executions: 1,
    });
  });
});
