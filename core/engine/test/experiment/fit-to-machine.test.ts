import {
  benchmarkDefaults,
  DeadheatError,
  defaultSettings,
  experimentDefaults,
  type AskedMethod,
  type Benchmark,
  type Command,
} from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { fitToMachine, type ExperimentDraft } from '../../src/experiment/fit-experiment.ts';
import type { Abilities } from '../../src/plan/choose-method.ts';

const command: Command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };

function benchmarkOf(changes: Partial<Benchmark> = {}): Benchmark {
  return { ...benchmarkDefaults, name: 'a benchmark', commands: { A: command, B: command }, ...changes };
}

function draftOf(changes: Partial<ExperimentDraft> = {}, method: AskedMethod = 'auto'): ExperimentDraft {
  return {
    name: 'test',
    benchmarks: [benchmarkOf()],
    ...defaultSettings(method),
    ...experimentDefaults,
    cpus: null,
    seed: 'fit',
    ...changes,
  };
}

/** A machine whose CPUs are a core each: far above those of this one, of which nothing is told that they share. */
const machineOf = (cpus: number, changes: Partial<Abilities> = {}): Abilities => ({
  usableCpus: Array.from({ length: cpus }, (_, cpu) => 1000 + cpu),
  sharedMemory: true,
  nativeCalls: true,
  ...changes,
});
const lanesOf = async (draft: ExperimentDraft, cpus: number): Promise<number> =>
  (await fitToMachine(draft, machineOf(cpus))).config.lanes;

function inContainers(): Benchmark {
  const container = { image: 'x', cpus: null, memoryBytes: null, network: 'none', output: null, keep: [] };
  const containers = { A: container, B: container, suite: 's', agentBarrier: false, countsCut: false };
  return benchmarkOf({ containers } as unknown as Partial<Benchmark>);
}

describe('the lanes of an experiment', () => {
  it('are as many as there are cores less one, and at least one, where nobody can tell whether they are quiet', async () => {
    const lanes = [1, 2, 3, 8, 64].map(async (cpus) => lanesOf(draftOf(), cpus));
    expect(await Promise.all(lanes)).toEqual([1, 1, 2, 7, 63]);
    expect(await lanesOf(draftOf({}, 'tandem'), 8)).toBe(7);
  });

  it('are as many as there are cores where all of them are quiet, which is asked of those of the tandems', async () => {
    const asked: (readonly number[])[] = [];
    const lanesOn = async (cpus: number, quiet: boolean, changes: Partial<ExperimentDraft> = {}): Promise<number> => {
      const isQuiet = (cores: readonly number[]): Promise<boolean> => {
        asked.push(cores);
        return Promise.resolve(quiet);
      };
      return (await fitToMachine(draftOf(changes), machineOf(cpus), isQuiet)).config.lanes;
    };
    expect(await lanesOn(2, true)).toBe(2);
    expect(await lanesOn(2, false)).toBe(1);
    expect(await lanesOn(8, true)).toBe(8);
    expect(asked.map(({ length }) => length)).toEqual([2, 2, 8]);
    // Nothing to ask where it changes nothing.
    expect(await lanesOn(1, true)).toBe(1);
    expect(await lanesOn(8, true, { lanes: 1 })).toBe(1);
    expect(await lanesOn(8, true, { showOutput: true })).toBe(1);
    expect(asked).toHaveLength(3);
  });

  it('are as many as were asked for, or all cores', async () => {
    expect(await lanesOf(draftOf({ lanes: 1 }), 8)).toBe(1);
    expect(await lanesOf(draftOf({ lanes: 8 }), 8)).toBe(8);
    expect(await lanesOf(draftOf({ lanes: 'all' }), 8)).toBe(8);
    expect(await lanesOf(draftOf({ lanes: 'all' }), 1)).toBe(1);
  });

  it('are refused where there are not so many cores, with how many there are', async () => {
    const refused = fitToMachine(draftOf({ lanes: 9 }), machineOf(8));
    await expect(refused).rejects.toMatchObject({
      code: 'TOO_MANY_LANES',
      message: '9 tandems at the same time need 9 cores, and there are 8 for them here. Ask for at most 8, or for all.',
    });
    await expect(fitToMachine(draftOf({ lanes: 2 }), machineOf(1))).rejects.toThrow('there is one for them here');
  });

  it('are one where runs could meet in more than their programs, unless they are asked for', async () => {
    const { hooks } = benchmarkDefaults;
    const prepared = benchmarkOf({ hooks: { ...hooks, B: { ...hooks.B, prepare: 'sync' } } });
    const concluded = benchmarkOf({ hooks: { ...hooks, A: { ...hooks.A, conclude: 'rm x' } } });
    for (const changes of [
      { showOutput: true },
      { benchmarks: [benchmarkOf(), prepared] },
      { benchmarks: [concluded] },
    ]) {
      expect(await lanesOf(draftOf(changes), 8)).toBe(1);
      expect(await lanesOf(draftOf({ ...changes, lanes: 3 }), 8)).toBe(3);
    }
    // What is executed once, before the first run and after the last, meets nothing.
    const set = benchmarkOf({ hooks: { ...hooks, A: { ...hooks.A, setup: 'make', cleanup: 'rm x', build: 'make' } } });
    expect(await lanesOf(draftOf({ benchmarks: [set] }), 8)).toBe(7);
  });

  it('are one in containers, also when more are asked for', async () => {
    const benchmarks = [inContainers()];
    expect(await lanesOf(draftOf({ benchmarks }), 8)).toBe(1);
    expect(await lanesOf(draftOf({ benchmarks, lanes: 1 }), 8)).toBe(1);
    for (const lanes of [2, 'all'] as const) {
      await expect(lanesOf(draftOf({ benchmarks, lanes }), 8)).rejects.toMatchObject({ code: 'TOO_MANY_LANES' });
    }
  });

  it('are one where nothing can be a tandem', async () => {
    for (const method of ['sync-duet', 'async-duet', 'sequential'] as const) {
      expect(await lanesOf(draftOf({}, method), 8)).toBe(1);
      expect(await lanesOf(draftOf({ lanes: 'all' }, method), 8)).toBe(1);
    }
    const { config } = await fitToMachine(draftOf(), machineOf(8, { nativeCalls: false }));
    expect(config).toMatchObject({ method: 'sequential', pilotRuns: 0, lanes: 1 });
    // One of two can.
    const benchmarks = [benchmarkOf({ own: { method: 'sync-duet', pilotRuns: 0 } }), benchmarkOf()];
    expect(await lanesOf(draftOf({ benchmarks }), 8)).toBe(7);
  });

  it('are no more than there are runs', async () => {
    const stop = { kind: 'runs', runs: 3 } as const;
    expect(await lanesOf(draftOf({ stop }), 64)).toBe(3);
    expect(await lanesOf(draftOf({ stop, lanes: 'all' }), 64)).toBe(3);
    expect(await lanesOf(draftOf({ stop, benchmarks: [benchmarkOf(), benchmarkOf()] }), 64)).toBe(6);
    expect(await lanesOf(draftOf({ stop: { kind: 'decided', minRuns: 2, maxRuns: 5 } }), 64)).toBe(5);
  });
});

