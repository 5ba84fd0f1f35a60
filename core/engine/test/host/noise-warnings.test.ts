import type { Noise } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { noiseWarnings, type NoisyRun } from '../../src/host/machine-warnings.ts';

const calm: Noise = { stealNs: 0, throttledNs: 0, contextSwitches: 10 };

const runsOf = (...noises: readonly Partial<Noise>[]): readonly NoisyRun[] =>
  noises.map((noise) => ({ wallNs: 2e9, cpus: 2, isOnOneCore: false, noise: { ...calm, ...noise } }));

const asTandems = (runs: readonly NoisyRun[]): readonly NoisyRun[] =>
  runs.map((run) => ({ ...run, cpus: 1, isOnOneCore: true }));

const codesOf = (runs: readonly NoisyRun[]): readonly string[] => noiseWarnings(runs).map((warning) => warning.code);

describe('warnings about noise', () => {
  it('are absent without runs and in calm ones', () => {
    expect(codesOf([])).toEqual([]);
    expect(codesOf(runsOf({}, {}))).toEqual([]);
  });

  it('come when more than one per cent of the two cores was stolen', () => {
    // Two runs of 2 s on two cores are 8 s; one per cent of them is 80 ms.
    expect(codesOf(runsOf({ stealNs: 80e6 }, {}))).toEqual([]);
    expect(codesOf(runsOf({ stealNs: 80e6 }, { stealNs: 10e6 }))).toEqual(['STEAL']);
  });

  it('tell how much was stolen', () => {
    expect(noiseWarnings(runsOf({ stealNs: 400e6 }))[0]?.message).toContain('10.0 %');
    expect(noiseWarnings(runsOf({ stealNs: 400e6 }))[0]?.message).toContain('400.0 ms of 4.00 s');
  });

  it('do not take the rounding of two steal counters for steal', () => {
    // 20 ms in 100 ms x 2 are 10 %, but no more than one tick of either CPU.
    const short = (stealNs: number): readonly NoisyRun[] =>
      runsOf({ stealNs }).map((run) => ({ ...run, wallNs: 100e6 }));
    expect(codesOf(short(20e6))).toEqual([]);
    expect(codesOf(short(30e6))).toEqual(['STEAL']);
    // A tandem has one core, so 20 ms are 20 % and two ticks.
    expect(codesOf(asTandems(short(10e6)))).toEqual([]);
    expect(codesOf(asTandems(short(20e6)))).toEqual(['STEAL']);
  });

  it('come over any number of runs', () => {
    const runs = runsOf(...Array<Partial<Noise>>(1000).fill({ stealNs: 100e6 }));
    expect(codesOf(Array<readonly NoisyRun[]>(200).fill(runs).flat())).toEqual(['STEAL']);
  });

  it('count only runs with a counter', () => {
    // 50 ms of the 4 s of one run are 1.25 %; the run without a counter would make it 0.6 %.
    expect(codesOf(runsOf({ stealNs: 50e6 }, { stealNs: null }))).toEqual(['STEAL']);
    expect(codesOf(runsOf({ stealNs: null, throttledNs: null }))).toEqual([]);
  });

  it('come for any throttling, with the number of runs', () => {
    const warnings = noiseWarnings(runsOf({ throttledNs: 1000 }, {}, { throttledNs: null }, { throttledNs: 2e6 }));
    expect(warnings.map((warning) => warning.code)).toEqual(['CPU_THROTTLED']);
    expect(warnings[0]?.message).toContain('2 of 3 runs');
  });

  it('say of runs on one core that both sides are stopped, of runs among others what is to be done', () => {
    const disturbed = runsOf({ stealNs: 400e6, throttledNs: 2e6 });
    const messages = (runs: readonly NoisyRun[]): string =>
      noiseWarnings(runs)
        .map(({ message }) => message)
        .join(' ');
    expect(messages(asTandems(disturbed))).toMatch(/both sides alike.*Both sides on one core are stopped/);
    expect(messages(asTandems(disturbed))).not.toContain('--metric cpu');
    expect(messages([...asTandems(disturbed), ...disturbed])).toMatch(
      /stops one side.*--method tandem.*wall times say little/,
    );
  });
});
