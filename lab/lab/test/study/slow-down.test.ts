import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../core/analysis/src/internal/lists.ts';
import { overlaps, type TimeSpan } from '../../../../core/analysis/src/pairing/overlaps.ts';
import { slowDown } from '../../src/study/paired-run.ts';

const seeded = { seed: 20_261_121, numRuns: 200 };
const steps = fc.array(fc.record({ gap: fc.nat(1000), time: fc.integer({ min: 1, max: 1e6 }) }), { maxLength: 30 });
const factors = fc.double({ min: 0.5, max: 2, noNaN: true });

/** Iterations that follow each other, at the clock readings of a machine that is up for a week. */
const iterationsFrom = (list: readonly { readonly gap: number; readonly time: number }[]): TimeSpan[] => {
  let clock = 6e14;
  return list.map(({ gap, time }) => {
    const s = clock + gap;
    clock = s + time;
    return { s, e: clock };
  });
};

/** A clock reading near 6e14 is held to a tenth of a nanosecond; thirty of them are added. */
const near = (x: number, y: number): boolean => Math.abs(x - y) <= 10;

describe('slowing down', () => {
  it('by a factor of 1 changes nothing', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const iterations = iterationsFrom(list);
        expect(slowDown(iterations, 1)).toEqual(iterations);
      }),
      seeded,
    );
  });

  it('multiplies every duration and keeps every gap and the first start', () => {
    fc.assert(
      fc.property(steps, factors, (list, factor) => {
        const before = iterationsFrom(list);
        const after = slowDown(before, factor);
        for (const [i, { s, e }] of after.entries()) {
          const was = at(before, i);
          expect(near(e - s, (was.e - was.s) * factor)).toBe(true);
          const gap = i === 0 ? was.s : was.s - at(before, i - 1).e;
          expect(near(i === 0 ? s : s - at(after, i - 1).e, gap)).toBe(true);
        }
      }),
      seeded,
    );
  });

  it('twice is once by the product', () => {
    fc.assert(
      fc.property(steps, factors, factors, (list, first, second) => {
        const iterations = iterationsFrom(list);
        const twice = slowDown(slowDown(iterations, first), second);
        for (const [i, { s, e }] of slowDown(iterations, first * second).entries()) {
          expect(near(s, at(twice, i).s) && near(e, at(twice, i).e)).toBe(true);
        }
      }),
      seeded,
    );
  });

  it('never makes iterations overlap that follow each other without a gap', () => {
    fc.assert(
      fc.property(steps, factors, (list, factor) => {
        const touching = iterationsFrom(list.map(({ time }) => ({ gap: 0, time })));
        expect(() => overlaps(touching, slowDown(touching, factor))).not.toThrow();
      }),
      seeded,
    );
  });

  it.each([0, -1, Number.NaN, Infinity])('refuses a factor of %s', (factor) => {
    expect(() => slowDown([{ s: 0, e: 1 }], factor)).toThrow(RangeError);
  });
});
