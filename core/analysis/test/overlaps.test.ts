import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnalysisError } from '../src/analysis-error.ts';
import { overlaps, relativeOverlapTime, type TimeSpan } from '../src/pairing/overlaps.ts';

const side = fc.array(fc.tuple(fc.nat(4), fc.nat(6)), { maxLength: 12 }).map((steps) => {
  let clock = 0;
  return steps.map(([gap, length]): TimeSpan => {
    const s = clock + gap;
    clock = s + length;
    return { s, e: clock };
  });
});

/** The definition, pair by pair. */
const byDefinition = (a: readonly TimeSpan[], b: readonly TimeSpan[]): number[][] =>
  a.flatMap((left, i) =>
    b.flatMap((right, k) => (Math.max(left.s, right.s) < Math.min(left.e, right.e) ? [[i, k]] : [])),
  );

describe('overlaps', () => {
  it('find every pair of the definition once', () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        expect(overlaps(a, b).map((pair) => [pair.a, pair.b])).toEqual(byDefinition(a, b));
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('leave out a pair at exactly the minimum rate', () => {
    // Both last 10 and share 4: rate 0.4.
    const a = [{ s: 0, e: 10 }];
    const b = [{ s: 6, e: 16 }];
    expect(overlaps(a, b, { minimumRate: 0.4 })).toEqual([]);
    expect(overlaps(a, b, { minimumRate: 0.39 })).toHaveLength(1);
  });

  it('refuse a side whose iterations run at the same time', () => {
    const twice = [
      { s: 0, e: 10 },
      { s: 5, e: 12 },
    ];
    expect(() => overlaps(twice, [])).toThrow(AnalysisError);
    expect(() => overlaps([], twice)).toThrow('iteration 1 of side B begins before');
    expect(() => overlaps([{ s: 3, e: 2 }], [])).toThrow(AnalysisError);
  });

  it('fill between none and all of the time', () => {
    fc.assert(
      fc.property(side, side, (A, B) => {
        const share = relativeOverlapTime([{ A, B }]);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }),
      { seed: 4 },
    );
    expect(relativeOverlapTime([])).toBe(0);
  });
});
