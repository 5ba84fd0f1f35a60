import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTicks, formatTick } from '../src/plot/drawing.ts';

/** What stands beside an axis. */
function written(domain: readonly [number, number], count: number): readonly string[] {
  const { values, decimals } = axisTicks(domain, count);
  return values.map((value) => formatTick(value, decimals));
}

describe('the numbers beside an axis', () => {
  it('are multiples of 1, 2 or 5, with the decimals that tell them apart', () => {
    expect(written([0, 1], 5)).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']);
    expect(written([-0.31, 0.32], 6)).toEqual(['-0.3', '-0.2', '-0.1', '0.0', '0.1', '0.2', '0.3']);
    expect(written([473.8, 987.7], 6)).toEqual(['500', '600', '700', '800', '900']);
    expect(written([9990, 10_012], 4)).toEqual(['9990', '9995', '10 000', '10 005', '10 010']);
    expect(written([-2.2e4, 1e4], 3)).toEqual(['-20 000', '-10 000', '0', '10 000']);
    expect(written([1.000_01, 1.000_06], 5)).toEqual([
      '1.00001',
      '1.00002',
      '1.00003',
      '1.00004',
      '1.00005',
      '1.00006',
    ]);
  });

  it('are none where the ends do not lie apart', () => {
    expect(written([2, 2], 5)).toEqual([]);
    expect(written([2, 1], 5)).toEqual([]);
    expect(written([0, Infinity], 5)).toEqual([]);
  });

  it('lie between the ends, as many as asked for within a factor of two and one, each as exactly as it is written', () => {
    const ends = fc.tuple(
      fc.integer({ min: -1e9, max: 1e9 }).map((thousandths) => thousandths / 1000),
      fc.integer({ min: 1, max: 1e9 }).map((thousandths) => thousandths / 1000),
      fc.integer({ min: 3, max: 12 }),
    );
    fc.assert(
      fc.property(ends, ([low, width, count]) => {
        const high = low + width;
        const { values, decimals } = axisTicks([low, high], count);
        expect(values.length).toBeGreaterThanOrEqual(Math.floor(count / 2));
        expect(values.length).toBeLessThanOrEqual(2 * count + 1);
        expect(values.toSorted((a, b) => a - b)).toEqual(values);
        for (const value of values) {
          expect(Math.min(value - low, high - value)).toBeGreaterThan(-1e-6 * width);
          expect(Number(value.toFixed(decimals))).toBe(value);
        }
      }),
      { numRuns: 500, seed: 8 },
    );
  });
});
