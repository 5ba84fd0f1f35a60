import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideVerdict,
  moreRuns,
  reachToDecide,
  relativeHalfWidth,
  unitsUntil,
} from '../src/verdict/decide-verdict.ts';

const interval = fc
  .tuple(fc.double({ min: 0.2, max: 3, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([low, width]) => ({ low, high: low + width }));
const margin = fc.double({ min: 0, max: 0.5, noNaN: true });

describe('a verdict without margin', () => {
  it('is slower or faster with 1 excluded, however near', () => {
    expect(decideVerdict({ low: 1.001, high: 1.2 }, 0)).toBe('slower');
    expect(decideVerdict({ low: 1.001, high: 1.002 }, 0)).toBe('slower');
    expect(decideVerdict({ low: 0.8, high: 0.999 }, 0)).toBe('faster');
  });

  it('is a dead heat with 1 inside and no more than 2 % to either side, else undecided', () => {
    expect(decideVerdict({ low: 0.99, high: 1.01 }, 0)).toBe('dead-heat');
    expect(decideVerdict({ low: 1, high: 1.02 }, 0)).toBe('dead-heat');
    expect(decideVerdict({ low: 1, high: 1.021 }, 0)).toBe('undecided');
    // 1 / 1.02 = 0.98039
    expect(decideVerdict({ low: 0.9804, high: 1 }, 0)).toBe('dead-heat');
    expect(decideVerdict({ low: 0.9803, high: 1 }, 0)).toBe('undecided');
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

describe('the reach that decides', () => {
  it('excludes 1 or lies within 2 % without a margin, whichever takes fewer runs', () => {
    expect(reachToDecide(-0.7, 0)).toBe(0.7);
    expect(reachToDecide(0, 0)).toBeCloseTo(Math.log(1.02), 15);
    expect(reachToDecide(0.005, 0)).toBeCloseTo(Math.log(1.02) - 0.005, 15);
  });

  it('is the distance to the edge of the margin, and none on the edge', () => {
    expect(reachToDecide(0.02, 0.05)).toBeCloseTo(Math.log(1.05) - 0.02, 15);
    expect(reachToDecide(-0.07, 0.05)).toBeCloseTo(0.07 - Math.log(1.05), 15);
    expect(reachToDecide(Math.log(1.05), 0.05)).toBeCloseTo(0, 15);
  });

  it('takes as many units as its t interval: s = 0.1, reach 0.05 at 95 % takes 18, as t(17) = 2.11', () => {
    const spread = { standardDeviation: 0.1, confidence: 0.95, atLeast: 2 };
    expect(unitsUntil(0.05, spread)).toBe(18);
    expect(unitsUntil(0.05, { ...spread, atLeast: 30 })).toBe(30);
    expect(unitsUntil(0, spread)).toBeNull();
  });

  it('takes whole blocks where runs come in blocks', () => {
    const made = { runs: 20, timeNsPerRun: 1000, step: 1 };
    expect(moreRuns(45, made)).toEqual({ moreRuns: 25, moreTimeNs: 25_000 });
    expect(moreRuns(45, { ...made, step: 2 })?.moreRuns).toBe(26);
    expect(moreRuns(null, made)).toBeNull();
  });
});

it('the half-width is the larger distance between the estimate and an end, relative', () => {
  // 1.25 to 1.5 is 0.25, to 1.125 is 0.125: 0.25 / 1.25 = 0.2.
  expect(relativeHalfWidth({ estimate: 1.25, low: 1.125, high: 1.5 })).toBeCloseTo(0.2, 14);
  expect(relativeHalfWidth({ estimate: 1, low: 0.7, high: 1.1 })).toBeCloseTo(0.3, 14);
});
