import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideVerdict, planOutlook, relativeHalfWidth } from '../src/verdict/decide-verdict.ts';

const interval = fc
  .tuple(fc.double({ min: 0.2, max: 3, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([low, width]) => ({ low, high: low + width }));
const margin = fc.double({ min: 0, max: 0.5, noNaN: true });

describe('a verdict without margin', () => {
  it('is a dead heat when the interval straddles or touches 1, and never undecided', () => {
    expect(decideVerdict({ low: 0.99, high: 1.01 }, 0)).toBe('dead-heat');
    expect(decideVerdict({ low: 1, high: 1.2 }, 0)).toBe('dead-heat');
    expect(decideVerdict({ low: 1.001, high: 1.2 }, 0)).toBe('slower');
    expect(decideVerdict({ low: 0.8, high: 0.999 }, 0)).toBe('faster');
  });
});

describe('a verdict with margin', () => {
  it('asks for the whole interval beyond the margin', () => {
    expect(decideVerdict({ low: 1.011, high: 1.03 }, 0.01)).toBe('slower');
    expect(decideVerdict({ low: 1.009, high: 1.03 }, 0.01)).toBe('undecided');
    // 1 / 1.25 = 0.8: faster begins there, not at 1 - 0.25.
    expect(decideVerdict({ low: 0.7, high: 0.79 }, 0.25)).toBe('faster');
    expect(decideVerdict({ low: 0.7, high: 0.81 }, 0.25)).toBe('undecided');
  });

  it('is a dead heat with the whole interval inside the margin, ends included', () => {
    expect(decideVerdict({ low: 0.995, high: 1.01 }, 0.01)).toBe('dead-heat');
    expect(decideVerdict({ low: 1.002, high: 1.005 }, 0.01)).toBe('dead-heat');
    expect(decideVerdict({ low: 0.98, high: 1.005 }, 0.01)).toBe('undecided');
  });

  it('turns round when the sides change places', () => {
    const turned = { slower: 'faster', faster: 'slower', 'dead-heat': 'dead-heat', undecided: 'undecided' };
    fc.assert(
      fc.property(interval, margin, ({ low, high }, m) => {
        // Ends next to an edge of the margin may fall on either side of it after rounding.
        fc.pre([low, high].every((end) => Math.abs(Math.abs(Math.log(end)) - Math.log1p(m)) > 1e-9));
        expect(decideVerdict({ low: 1 / high, high: 1 / low }, m)).toBe(turned[decideVerdict({ low, high }, m)]);
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('never becomes a difference, and never stops being a dead heat, by a wider margin', () => {
    fc.assert(
      fc.property(interval, margin, margin, (ends, one, other) => {
        const [narrow, wide] = [Math.max(1e-9, Math.min(one, other)), Math.max(1e-9, one, other)];
        const before = decideVerdict(ends, narrow);
        const after = decideVerdict(ends, wide);
        expect(after).toBe(before === 'dead-heat' ? 'dead-heat' : after);
        expect(before).toBe(after === 'slower' || after === 'faster' ? after : before);
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('refuses a negative margin and ends in the wrong order', () => {
    expect(() => decideVerdict({ low: 1, high: 1 }, -0.1)).toThrow(RangeError);
    expect(() => decideVerdict({ low: 2, high: 1 }, 0)).toThrow(RangeError);
  });
});

describe('the outlook', () => {
  const facts = { verdict: 'undecided', margin: 0.01, runs: 20, timeNsPerRun: 1000, step: 1 } as const;

  it('asks for as many runs as bring the half-width below the distance to the nearer edge', () => {
    // On the log scale: estimate 2 L, half-width 2 L, edge L = ln 1.01, distance L: four times the runs, 60 more.
    const L = Math.log(1.01);
    const ratio = { estimate: Math.exp(2 * L), low: 1, high: Math.exp(4 * L) };
    expect(planOutlook(ratio, facts)).toEqual({ moreRuns: 60, moreTimeNs: 60_000 });
  });

  it('asks for whole blocks where runs come in blocks', () => {
    // Distance 2 L, half-width 3 L: 20 * 2.25 = 45 runs, 25 more, in blocks of two 26.
    const L = Math.log(1.01);
    const ratio = { estimate: Math.exp(3 * L), low: 1, high: Math.exp(6 * L) };
    expect(planOutlook(ratio, facts)?.moreRuns).toBe(25);
    expect(planOutlook(ratio, { ...facts, step: 2 })?.moreRuns).toBe(26);
  });

  it('is none for a decided comparison and for an estimate on the edge', () => {
    const ratio = { estimate: 1.02, low: 1, high: 1.04 };
    expect(planOutlook(ratio, { ...facts, verdict: 'slower' })).toBeNull();
    expect(planOutlook({ estimate: 1.01, low: 1, high: 1.02 }, facts)).toBeNull();
  });
});

it('the half-width is the larger distance between the estimate and an end, relative', () => {
  // 1.25 to 1.5 is 0.25, to 1.125 is 0.125: 0.25 / 1.25 = 0.2.
  expect(relativeHalfWidth({ estimate: 1.25, low: 1.125, high: 1.5 })).toBeCloseTo(0.2, 14);
  expect(relativeHalfWidth({ estimate: 1, low: 0.7, high: 1.1 })).toBeCloseTo(0.3, 14);
});
