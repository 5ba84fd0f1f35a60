import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate, maximumAmount } from '../src/agree-on-amount.ts';

/** A clock that tells what an ideal workload would take. */
function ideal(perUnitNs: number, baseNs = 0) {
  return (amount: number) => baseNs + perUnitNs * amount;
}

describe('the amount for a wanted time', () => {
  it('is the time over the time of a unit', () => {
    expect(calibrate(ideal(200), 50e6)).toBe(250_000);
  });

  it('leaves room for what any amount costs', () => {
    // 50 ms of which 20 ms are the start: 30 ms of work at 1 µs a unit.
    expect(calibrate(ideal(1000, 20e6), 50e6)).toBe(30_000);
  });

  it('is a fifth of the time at least, where the start alone takes longer', () => {
    expect(calibrate(ideal(1000, 80e6), 50e6)).toBe(10_001);
  });

  it('stays a whole number in the range of every workload', () => {
    const property = fc.property(
      fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
      fc.double({ min: 1, max: 1e12, noNaN: true }),
      (perUnitNs, durationNs) => {
        const amount = calibrate(ideal(perUnitNs), durationNs);
        expect(Number.isInteger(amount)).toBe(true);
        expect(amount).toBeGreaterThanOrEqual(1);
        expect(amount).toBeLessThanOrEqual(maximumAmount);
      },
    );
    fc.assert(property, { seed: 4, numRuns: 300 });
  });

  it('ends with a clock that stands still', () => {
    expect(calibrate(() => 0, 1e6)).toBeLessThanOrEqual(maximumAmount);
  });

  it('is refused for no time', () => {
    expect(() => calibrate(ideal(1), 0)).toThrow(RangeError);
    expect(() => calibrate(ideal(1), Number.NaN)).toThrow(RangeError);
  });
});
