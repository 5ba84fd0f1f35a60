import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCpuList, parseCpuList } from '../../src/host/cpu-topology.ts';

describe('CPU lists', () => {
  it('reads single numbers and ranges', () => {
    expect(parseCpuList('0-2,8\n')).toEqual([0, 1, 2, 8]);
  });

  it('knows the empty list', () => {
    expect(parseCpuList('\n')).toEqual([]);
  });

  it.each(['a', '1-', '-1', '1;2', '0-99999999'])('does not take %j for a list', (text) => {
    expect(parseCpuList(text)).toBeNull();
  });

  it('writes neighbours as ranges', () => {
    expect(formatCpuList([8, 1, 0, 2, 1])).toBe('0-2,8');
  });

  it('reads back what it writes', () => {
    const cpus = fc.uniqueArray(fc.nat({ max: 200 }));
    fc.assert(
      fc.property(cpus, (list) => {
        expect(parseCpuList(formatCpuList(list))).toEqual(list.toSorted((a, b) => a - b));
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});
