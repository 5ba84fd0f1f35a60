import fc from 'fast-check';
import type { Benchmark } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { mostParts, onlyPart, runsOfPart, shareOf } from '../../src/plan/part-of-runs.ts';

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

/** Benchmarks as far as they are divided: names, and `x (A/A control)` for the control of x. */
function named(...names: readonly string[]): Benchmark[] {
  return names.map(
    (name) =>
      ({ name, controlOf: name.endsWith(' (A/A control)') ? name.replace(/ \(.*/, '') : null }) as unknown as Benchmark,
  );
}

describe('the share of a part', () => {
  it('is a machine of its own with all benchmarks where no machines are said', () => {
    const share = shareOf({ index: 3, count: 4 }, { benchmarks: named('a', 'b') });
    expect(share).toMatchObject({ machine: { index: 3, count: 4 }, name: null });
    expect([0, 1].map(share.holds)).toEqual([true, true]);
  });

  it('holds every benchmark once on every machine, a control beside its benchmark', () => {
    const benchmarks = named('a', 'a (A/A control)', 'b', 'c', 'a', 'b');
    for (const each of [1, 2, 3]) {
      const machines = ['north', 'south'];
      const count = machines.length * each;
      const held = machines.map(() => benchmarks.map(() => 0));
      for (let index = 1; index <= count; index += 1) {
        const { machine, name, holds } = shareOf({ index, count }, { machines, benchmarks });
        expect(name).toBe(machines[machine.index - 1]);
        expect(machine.count).toBe(2);
        const entries = benchmarks.flatMap((_, entry) => (holds(entry) ? [entry] : []));
        expect(entries.length).toBeGreaterThan(0);
        expect(entries.includes(0)).toBe(entries.includes(1));
        expect(entries.includes(0)).toBe(entries.includes(4));
        for (const entry of entries) (held[machine.index - 1] ?? [])[entry]! += 1;
      }
      expect(held).toEqual(machines.map(() => benchmarks.map(() => 1)));
    }
  });

  it('is refused where machines would differ, or a part would have no benchmark', () => {
    const benchmarks = named('a', 'b');
    expect(() => shareOf({ index: 1, count: 4 }, { machines: 3, benchmarks })).toThrow(/a multiple of 3, at most 6/);
    expect(() => shareOf({ index: 1, count: 2 }, { machines: 3, benchmarks })).toThrow(
      /CANNOT_DIVIDE|cannot be divided/,
    );
    expect(() => shareOf({ index: 1, count: 9 }, { machines: 3, benchmarks })).toThrow(/2 benchmarks on 3 machines/);
  });
});
