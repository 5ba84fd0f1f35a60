import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostParts, onlyPart, runsOfPart } from '../../src/plan/part-of-runs.ts';

const seed = 20_261_121;

describe('the parts of the runs', () => {
  it('hold each run once, in order, differ by one unit at most, and none is empty', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.constantFrom('pair', 'run', 'never'),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('tandem', 'sync-duet'),
        fc.constantFrom(0, 3),
        (runs, swap, share, method, pilotRuns) => {
          const divided = { runs, swap, method, pilotRuns };
          // A tandem has no cores to trade; what pilot runs choose may have.
          const unit = swap === 'pair' && (method !== 'tandem' || pilotRuns > 0) ? 2 : 1;
          const most = mostParts(divided);
          const count = 1 + Math.floor(share * (most - 1));
          const parts = Array.from({ length: count }, (_, index) => runsOfPart({ index: index + 1, count }, divided));
          let next = 0;
          for (const part of parts) {
            expect(part.first).toBe(next);
            expect(part.count).toBeGreaterThan(0);
            expect(part.first % unit).toBe(0);
            next += part.count;
          }
          expect(next).toBe(runs);
          const units = parts.map((part) => Math.ceil(part.count / unit));
          expect(Math.max(...units) - Math.min(...units)).toBeLessThanOrEqual(1);
        },
      ),
      { seed },
    );
  });

  it('are one part where a recording holds one, and none where it was not divided or holds several', () => {
    expect(onlyPart({ count: 4, taken: [3], folder: '/x' })).toEqual({ index: 3, count: 4 });
    expect(onlyPart({ count: 4, taken: [3, 4], folder: '/x' })).toBeNull();
    expect(onlyPart(undefined)).toBeNull();
  });
});
