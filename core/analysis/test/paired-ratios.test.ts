import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean } from '@deadheat/stats';
import { logRatioSeries, runLogRatios, runMeanDifferences } from '../src/pairing/paired-ratios.ts';
import { at } from '../src/internal/lists.ts';

const time = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
const runs = fc.array(fc.array(fc.tuple(time, time), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
const grandMean = (x: readonly number[][], y: readonly number[][]): number => Math.exp(mean(runLogRatios(x, y)));
const split = (pairs: readonly (readonly (readonly [number, number])[])[]) => ({
  x: pairs.map((run) => run.map(([x]) => x)),
  y: pairs.map((run) => run.map(([, y]) => y)),
});

describe('paired ratios', () => {
  it('divide every time of x by its partner', () => {
    const ratios = logRatioSeries([[2, 9], [5]], [[1, 3], [10]]).map((run) => [...run].map(Math.exp));
    for (const [k, ratio] of [2, 3, 0.5].entries()) expect(ratios.flat()[k]).toBeCloseTo(ratio, 14);
  });

  it('refuse sides of another shape and times that are not above 0', () => {
    expect(() => logRatioSeries([[1]], [[1], [2]])).toThrow(RangeError);
    expect(() => logRatioSeries([[1, 2]], [[1]])).toThrow('run 0 holds 2 times of x and 1 of y');
    expect(() => logRatioSeries([[]], [[]])).toThrow(RangeError);
    expect(() => logRatioSeries([[0]], [[1]])).toThrow('run 0, iteration 0: times must be finite and above 0');
    expect(() => logRatioSeries([[1]], [[Number.NaN]])).toThrow(RangeError);
  });
});

describe('geometric means', () => {
  it('weigh every run the same, however many iterations it has', () => {
    // Run 0: ratios 4 and 4, mean 4. Run 1: ratio 1. Grand mean sqrt(4 * 1) = 2, while over iterations it were 16^(1/3).
    const x = [[4, 8], [3]];
    const y = [[1, 2], [3]];
    expect(Math.exp(at(runLogRatios(x, y), 0))).toBeCloseTo(4, 14);
    expect(Math.exp(at(runLogRatios(x, y), 1))).toBe(1);
    expect(grandMean(x, y)).toBeCloseTo(2, 14);
  });

  it('hold ratios whose product leaves the range of a double', () => {
    const many = Array.from({ length: 400 }, () => 1e300);
    const few = Array.from({ length: 400 }, () => 1e-3);
    expect(Math.exp(at(runLogRatios([many], [few]), 0)) / 1e303).toBeCloseTo(1, 10);
    expect(Math.exp(at(runLogRatios([few], [many]), 0)) * 1e303).toBeCloseTo(1, 10);
  });

  it('turn into their reciprocal when the sides change places', () => {
    fc.assert(
      fc.property(runs, (pairs) => {
        const { x, y } = split(pairs);
        expect(grandMean(x, y) * grandMean(y, x)).toBeCloseTo(1, 10);
      }),
      { seed: 1 },
    );
  });

  it('stay when both sides are scaled', () => {
    fc.assert(
      fc.property(runs, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (pairs, factor) => {
        const { x, y } = split(pairs);
        const scaled = (side: number[][]) => side.map((run) => run.map((time) => time * factor));
        expect(grandMean(scaled(x), scaled(y)) / grandMean(x, y)).toBeCloseTo(1, 10);
      }),
      { seed: 2 },
    );
  });
});

it('the mean differences of runs are positive where x takes longer', () => {
  // Run 0: 3 - 1 = 2 and 4 - 4 = 0, mean 1. Run 1: 5 - 8 = -3.
  expect([...runMeanDifferences([[3, 4], [5]], [[1, 4], [8]])]).toEqual([1, -3]);
});
