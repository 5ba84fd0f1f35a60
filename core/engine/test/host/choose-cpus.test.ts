import { describe, expect, it } from 'vitest';
import { DeadheatError } from '@deadheat/model';
import { chooseCpus, type ChooseCpusOptions } from '../../src/host/choose-cpus.ts';
import { readOnlineCpus, readSmtSiblings } from '../../src/host/cpu-topology.ts';
import { fakeTree } from './fake-tree.ts';
import { desktop } from './trees.ts';

const alone = (cpu: number): readonly number[] => [cpu];
/** CPU n and n + 4 share a core. */
const four = (cpu: number): readonly number[] => [cpu % 4, (cpu % 4) + 4];
/** CPU 2n and 2n + 1 share a core. */
const neighbours = (cpu: number): readonly number[] => [cpu - (cpu % 2), cpu - (cpu % 2) + 1];

function errorOf(options: ChooseCpusOptions): DeadheatError {
  try {
    chooseCpus(options);
  } catch (error) {
    if (error instanceof DeadheatError) return error;
    throw error;
  }
  throw new Error('the CPUs were taken');
}

describe('the cores of a duet', () => {
  const duetOf = (
    usableCpus: readonly number[],
    smtSiblingsOf: ChooseCpusOptions['smtSiblingsOf'],
  ): readonly number[] => chooseCpus({ usableCpus, smtSiblingsOf }).duet;

  it('are both of two', () => {
    expect(duetOf([1, 0], alone)).toEqual([0, 1]);
  });

  it('include CPU 0 among three', () => {
    expect(duetOf([0, 1, 2], alone)).toEqual([0, 1]);
  });

  it('leave CPU 0 out among four', () => {
    expect(duetOf([0, 1, 2, 3], alone)).toEqual([1, 2]);
  });

  it('leave out the other thread of the core of CPU 0 where that can be', () => {
    expect(duetOf([0, 1, 2, 3, 4, 5], neighbours)).toEqual([2, 4]);
  });

  it('are rather two cores than none of CPU 0', () => {
    expect(duetOf([0, 1, 2, 3], neighbours)).toEqual([1, 2]);
  });

  it('pass over the other thread of the same core', () => {
    expect(duetOf([1, 5, 6], four)).toEqual([1, 6]);
  });

  it('are two threads of one core when there is nothing else', () => {
    expect(duetOf([1, 5], four)).toEqual([1, 5]);
  });

  it('are separate as far as is known where the machine does not tell', () => {
    expect(duetOf([0, 1], () => null)).toEqual([0, 1]);
  });

  it('are chosen from what a machine tells', () => {
    const root = fakeTree(desktop);
    expect(duetOf(readOnlineCpus(root) ?? [], (cpu) => readSmtSiblings(cpu, root))).toEqual([1, 2]);
  });

  it('are twice the same where only one CPU is usable', () => {
    expect(duetOf([3], alone)).toEqual([3, 3]);
  });
});

describe('the cores for tandems', () => {
  const tandemOf = (
    usableCpus: readonly number[],
    smtSiblingsOf: ChooseCpusOptions['smtSiblingsOf'],
  ): readonly number[] => chooseCpus({ usableCpus, smtSiblingsOf }).tandem;

  it('are all up to three, in ascending order, and each once', () => {
    expect(tandemOf([3], alone)).toEqual([3]);
    expect(tandemOf([1, 0], alone)).toEqual([0, 1]);
    expect(tandemOf([2, 0, 1, 2], alone)).toEqual([0, 1, 2]);
  });

  it('leave CPU 0 out where there are more than three', () => {
    expect(tandemOf([0, 1, 2, 3], alone)).toEqual([1, 2, 3]);
    expect(tandemOf([4, 5, 6, 7], alone)).toEqual([4, 5, 6, 7]);
  });

  it('are one CPU of each physical core', () => {
    // CPUs 0 to 7 are the four cores 0+4, 1+5, 2+6 and 3+7; the first serves interrupts.
    expect(tandemOf([0, 1, 2, 3, 4, 5, 6, 7], four)).toEqual([1, 2, 3]);
    // Of 0+1 and 2+3 there are only two cores, so that both are needed.
    expect(tandemOf([0, 1, 2, 3], neighbours)).toEqual([0, 2]);
    // The other thread of the core of CPU 0 serves them too.
    expect(tandemOf([1, 2, 3, 4, 5, 6, 7], neighbours)).toEqual([2, 4, 6]);
    expect(tandemOf([5, 6, 1], four)).toEqual([1, 6]);
  });

  it('are all CPUs where the machine does not tell which share a core', () => {
    expect(tandemOf([0, 1, 2], () => null)).toEqual([0, 1, 2]);
  });
});

it('a side that runs alone may use every usable CPU', () => {
  expect(chooseCpus({ usableCpus: [3, 0, 1, 2], smtSiblingsOf: neighbours }).alone).toEqual([0, 1, 2, 3]);
});

describe('CPUs asked for with --cpus', () => {
  const usable: ChooseCpusOptions = { usableCpus: [0, 1, 2, 5], smtSiblingsOf: four, onlineCpus: [0, 1, 2, 3, 4, 5] };

  it('are taken in the order given', () => {
    expect(chooseCpus({ ...usable, requested: [2, 0] })).toEqual({ duet: [2, 0], tandem: [2, 0], alone: [2, 0] });
  });

  it('may share a core, since they were asked for', () => {
    expect(chooseCpus({ ...usable, requested: [1, 5] })).toEqual({ duet: [1, 5], tandem: [1, 5], alone: [1, 5] });
  });

  it('may be one, which both sides then share', () => {
    expect(chooseCpus({ ...usable, requested: [2] })).toEqual({ duet: [2, 2], tandem: [2], alone: [2] });
  });

  it('may be more than two: all are for tandems, and the first two are those of a duet', () => {
    expect(chooseCpus({ ...usable, requested: [5, 0, 2] })).toEqual({
      duet: [5, 0],
      tandem: [5, 0, 2],
      alone: [5, 0, 2],
    });
  });

  it.each([
    ['CPU_COUNT', [], 'no CPU is named'],
    ['CPU_TWICE', [1, 1], 'CPU 1 is named twice'],
    ['CPU_TWICE', [0, 1, 2, 0], 'CPU 0 is named twice'],
    ['CPU_NOT_FOUND', [0, 99], 'no CPU 99 online on this machine (online: 0-5)'],
    ['CPU_NOT_FOUND', [-1, 0], '-1 is not the number of a CPU'],
    ['CPU_NOT_FOUND', [Number.NaN, 0], 'NaN is not the number of a CPU'],
    ['CPU_NOT_USABLE', [0, 3], 'CPU 3 is not usable'],
    ['CPU_NOT_USABLE', [0, 1, 3], 'CPU 3 is not usable'],
  ] as const)('are refused with %s for %j', (code, requested, what) => {
    const error = errorOf({ ...usable, requested });
    expect(error).toMatchObject({ code });
    expect(error.message).toContain('this process may use CPUs 0-2,5; ');
    expect(error.message).toContain(what);
    expect(error.message).toContain(`CPUs ${requested.join(',')}`);
    expect(error.message).toContain('may use CPUs 0-2,5; name one or more of them, such as 0,1');
  });

  it('are refused with a way out where only one CPU is usable', () => {
    const error = errorOf({ usableCpus: [0], smtSiblingsOf: alone, requested: [0, 1] });
    expect(error.code).toBe('CPU_NOT_USABLE');
    expect(error.message).toContain('may use CPUs 0; name one or more of them, such as 0.');
  });
});
