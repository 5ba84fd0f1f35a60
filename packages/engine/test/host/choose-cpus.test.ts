import { describe, expect, it } from 'vitest';
import { chooseCpus, type ChooseCpusOptions } from '../../src/host/choose-cpus.ts';
import { CpuError } from '../../src/host/cpu-error.ts';
import { readOnlineCpus, readSmtSiblings } from '../../src/host/cpu-topology.ts';
import { fakeTree } from './fake-tree.ts';
import { desktop } from './trees.ts';

const alone = (cpu: number): readonly number[] => [cpu];
/** CPU n and n + 4 share a core. */
const four = (cpu: number): readonly number[] => [cpu % 4, (cpu % 4) + 4];
/** CPU 2n and 2n + 1 share a core. */
const neighbours = (cpu: number): readonly number[] => [cpu - (cpu % 2), cpu - (cpu % 2) + 1];

function errorOf(options: ChooseCpusOptions): CpuError {
  try {
    chooseCpus(options);
  } catch (error) {
    if (error instanceof CpuError) return error;
    throw error;
  }
  throw new Error('the CPUs were taken');
}

describe('the choice of CPUs', () => {
  it('takes both of two', () => {
    const choice = chooseCpus({ usableCpus: [1, 0], smtSiblingsOf: alone });
    expect(choice).toMatchObject({ cpus: [0, 1], sharedCore: false });
  });

  it('keeps CPU 0 among three', () => {
    expect(chooseCpus({ usableCpus: [0, 1, 2], smtSiblingsOf: alone }).cpus).toEqual([0, 1]);
  });

  it('leaves CPU 0 out among four', () => {
    expect(chooseCpus({ usableCpus: [0, 1, 2, 3], smtSiblingsOf: alone }).cpus).toEqual([1, 2]);
  });

  it('leaves out the other thread of the core of CPU 0 where it can', () => {
    expect(chooseCpus({ usableCpus: [0, 1, 2, 3, 4, 5], smtSiblingsOf: neighbours }).cpus).toEqual([2, 4]);
  });

  it('prefers two cores to a choice without the core of CPU 0', () => {
    expect(chooseCpus({ usableCpus: [0, 1, 2, 3], smtSiblingsOf: neighbours }).cpus).toEqual([1, 2]);
  });

  it('passes over the other thread of the same core', () => {
    expect(chooseCpus({ usableCpus: [1, 5, 6], smtSiblingsOf: four }).cpus).toEqual([1, 6]);
  });

  it('takes two threads of one core when there is nothing else, and says so', () => {
    const choice = chooseCpus({ usableCpus: [1, 5], smtSiblingsOf: four });
    expect(choice).toMatchObject({ cpus: [1, 5], sharedCore: true });
  });

  it('treats CPUs of unknown cores as separate', () => {
    const choice = chooseCpus({ usableCpus: [0, 1], smtSiblingsOf: () => null });
    expect(choice).toMatchObject({ cpus: [0, 1], sharedCore: false });
  });

  it('works on what a machine tells', () => {
    const root = fakeTree(desktop);
    const usableCpus = readOnlineCpus(root) ?? [];
    expect(chooseCpus({ usableCpus, smtSiblingsOf: (cpu) => readSmtSiblings(cpu, root) }).cpus).toEqual([1, 2]);
  });

  it('finds none where only one CPU is usable, and says why', () => {
    const choice = chooseCpus({ usableCpus: [3], smtSiblingsOf: alone });
    expect(choice.cpus).toBeNull();
    expect(choice.reason).toContain('only CPU 3');
  });

  it('finds none where no CPU is told', () => {
    expect(chooseCpus({ usableCpus: [], smtSiblingsOf: alone }).reason).toContain('no CPU');
  });
});

describe('CPUs asked for with --cpus', () => {
  const usable: ChooseCpusOptions = { usableCpus: [0, 1, 2, 5], smtSiblingsOf: four, onlineCpus: [0, 1, 2, 3, 4, 5] };

  it('are taken in the order given', () => {
    expect(chooseCpus({ ...usable, requested: [2, 0] })).toMatchObject({ cpus: [2, 0], sharedCore: false });
  });

  it('may share a core, which the choice tells', () => {
    expect(chooseCpus({ ...usable, requested: [1, 5] })).toMatchObject({ cpus: [1, 5], sharedCore: true });
  });

  it.each([
    ['CPU_COUNT', [0], 'exactly two CPUs'],
    ['CPU_COUNT', [0, 1, 2], '3 are given'],
    ['CPU_COUNT', [], '0 are given'],
    ['CPU_TWICE', [1, 1], 'CPU 1 is named twice'],
    ['CPU_NOT_FOUND', [0, 99], 'no CPU 99 online on this machine (online: 0-5)'],
    ['CPU_NOT_FOUND', [-1, 0], '-1 is not the number of a CPU'],
    ['CPU_NOT_FOUND', [Number.NaN, 0], 'NaN is not the number of a CPU'],
    ['CPU_NOT_USABLE', [0, 3], 'CPU 3 is not usable'],
  ] as const)('are refused with %s for %j', (code, requested, what) => {
    const error = errorOf({ ...usable, requested });
    expect(error).toMatchObject({ code, flag: '--cpus', requested, usableCpus: [0, 1, 2, 5] });
    expect(error.message).toContain(what);
    expect(error.message).toContain(`--cpus ${requested.join(',')}`);
    expect(error.message).toContain('may use CPUs 0-2,5; name two of them, such as --cpus 0,1');
  });

  it('are refused with a way out where only one CPU is usable', () => {
    const error = errorOf({ usableCpus: [0], smtSiblingsOf: alone, requested: [0, 1] });
    expect(error.code).toBe('CPU_NOT_USABLE');
    expect(error.message).toContain('may use only CPU 0');
    expect(error.message).toContain('leave --cpus away');
  });
});