describe('the CPUs of an experiment', () => {
  it('are those of a duet, those for tandems, and all of them for a side that runs alone', async () => {
    const { config } = await fitToMachine(draftOf(), machineOf(3));
    expect(config).toMatchObject({
      cpus: [1000, 1001],
      tandemCpus: [1000, 1001, 1002],
      sequentialCpus: [1000, 1001, 1002],
    });
  });

  it('that were asked for have to be there', async () => {
    await expect(fitToMachine(draftOf({ cpus: [5] }), machineOf(8))).rejects.toThrow(DeadheatError);
  });

  it('that were asked for may be a single one, for a tandem or for what pilot runs choose', async () => {
    const machine = machineOf(8, { usableCpus: [0, 1] });
    for (const method of ['auto', 'tandem'] as const) {
      const { config, warnings } = await fitToMachine(draftOf({ cpus: [0] }, method), machine);
      expect(config).toMatchObject({ cpus: [0, 0], tandemCpus: [0], sequentialCpus: [0], lanes: 1 });
      expect(warnings.map(({ code }) => code)).not.toContain('SINGLE_CORE');
    }
    const { config, warnings } = await fitToMachine(
      draftOf({ cpus: [0], stop: { kind: 'runs', runs: 7 } }, 'sync-duet'),
      machine,
    );
    expect(warnings.map(({ code }) => code)).toContain('SINGLE_CORE');
    // Only the method is another one.
    expect(config).toMatchObject({ method: 'tandem', pilotRuns: 3, stop: { kind: 'runs', runs: 7 } });
  });
});

describe('the outputs of an experiment', () => {
  it('are not compared in containers, which is said', async () => {
    const draft = draftOf({ benchmarks: [inContainers()], sameOutput: true });
    await expect(fitToMachine(draft, machineOf(2))).rejects.toMatchObject({ code: 'OUTPUTS_NOT_SEEN' });
    await expect(fitToMachine({ ...draft, sameOutput: false }, machineOf(2))).resolves.toBeDefined();
  });
});
