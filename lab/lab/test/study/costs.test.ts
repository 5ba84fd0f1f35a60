import fc from 'fast-check';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { concurrencySlowdown } from '../../../../core/analysis/src/disturbance/measure-disturbances.ts';
import { largestRatioBehind, runtimeSavings, underestimationBound } from '../../src/study/costs.ts';

const seeded = { seed: 20_261_121, numRuns: 200 };
const positive = fc.double({ min: 0.01, max: 100, noNaN: true });
const span = (s: number, e: number) => ({ s, e });

describe('the savings of running both sides at once', () => {
  it('are those of the later end and the sooner start', () => {
    // Sequential: 10 + 10 and 12 + 8. Duet: from 0 to 12 and from 99 to 107.
    const found = runtimeSavings({
      sequential: [
        { A: span(0, 10), B: span(10, 20) },
        { A: span(50, 62), B: span(40, 48) },
      ],
      duet: [
        { A: span(0, 11), B: span(1, 12) },
        { A: span(100, 107), B: span(99, 106) },
      ],
    });
    expect(found).toEqual({ sequential: 20, duet: 10, speedup: 2, saved: 0.5 });
  });

  it('do not count the pause between sequential sides', () => {
    const duet = [{ A: span(0, 10), B: span(0, 10) }];
    expect(runtimeSavings({ sequential: [{ A: span(0, 10), B: span(1000, 1010) }], duet }).sequential).toBe(20);
  });

  it('are below 0 where sides hold each other up', () => {
    const found = runtimeSavings({
      sequential: [{ A: span(0, 10), B: span(10, 20) }],
      duet: [{ A: span(0, 25), B: span(0, 24) }],
    });
    expect(found.speedup).toBeCloseTo(0.8, 12);
    expect(found.saved).toBeCloseTo(-0.25, 12);
  });

  it('need runs that take time', () => {
    const still = [{ A: span(0, 0), B: span(0, 0) }];
    expect(() => runtimeSavings({ sequential: still, duet: still })).toThrow(RangeError);
    expect(() => runtimeSavings({ sequential: [], duet: [] })).toThrow(RangeError);
  });
});

describe('the slowdown of work beside its copy', () => {
  it('is the mean time in a duet over the mean time alone, every run weighing the same', () => {
    const ratio = concurrencySlowdown(
      { concurrent: [[300], [310, 290], [300, 300, 300]], isolated: [[100], [100, 100]] },
      { random: createRandom(1) },
    );
    expect(ratio).toMatchObject({ level: 0.99, kind: 'percentile' });
    expect(ratio.estimate).toBeCloseTo(3, 12);
    expect(ratio.low).toBeCloseTo(3, 12);
    expect(ratio.high).toBeCloseTo(3, 12);
  });

  it('has an interval of the runs', () => {
    // Two runs of 100 and 120 beside each other give 1, 1.1 and 1.2 against 100 alone.
    const ratio = concurrencySlowdown(
      { concurrent: [[100], [120]], isolated: [[100], [100]] },
      { replicates: 1000, random: createRandom(1) },
    );
    expect([ratio.low, ratio.estimate, ratio.high].map((x) => x.toFixed(6))).toEqual([
      '1.000000',
      '1.100000',
      '1.200000',
    ]);
  });
});

describe('the ratio that a duet shows at worst', () => {
  it('is that of the published example: three times as long together, B twice as long as A', () => {
    expect(underestimationBound(2, { concurrency: 3 })).toBeCloseTo((3 + 1) / 3, 12);
    expect(largestRatioBehind(4 / 3, { concurrency: 3 })).toBeCloseTo(2, 12);
  });

  it('is the truth where the sides are alike or do not get into each other’s way', () => {
    expect(underestimationBound(1, { concurrency: 5 })).toBe(1);
    expect(underestimationBound(2, { concurrency: 1 })).toBe(2);
  });

  it('is that of two phases, one with both sides and one with the longer alone', () => {
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const concurrency = 1.7;
        const together = concurrency * Math.min(a, b);
        const timeA = together + Math.max(0, a - b);
        const timeB = together + Math.max(0, b - a);
        expect(underestimationBound(b / a, { concurrency })).toBeCloseTo(timeB / timeA, 9);
      }),
      seeded,
    );
  });

  it('is turned round with the sides, and undone by the largest ratio behind it', () => {
    fc.assert(
      fc.property(positive, positive, (ratio, concurrency) => {
        const shown = underestimationBound(ratio, { concurrency });
        expect(shown * underestimationBound(1 / ratio, { concurrency })).toBeCloseTo(1, 9);
        expect(largestRatioBehind(shown, { concurrency }) / ratio).toBeCloseTo(1, 9);
        if (concurrency >= 1) expect(Math.abs(Math.log(shown))).toBeLessThanOrEqual(Math.abs(Math.log(ratio)) + 1e-12);
      }),
      seeded,
    );
  });

  it.each([0, -1, Number.NaN, Infinity])('is refused for %s', (wrong) => {
    for (const bound of [underestimationBound, largestRatioBehind]) {
      expect(() => bound(wrong, { concurrency: 2 })).toThrow(RangeError);
      expect(() => bound(2, { concurrency: wrong })).toThrow(/concurrency must be finite/);
    }
  });
});
