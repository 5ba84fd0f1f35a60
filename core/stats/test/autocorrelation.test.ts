import { describe, expect, it } from 'vitest';
import { createRandom } from '../src/random/create-random.ts';
import { autocorrelation } from '../src/samples/moments.ts';

describe('autocorrelation', () => {
  it('is the share of the squares that neighbours have in common', () => {
    // Deviations -2, -1, 0, 1, 2: products of neighbours 2 + 0 + 0 + 2 = 4, squares 10.
    expect(autocorrelation([1, 2, 3, 4, 5])).toBeCloseTo(0.4, 12);
    // Two apart: (-2)(0) + (-1)(1) + (0)(2) = -1.
    expect(autocorrelation([1, 2, 3, 4, 5], 2)).toBeCloseTo(-0.1, 12);
    expect(autocorrelation([1, -1, 1, -1])).toBeCloseTo(-0.75, 12);
  });

  it('is not a number without spread', () => {
    expect(autocorrelation([3, 3, 3])).toBeNaN();
  });

  it('lies about -1 / n for independent values', () => {
    const random = createRandom('independent');
    const values = Float64Array.from({ length: 20_000 }, () => random.next());
    expect(Math.abs(autocorrelation(values))).toBeLessThan(4 / Math.sqrt(values.length));
  });

  it('refuses too few values and lags that are no whole numbers', () => {
    expect(() => autocorrelation([1])).toThrow(RangeError);
    expect(() => autocorrelation([1, 2], 0)).toThrow('lag');
    expect(() => autocorrelation([1, Number.NaN, 2])).toThrow(RangeError);
  });
});
