import { describe, expect, test } from 'vitest';
import { adjustPValues, createRandom } from '../src/index.ts';

const p = [
  0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
];

describe('adjustPValues', () => {
  test('the fifteen tests of Benjamini and Hochberg (1995, section 4.1): four rejected at 5 %, three by Holm', () => {
    function rejected(correction: 'holm' | 'benjamini-hochberg' | 'none') {
      return [...adjustPValues(p, correction)].filter((value) => value <= 0.05).length;
    }

    expect(rejected('benjamini-hochberg')).toBe(4);
    expect(rejected('holm')).toBe(3);
    expect(rejected('none')).toBe(9);
  });

  test("as R's p.adjust, also out of order and with ties", () => {
    const values = [0.03, 0.01, 0.05, 0.02, 0.04];
    expect([...adjustPValues(values, 'holm')].map((v) => Number(v.toFixed(12)))).toEqual([
      0.09, 0.05, 0.09, 0.08, 0.09,
    ]);
    expect([...adjustPValues(values, 'benjamini-hochberg')].map((v) => Number(v.toFixed(12)))).toEqual(
      Array(5).fill(0.05),
    );
    expect([...adjustPValues([0.5, 0.5, 0.001], 'holm')]).toEqual([1, 1, 0.003]);
    expect([...adjustPValues([0.6, 0.9], 'benjamini-hochberg')]).toEqual([0.9, 0.9]);
  });

  test('never smaller than before, in the same order, Holm never below Benjamini and Hochberg', () => {
    const random = createRandom('adjust');
    for (let round = 0; round < 40; round++) {
      const values = Float64Array.from({ length: 1 + Math.floor(random.next() * 30) }, () => random.next() ** 3);
      const holm = adjustPValues(values, 'holm');
      const bh = adjustPValues(values, 'benjamini-hochberg');
      values.forEach((value, i) => {
        expect(bh[i]!).toBeGreaterThanOrEqual(value);
        expect(holm[i]!).toBeGreaterThanOrEqual(bh[i]! - 1e-15);
        values.forEach((other, k) => {
          if (value < other) {
            expect(holm[i]!).toBeLessThanOrEqual(holm[k]!);
            expect(bh[i]!).toBeLessThanOrEqual(bh[k]!);
          }
        });
      });
    }
  });

  test('nothing, one, and what is no p value', () => {
    expect([...adjustPValues([], 'holm')]).toEqual([]);
    expect([...adjustPValues([0.02], 'holm')]).toEqual([0.02]);
    expect([...adjustPValues([0.02], 'benjamini-hochberg')]).toEqual([0.02]);
    expect(() => adjustPValues([0.1, 1.5], 'holm')).toThrow('1.5');
    expect(() => adjustPValues([Number.NaN], 'none')).toThrow('NaN');
  });
});
