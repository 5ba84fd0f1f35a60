import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { iterationLengths, iterationLengthTable } from '../../src/study/iteration-length.ts';
import { column } from './study-support.ts';

/** Forks of 100 iterations about 1, each fork at a level of its own, an iteration a number or some invocations. */
function seriesOf(label: string, { forks = 10, slower = 0, invocations = 0 } = {}) {
  const random = createRandom(label);
  const all = Array.from({ length: forks }, (_, f) => {
    const level = (1 + 0.01 * random.normal()) * (f >= forks / 2 ? 1 + slower : 1);
    const drawn = (): number => level * (1 + 0.05 * random.normal());
    return Array.from({ length: 100 }, () =>
      invocations === 0 ? drawn() : Array.from({ length: invocations }, drawn),
    );
  });
  return { project: 'p', label, forks: all, timesNs: all.map((fork) => Float64Array.from(fork, () => 1e9)) };
}

const options = { seed: 'x', replicates: 400 };

describe('iterations ten times as long', () => {
  it('have the same mean, and an interval that forks decide about as much as short ones', () => {
    for (const invocations of [0, 3]) {
      const found = iterationLengths(seriesOf(`same ${invocations}`, { invocations }), options)!;
      expect(found.longer.change).toBeCloseTo(found.same.change, 12);
      expect(found.longer.low).toBeLessThan(1);
      expect(found.longer.high).toBeGreaterThan(1);
      expect(found.longWidth / found.shortWidth).toBeGreaterThan(0.7);
      expect(found.longWidth / found.shortWidth).toBeLessThan(1.4);
    }
  });

  it('show forks that differ, whatever their length', () => {
    const found = iterationLengths(seriesOf('slower', { slower: 0.3 }), options)!;
    for (const { low, change } of [found.same, found.longer]) {
      expect(low).toBeGreaterThan(1);
      expect(change).toBeCloseTo(0.3, 1);
    }
    const [table] = iterationLengthTable([found, null]);
    expect(column(table, 'benchmarks')).toEqual([1, 1]);
    expect(column(table, 'A/A not different')).toEqual([0, 0]);
  });

  it('are not made of fewer than four forks, or of too few iterations', () => {
    expect(iterationLengths(seriesOf('few', { forks: 3 }), options)).toBeNull();
    expect(iterationLengths(seriesOf('many'), { ...options, factor: 26 })).toBeNull();
    expect(() => iterationLengths(seriesOf('odd'), { ...options, factor: 1.5 })).toThrow(/factor/);
    expect(iterationLengthTable([null])).toEqual([]);
  });
});
